import { type AgentInfo, CATALOG, type Driver } from "@reprise/protocol";

/** The command that installs an agent, to be run by this driver, where we know one. */
export function installCommand(agent: Pick<AgentInfo, "agent_kind">, driver: Driver = "acp"): string | null {
  const entry = CATALOG.find((each) => each.agent_kind === agent.agent_kind);
  return (driver === "acp" ? entry?.acp.install : entry?.terminal.install) ?? null;
}

/** Whether a machine has an agent in any way: over ACP, or its own terminal UI. */
export function isInstalled(agent: AgentInfo): boolean {
  return agent.command !== null || agent.terminal?.command != null;
}
