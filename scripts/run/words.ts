import type { SessionStatus } from "@reprise/protocol";

function counted(n: number, one: string, many: string): string {
  return `${n} ${n === 1 ? one : many}`;
}

/** What a start found again, in words; null on a first start. */
export function foundAgain(sessions: readonly Pick<SessionStatus, "is_agent_running">[]): string | null {
  if (sessions.length === 0) return null;
  const running = sessions.filter(({ is_agent_running }) => is_agent_running).length;
  const agents = running === 0 ? "no agent running" : `${counted(running, "agent", "agents")} still running`;
  return `Found again: ${counted(sessions.length, "session", "sessions")}, ${agents}.`;
}

/** What an end leaves behind. */
export function leftRunning(hosts: number): string {
  if (hosts === 0) return "Nothing is left running.";
  const them = hosts === 1 ? "it" : "them";
  return `${counted(hosts, "agent's host lives", "agents' hosts live")} on, and the next \`npm start\` finds ${them} again. \`npm stop\` ends ${them} too.`;
}
