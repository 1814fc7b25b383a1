export { hasDocker, TestDocker } from "../../scripts/docker/test-docker.ts";
export { type AcpAgent, choose, initialize, type PermissionPolicy, startAcpAgent } from "./acp/client.ts";
export { readTap, type TappedLine, tapped } from "./acp/tap.ts";
export { AGENTS_BIN, AGENTS_DIR, agentsInstalled, installAgents, NODE_BIN, wantsRealAgents } from "./agents/install.ts";
export { AGENT_NAMES, type AgentName, type AgentProfile, agentProfile } from "./agents/profiles.ts";
export {
  complaints,
  type Device,
  findChromium,
  launchBrowser,
  newPerson,
  type Scheme,
  screenshot,
  screenshots,
} from "./browser.ts";
export { type Model, type RecordedRequest, startModel } from "./model/server.ts";
export { type Socketry, WebProxy } from "./network/proxy.ts";
export * from "./processes.ts";
export { SCRIPTED_AGENT, scriptedAgentCommand } from "./scripted-agent/command.ts";
export { readStarts, type Start } from "./scripted-agent/start-log.ts";
export { dockerAgent, realAgent, scriptedAgent } from "./system/agents.ts";
export { System, type SystemOptions } from "./system/system.ts";
export { scriptedTerminal, type TerminalAgent, terminalAgent } from "./terminal/agents.ts";
export { ClaudeTerminals, interrupted, type Running, resumeButton } from "./terminal/claude.ts";
export { TerminalOnPage } from "./terminal/on-page.ts";
export { screenOf, settled, shows, types } from "./terminal/pane.ts";
