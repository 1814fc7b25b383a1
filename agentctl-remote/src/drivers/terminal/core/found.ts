import { DEATH_GASP_MS } from "@reprise/protocol";
import type { Said } from "./said.ts";

/** The execution of this terminal that ended last. */
export interface LastEnd {
  token: string | null;
  /** The process under which it ran. */
  root: number | null;
  at: number;
}

/**
 * R7: whether words said with no execution open are a new execution's. What the last one still says is a straggler's;
 * the same conversation within 30 s counts as that, unless it is proven to come from a process that the shell started
 * since.
 * @returns what its shell started: the agent, or what brings it
 */
export function found(
  said: Said,
  chain: readonly number[],
  at: number,
  shell: number | null,
  last: LastEnd | null,
): number | null {
  if (said.type !== "conversation" && said.type !== "prompted") return null;
  const below = shell === null ? -1 : chain.indexOf(shell);
  const untold = chain.length <= 1;
  if (shell === null || (below < 0 && !untold)) return null;
  const pid = (below > 0 ? chain[below - 1] : chain[0]) ?? null;
  if (pid === null) return null;
  const proven = below > 0 && pid !== last?.root;
  const straggles = last !== null && last.token === said.id && at - last.at <= DEATH_GASP_MS;
  return straggles && !proven ? null : pid;
}
