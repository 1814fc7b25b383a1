import { mkdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { terminalCommandLine } from "@reprise/protocol";
import type { Launch } from "../../host/core/types.ts";
import { EXECUTION_VARIABLE } from "../../host/marked.ts";
import type { SessionPaths } from "../../host/paths.ts";
import { writeWhole } from "../../host/spawn.ts";
import { MAX_ARGV_PROMPT_BYTES } from "../../limits.ts";
import type { Program } from "../../terminal/life.ts";
import { shellCommand, shellEnv } from "../../terminal/shell.ts";
import { reportScript, runScript, shellLine } from "./core/script.ts";

export interface Prepared {
  program: Program;
  /** Its presence lets the agent run. */
  go: string;
  /** The prompt that its command line does not carry. */
  unsaid: string | null;
}

/** The variables of a terminal agent's shell, so that what its person starts there later has them, too. */
export function agentEnv(launch: Launch, paths: SessionPaths): Record<string, string> {
  return {
    ...shellEnv(),
    ...launch.spec.env,
    REPRISE_REPORT: paths.reportScript,
    REPRISE_REPORTS: paths.reports,
  };
}

/**
 * Write what one start of a terminal agent needs: its wrapper, and what its hooks call.
 * @returns null when it is to resume and nobody knows how (R1)
 */
export function prepare(launch: Launch, paths: SessionPaths): Prepared | null {
  const { spec, how, command_id: execution_id } = launch;
  const text = launch.prompt?.text ?? null;
  const fits = text !== null && Buffer.byteLength(text) <= MAX_ARGV_PROMPT_BYTES;
  const token = how.type === "resume" ? how.token : null;
  const start = { token, prompt: fits ? text : null };
  const words = terminalCommandLine(spec, start);
  const bare = terminalCommandLine(spec, { token, prompt: null });
  if (words === null || bare === null) return null;
  const carried = words.length > bare.length;

  // Those of earlier starts: their agents are dead.
  rmSync(paths.runs, { recursive: true, force: true });
  mkdirSync(paths.runs, { recursive: true, mode: 0o700 });
  const run = join(paths.runs, `${execution_id}.sh`);
  const go = join(paths.runs, `${execution_id}.go`);
  const { reports } = paths;
  // Whatever became of it: without it nothing would be heard of this one.
  mkdirSync(reports, { recursive: true, mode: 0o700 });
  writeWhole(run, runScript({ execution_id, words, env: spec.env, reports, go, host_pid: process.pid }));
  writeWhole(paths.reportScript, reportScript(reports, spec.agent_kind), 0o700);
  const program = { ...startedBy(run, execution_id), cwd: launch.workspace.cwd, env: agentEnv(launch, paths) };
  return { program, go, unsaid: carried ? null : text };
}

/** An agent is over, or was never let go: its wrapper, if it still waits, gives up, and its words and variables go. */
export function discard(launch: Launch, paths: SessionPaths): void {
  for (const ending of ["sh", "go"]) rmSync(join(paths.runs, `${launch.command_id}.${ending}`), { force: true });
}

/** Shells that take `-l -i -c`, and quote as `sh` does. */
const ASKED = new Set(["bash", "zsh", "fish", "sh", "dash", "ash", "ksh"]);

/** The person's shell with its start-up files, so that the agent has their PATH; another kind of shell comes after. */
function startedBy(run: string, id: string): Pick<Program, "file" | "args"> {
  const { file, args } = shellCommand();
  const known = ASKED.has(basename(file));
  const line = shellLine(run, { variable: EXECUTION_VARIABLE, id }, known ? [file, "-l", "-i"] : [file, ...args]);
  return known ? { file, args: ["-l", "-i", "-c", line] } : { file: "/bin/sh", args: ["-l", "-c", line] };
}
