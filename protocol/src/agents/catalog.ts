import type { LaunchSpec } from "./profile.ts";

/** A built-in agent: how its ACP adapter is started, which commands on PATH are it, and how to get it. */
export interface CatalogEntry {
  agent_kind: string;
  agent_name: string;
  /** Tried in order; the first whose command is on PATH is used. */
  acp: readonly { command: string; args: readonly string[] }[];
  /** Prints the version in its first line. */
  version_args: readonly string[];
  install: string;
}

export const CATALOG: readonly CatalogEntry[] = [
  {
    agent_kind: "claude-code",
    agent_name: "Claude Code",
    acp: [
      { command: "claude-agent-acp", args: [] },
      { command: "npx", args: ["-y", "@agentclientprotocol/claude-agent-acp"] },
    ],
    version_args: ["--version"],
    install: "npm install -g @agentclientprotocol/claude-agent-acp",
  },
  {
    agent_kind: "codex",
    agent_name: "Codex",
    acp: [
      { command: "codex-acp", args: [] },
      { command: "npx", args: ["-y", "@agentclientprotocol/codex-acp"] },
    ],
    version_args: ["--version"],
    install: "npm install -g @agentclientprotocol/codex-acp",
  },
  {
    agent_kind: "opencode",
    agent_name: "OpenCode",
    acp: [{ command: "opencode", args: ["acp"] }],
    version_args: ["--version"],
    install: "npm install -g opencode-ai",
  },
  {
    agent_kind: "gemini",
    agent_name: "Gemini CLI",
    acp: [{ command: "gemini", args: ["--acp"] }],
    version_args: ["--version"],
    install: "npm install -g @google/gemini-cli",
  },
];

/** The profile's untouched defaults for a built-in agent. */
export function defaultSpec(entry: CatalogEntry): LaunchSpec {
  const first = entry.acp[0];
  return {
    agent_kind: entry.agent_kind,
    agent_name: entry.agent_name,
    driver: "acp",
    command: first?.command ?? entry.agent_kind,
    args: [...(first?.args ?? [])],
    env: {},
  };
}
