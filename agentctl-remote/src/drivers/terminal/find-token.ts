/** The conversation that these processes hold open, where an agent of that kind keeps it in a file. */
export function findToken(_agentKind: string, _pids: readonly number[]): string | null {
  return null;
}
