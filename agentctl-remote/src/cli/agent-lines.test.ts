import type { AgentInfo } from "@reprise/protocol";
import { expect, it } from "vitest";
import { agentLines, missingLine } from "./agent-lines.ts";

const agent: AgentInfo = {
  agent_kind: "x",
  agent_name: "Claude Code",
  command: "claude-agent-acp",
  args: [],
  version: "0.101.0",
  status: "ready",
  capabilities: null,
  terminal: { command: "claude", version: null },
  hint: null,
};

it("T4: each way to run an agent has its line, and those that are missing are named", () => {
  const none = { command: null, version: null, status: "missing" as const, terminal: null };
  const agents = [agent, { ...agent, ...none, agent_name: "Goose" }, { ...agent, ...none, agent_name: "Pi" }];
  expect(agentLines(agents)).toEqual(["Claude Code 0.101.0: ready", "Claude Code (terminal): found"]);
  expect(missingLine(agents)).toEqual(["Not installed: Goose, Pi. `agentctl doctor` says how to get them."]);
  expect(missingLine([agent])).toEqual([]);
});
