import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { AGENTS_BIN, NODE_BIN } from "./install.ts";

/** The real agents that tests can run. */
export const AGENT_NAMES = ["claude", "codex", "opencode", "gemini"] as const;
export type AgentName = (typeof AGENT_NAMES)[number];

/** How one real agent is started so that it talks to the stand-in and to nothing else. */
export type AgentProfile = {
  readonly name: AgentName;
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment: nothing of the test's own leaks in. */
  readonly env: Readonly<Record<string, string>>;
};

/** Where an agent finds its files and the model. */
export type Place = { readonly home: string; readonly modelUrl: string };

const KEY = "sk-stand-in-0000000000000000";

/** Writes the agent's configuration into `home` and says how to start it. */
export function agentProfile(name: AgentName, place: Place): AgentProfile {
  mkdirSync(place.home, { recursive: true });
  switch (name) {
    case "claude":
      return claude(place);
    case "codex":
      return codex(place);
    case "opencode":
      return opencode(place);
    case "gemini":
      return gemini(place);
  }
}

function baseEnv({ home }: Place): Record<string, string> {
  return {
    HOME: home,
    PATH: [AGENTS_BIN, dirname(NODE_BIN), process.env.PATH ?? ""].join(":"),
    LANG: "C.UTF-8",
    TERM: "dumb",
    SHELL: "/bin/bash",
    TMPDIR: makeDir(join(home, "tmp")),
    XDG_CONFIG_HOME: makeDir(join(home, ".config")),
    XDG_DATA_HOME: makeDir(join(home, ".local/share")),
    XDG_STATE_HOME: makeDir(join(home, ".local/state")),
    XDG_CACHE_HOME: makeDir(join(home, ".cache")),
  };
}

function claude(place: Place): AgentProfile {
  const env = {
    ...baseEnv(place),
    ANTHROPIC_BASE_URL: place.modelUrl,
    ANTHROPIC_API_KEY: KEY,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    // Claude Code refuses some modes as root unless it is told that this is a sandbox.
    IS_SANDBOX: "1",
  };
  // Without this it starts in mode "auto", in which the model decides about approvals and the person is not asked.
  writeJson(join(place.home, ".claude/settings.json"), { permissions: { defaultMode: "default" } });
  return { name: "claude", command: join(AGENTS_BIN, "claude-agent-acp"), args: [], env };
}

function codex(place: Place): AgentProfile {
  const codexHome = makeDir(join(place.home, ".codex"));
  const config = [
    // A model name it knows: of an unknown one it warns in every turn.
    'model = "gpt-6.1-sol"',
    'model_provider = "standin"',
    "[model_providers.standin]",
    'name = "stand-in"',
    `base_url = "${place.modelUrl}/v1"`,
    'wire_api = "responses"',
    'env_key = "STANDIN_API_KEY"',
  ];
  write(join(codexHome, "config.toml"), `${config.join("\n")}\n`);
  const env = {
    ...baseEnv(place),
    CODEX_HOME: codexHome,
    STANDIN_API_KEY: KEY,
    // Its default, "agent", lets the model decide about approvals, and the person is not asked.
    INITIAL_AGENT_MODE: "workspace-write",
  };
  return { name: "codex", command: join(AGENTS_BIN, "codex-acp"), args: [], env };
}

function opencode(place: Place): AgentProfile {
  const env = {
    ...baseEnv(place),
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_MODELS_FETCH: "1",
  };
  writeJson(join(place.home, ".config/opencode/opencode.json"), {
    model: "standin/stand-in",
    small_model: "standin/stand-in",
    autoupdate: false,
    share: "disabled",
    permission: { bash: "ask", edit: "ask" },
    provider: {
      standin: {
        npm: "@ai-sdk/openai-compatible",
        name: "stand-in",
        options: { baseURL: `${place.modelUrl}/v1`, apiKey: KEY },
        models: { "stand-in": { name: "stand-in", tool_call: true } },
      },
    },
  });
  return { name: "opencode", command: join(AGENTS_BIN, "opencode"), args: ["acp"], env };
}

function gemini(place: Place): AgentProfile {
  const env = {
    ...baseEnv(place),
    GEMINI_API_KEY: KEY,
    GOOGLE_GEMINI_BASE_URL: place.modelUrl,
  };
  writeJson(join(place.home, ".gemini/settings.json"), {
    security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
    general: { disableAutoUpdate: true, enableAutoUpdate: false },
  });
  // Without -m a router model is asked first.
  return { name: "gemini", command: join(AGENTS_BIN, "gemini"), args: ["--acp", "-m", "gemini-2.5-pro"], env };
}

function makeDir(path: string): string {
  mkdirSync(path, { recursive: true });
  return path;
}

function write(path: string, text: string): void {
  makeDir(dirname(path));
  writeFileSync(path, text);
}

function writeJson(path: string, value: unknown): void {
  write(path, `${JSON.stringify(value, null, 2)}\n`);
}
