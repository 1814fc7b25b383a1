import { existsSync } from "node:fs";
import { userInfo } from "node:os";
import { basename } from "node:path";

/** Shells that know `-l`: as a login shell they find the PATH that their owner has set up, whatever started the daemon. */
const LOGIN = new Set(["bash", "zsh", "fish", "sh", "dash", "ash", "ksh"]);

/** The person's own shell. */
export function shellCommand(env: NodeJS.ProcessEnv = process.env): { file: string; args: string[] } {
  const file =
    [env["SHELL"], userInfo().shell, "/bin/bash", "/bin/sh"].find((path) => path && existsSync(path)) ?? "/bin/sh";
  return { file, args: LOGIN.has(basename(file)) ? ["-l"] : [] };
}

/** The daemon's environment without what is ours or npm's, as a terminal's: somebody sits at it, whatever `CI` says. */
export function shellEnv(env: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const kept = Object.entries(env).flatMap(([name, value]): [string, string][] =>
    value === undefined ||
    /^(REPRISE_|npm_|CI$|CONTINUOUS_INTEGRATION$|INIT_CWD$|NODE_OPTIONS$|TMUX|STY$|COLUMNS$|LINES$|NO_COLOR$)/.test(
      name,
    )
      ? []
      : [[name, value]],
  );
  return { LANG: "C.UTF-8", ...Object.fromEntries(kept), TERM: "xterm-256color", COLORTERM: "truecolor" };
}
