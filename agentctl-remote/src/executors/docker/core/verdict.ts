/** What the engine says of a session's container; `null`: it has none. */
export type Sight = { status: string } | null;

export type Verdict =
  /** It was there once, and is no more. */
  | "gone"
  /** Nothing was ever made for this session here. */
  | "none"
  /** It is there and does not run. */
  | "stopped"
  /** It runs, or is about to, and whoever is in it says nothing: never dead (T3). */
  | "silent";

/**
 * What it means that no host answers on a session's socket (X2).
 * @param sight the engine's answer @param had a container was made for it once @param locked somebody holds its spool
 */
export function verdict(sight: Sight, had: boolean, locked: boolean): Verdict {
  // Whoever holds the spool serves the session, whatever the engine calls it.
  if (locked) return "silent";
  if (sight === null) return had ? "gone" : "none";
  return isStopped(sight) ? "stopped" : "silent";
}

/** Nothing of it runs, or is about to. */
export function isStopped(sight: Sight): boolean {
  return sight === null || ["created", "exited", "dead"].includes(sight.status);
}
