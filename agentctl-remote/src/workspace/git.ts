import { execFile } from "node:child_process";
import { GIT_OUTPUT_BYTES } from "../limits.ts";

export interface GitResult {
  ok: boolean;
  stdout: string;
  /** It said more than is kept: `stdout` is the beginning. */
  cut: boolean;
  /** What git said, or why it could not be asked. */
  message: string;
}

/** Ask git one question, bounded in time; never asks back (no prompts, no pager, no optional locks). */
export function git(
  cwd: string,
  args: readonly string[],
  limitMs: number,
  env: Readonly<Record<string, string>> = {},
): Promise<GitResult> {
  return new Promise((resolve) => {
    execFile(
      "git",
      ["-c", "core.fsmonitor=false", ...args],
      {
        cwd,
        timeout: limitMs,
        killSignal: "SIGKILL",
        maxBuffer: GIT_OUTPUT_BYTES,
        env: {
          ...process.env,
          ...env,
          GIT_TERMINAL_PROMPT: "0",
          GIT_OPTIONAL_LOCKS: "0",
          GIT_PAGER: "cat",
          LC_ALL: "C",
        },
      },
      (error, stdout, stderr) => {
        if (!error) return resolve({ ok: true, stdout, cut: false, message: "" });
        if (error.code === "ENOENT")
          return resolve({ ok: false, stdout: "", cut: false, message: "git isn't installed there." });
        const cut = String(error.code) === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER";
        const said = stderr.trim().split("\n").at(-1) ?? "";
        const message = error.killed ? `git took over ${limitMs / 1000} s.` : said || error.message;
        return resolve({ ok: false, stdout, cut, message });
      },
    );
  });
}
