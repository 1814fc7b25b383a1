import { type AgentInfo, canResume } from "@reprise/protocol";

export function isThere(agent: AgentInfo): boolean {
  return agent.command !== null || agent.terminal?.command != null;
}

/** What a machine has: a line for each way to run an agent. */
export function agentLines(agents: readonly AgentInfo[]): string[] {
  return agents.filter(isThere).flatMap((agent) => [...acpLine(agent), ...terminalLine(agent)]);
}

/** The agents that it lacks, in one line at most. */
export function missingLine(agents: readonly AgentInfo[]): string[] {
  const missing = agents.filter((agent) => !isThere(agent)).map((agent) => agent.agent_name);
  return missing.length === 0
    ? []
    : [`Not installed: ${missing.join(", ")}. \`agentctl doctor\` says how to get them.`];
}

function acpLine(agent: AgentInfo): string[] {
  if (agent.command === null) return [];
  const can = agent.capabilities ? (canResume(agent.capabilities) ? ", resumes" : ", can't resume") : "";
  return [`${named(agent.agent_name, agent.version)}: ${agent.status}${can}${agent.hint ? `. ${agent.hint}` : ""}`];
}

function terminalLine({ agent_name, terminal }: AgentInfo): string[] {
  return terminal?.command == null ? [] : [`${named(`${agent_name} (terminal)`, terminal.version)}: found`];
}

function named(name: string, version: string | null): string {
  return version === null ? name : `${name} ${version}`;
}
