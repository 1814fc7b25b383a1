import { type AgentInfo, CATALOG } from "@reprise/protocol";

/** The command that installs an agent, where we know one. */
export function installCommand(agent: Pick<AgentInfo, "agent_kind">): string | null {
  return CATALOG.find((entry) => entry.agent_kind === agent.agent_kind)?.install ?? null;
}
