import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type AgentProfile, findBuiltIn } from "@reprise/protocol";
import { AGENTS_BIN, AGENTS_DIR, NODE_BIN } from "../agents/install.ts";
import { agentProfile } from "../agents/profiles.ts";
import type { Model } from "../model/server.ts";
import type { System } from "../system/system.ts";

/** Comes with Claude Code's ACP adapter: the same program, whose terminal UI people run. */
const CLAUDE = join(
  AGENTS_DIR,
  `node_modules/@anthropic-ai/claude-agent-sdk-${process.platform}-${process.arch}/claude`,
);

const TESTING_AGENT = fileURLToPath(
  new URL("../../../agentctl-remote/src/drivers/terminal/testing-agent.ts", import.meta.url),
);

/** The built-in profile, whose program lies elsewhere here. */
const AGENTS = {
  claude: { built_in: "prf_claudecodetui", command: CLAUDE },
  codex: { built_in: "prf_codextui", command: join(AGENTS_BIN, "codex") },
  // Without -m a router model is asked first.
  gemini: { built_in: "prf_geminitui", command: join(AGENTS_BIN, "gemini"), args: ["-m", "gemini-2.5-pro"] },
  opencode: { built_in: "prf_opencodetui", command: join(AGENTS_BIN, "opencode") },
} as const;

export interface TerminalAgent {
  profile: AgentProfile;
  /** Its person's own folder there, with the agent's configuration. */
  home: string;
}

/** A profile of a real agent in its own terminal UI, which speaks to the stand-in and trusts `cwd`. */
export async function terminalAgent(
  system: System,
  model: Model,
  name: keyof typeof AGENTS,
  cwd: string,
  auto_resume: AgentProfile["auto_resume"] = "interrupted",
): Promise<TerminalAgent> {
  const home = join(cwd, "..", `home-${name}-${auto_resume}`);
  const { TERM: _dumb, ...env } = agentProfile(name, { home, modelUrl: model.url }).env;
  if (name === "claude") trust(home, cwd, env["ANTHROPIC_API_KEY"] ?? "");
  if (name === "opencode") hasPlugins(home);
  if (name === "codex")
    appendFileSync(join(home, ".codex", "config.toml"), `[projects."${cwd}"]\ntrust_level = "trusted"\n`);
  const {
    built_in,
    command,
    args = [],
  }: { built_in: string; command: string; args?: readonly string[] } = AGENTS[name];
  const { spec } = findBuiltIn(built_in) ?? {};
  if (!spec) throw new Error(`no built-in profile ${built_in}`);
  const profile = await system.client.profiles.create({
    ...spec,
    name: `${spec.agent_name} in its terminal (${auto_resume})`,
    command,
    args: [...args, ...spec.args],
    env,
    auto_resume,
  });
  return { profile, home };
}

/** The driver's own testing agent in its terminal: it says what it is told, and tells it as Claude Code's hooks do. */
export async function scriptedTerminal(
  system: System,
  name: string,
  auto_resume: AgentProfile["auto_resume"] = "never",
): Promise<AgentProfile> {
  const { spec } = findBuiltIn(AGENTS.claude.built_in) ?? {};
  if (!spec) throw new Error(`no built-in profile ${AGENTS.claude.built_in}`);
  return system.client.profiles.create({
    ...spec,
    name,
    command: NODE_BIN,
    args: [TESTING_AGENT],
    env: { HOME: system.folder(`home-${name}`) },
    auto_resume,
  });
}

/** As OpenCode leaves its folder once it has installed what its plugins may need: it would fetch that first. */
function hasPlugins(home: string): void {
  const folder = join(home, ".config", "opencode");
  mkdirSync(join(folder, "node_modules"), { recursive: true });
  const packages = { "": { dependencies: { "@opencode-ai/plugin": "1.18.33" } } };
  writeFileSync(join(folder, "package-lock.json"), JSON.stringify({ packages }));
}

/** As a person leaves it who has gone through its first start once. */
function trust(home: string, cwd: string, key: string): void {
  mkdirSync(home, { recursive: true });
  const known = {
    hasCompletedOnboarding: true,
    theme: "dark",
    customApiKeyResponses: { approved: [key.slice(-20)], rejected: [] },
    projects: { [cwd]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
  };
  writeFileSync(join(home, ".claude.json"), JSON.stringify(known));
  // It would ask first whether that is to be its default.
  const permissions = { defaultMode: "default", disableAutoMode: "disable" };
  writeFileSync(join(home, ".claude", "settings.json"), JSON.stringify({ permissions }, null, 2));
}
