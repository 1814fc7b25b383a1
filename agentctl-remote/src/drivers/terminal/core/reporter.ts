/** Whose words a hook brings: only the agent's own count, not those of another agent that it runs as a tool. */
export interface Reporter {
  /** The process under which the agent runs: its wrapper, or what its person started. */
  readonly root: number | null;
  /** The conversation that it spoke of last. */
  readonly id: string | null;
  /** How far below the root its own hooks are called; what it runs itself calls from further below. */
  readonly depth: number | null;
}

/** Who called: an id, the chain of processes from the caller up, and whether it says that a conversation begins. */
export interface Call {
  id: string;
  chain: readonly number[];
  begins: boolean;
}

/** @returns who reports from now on; null when these are not the agent's own words */
export function taken(reporter: Reporter, { id, chain, begins }: Call): Reporter | null {
  const { root, depth } = reporter;
  // Its id is its own, wherever a dying process's hook is called from.
  if (reporter.id === id) return reporter;
  const below = root === null ? -1 : chain.indexOf(root);
  // Where the platform tells no parents there is nothing to go by.
  const untold = chain.length <= 1;
  if (below < 0 && !untold) return null;
  if (reporter.id === null) return { root, id, depth: below < 0 ? null : below };
  // Another conversation: only by the word that begins one, and only from the agent itself.
  if (!begins || (depth !== null && below > depth)) return null;
  return { ...reporter, id };
}
