import type { CatalogEntry } from "./entry.ts";

/** The agents that the end-to-end tests run; their command lines are compared with their own help there, too. */
export const TESTED: readonly CatalogEntry[] = [
  {
    agent_kind: "claude-code",
    agent_name: "Claude Code",
    version_args: ["--version"],
    acp: {
      starts: [
        { command: "claude-agent-acp", args: [] },
        { command: "npx", args: ["-y", "@agentclientprotocol/claude-agent-acp"] },
      ],
      install: "npm install -g @agentclientprotocol/claude-agent-acp",
    },
    terminal: {
      command: "claude",
      args: [],
      resume_args: ["--resume"],
      prompt_transport: "argv",
      prompt_args: [],
      install: "npm install -g @anthropic-ai/claude-code",
      checked: "2.1.318",
    },
  },
  {
    agent_kind: "codex",
    agent_name: "Codex",
    version_args: ["--version"],
    acp: {
      starts: [
        { command: "codex-acp", args: [] },
        { command: "npx", args: ["-y", "@agentclientprotocol/codex-acp"] },
      ],
      install: "npm install -g @agentclientprotocol/codex-acp",
    },
    terminal: {
      command: "codex",
      // Its server in the background would hold the conversations of all terminals: none were this session's own, a turn
      // went on without its terminal, and what ended one session ended the others' turns, too.
      args: ["--no-daemon"],
      resume_args: ["resume"],
      prompt_transport: "argv",
      prompt_args: [],
      install: "npm install -g @openai/codex",
      checked: "0.166.0",
    },
  },
  {
    agent_kind: "opencode",
    agent_name: "OpenCode",
    version_args: ["--version"],
    acp: { starts: [{ command: "opencode", args: ["acp"] }], install: "npm install -g opencode-ai" },
    terminal: {
      command: "opencode",
      args: [],
      resume_args: ["--session"],
      prompt_transport: "argv",
      // Its first word is the folder to work in.
      prompt_args: ["--prompt"],
      install: "npm install -g opencode-ai",
      checked: "1.18.33",
    },
  },
  {
    agent_kind: "gemini",
    agent_name: "Gemini CLI",
    version_args: ["--version"],
    acp: { starts: [{ command: "gemini", args: ["--acp"] }], install: "npm install -g @google/gemini-cli" },
    terminal: {
      command: "gemini",
      args: [],
      resume_args: ["--resume"],
      prompt_transport: "argv",
      prompt_args: ["--prompt-interactive"],
      install: "npm install -g @google/gemini-cli",
      checked: "0.61.0",
    },
  },
];
