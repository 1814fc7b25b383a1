import { homedir } from "node:os";
import { join } from "node:path";

/** The environment that an agent starts in. */
export type Env = Readonly<Record<string, string | undefined>>;

/** The home that an environment names: everything of an agent's lies there, and our note of its hooks. */
export function homeOf(env: Env): string {
  return env["HOME"] || homedir();
}

/** Where agents keep their user's settings, and their conversations. */
export const FOLDERS = {
  claude: (env: Env) => env["CLAUDE_CONFIG_DIR"] || join(homeOf(env), ".claude"),
  codex: (env: Env) => env["CODEX_HOME"] || join(homeOf(env), ".codex"),
  gemini: (env: Env) => join(env["GEMINI_CLI_HOME"] || homeOf(env), ".gemini"),
  opencode: (env: Env) => join(env["XDG_CONFIG_HOME"] || join(homeOf(env), ".config"), "opencode"),
} as const;
