function counted(n: number, one: string, many: string): string {
  return `${n} ${n === 1 ? one : many}`;
}

/** What a start found again, in words; null on a first start. */
export function foundAgain(sessions: readonly unknown[]): string | null {
  if (sessions.length === 0) return null;
  // No word of agents: what a crash left may still be being found out at this moment.
  return `Found again: ${counted(sessions.length, "session", "sessions")}.`;
}

/** What an end leaves behind. */
export function leftRunning(hosts: number): string {
  if (hosts === 0) return "Nothing is left running.";
  const them = hosts === 1 ? "it" : "them";
  return `${counted(hosts, "agent's host lives", "agents' hosts live")} on, and the next \`npm start\` finds ${them} again. \`npm stop\` ends ${them} too.`;
}
