import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import { createInterface } from "node:readline";
import { CHILD_GRACE_MS, KEPT_OUTPUT_CHARS } from "./limits.ts";

/** How a child's output is shown: as it is, never unless asked for, or each line after a name. */
type Output = { kind: "inherit" } | { kind: "capture" } | { kind: "prefix"; prefix: string };

export interface RunOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  output?: Output;
  /** Where prefixed lines go. */
  write?: (line: string) => void;
}

export interface RunResult {
  /** The exit status, or 128 and the signal's number as a shell says it. */
  code: number;
  /** Both streams in order of arrival; empty unless captured. */
  output: string;
}

export interface Running {
  child: ChildProcess;
  done: Promise<RunResult>;
}

/** Every child of this process that still runs, so that a signal can end them all. */
const running = new Set<ChildProcess>();

function statusOf(code: number | null, signal: NodeJS.Signals | null): number {
  return code ?? 128 + (signal ? constants.signals[signal] : 0);
}

/** Keeps the end of a text that may grow without bound. */
export function keepEnd(text: string, limit: number = KEPT_OUTPUT_CHARS): string {
  return text.length <= limit ? text : `[...]\n${text.slice(-limit)}`;
}

/** Starts a child in its own process group, with its output shown as asked. It reads nothing. */
export function start(command: string, args: readonly string[], options: RunOptions = {}): Running {
  const output = options.output ?? { kind: "inherit" };
  const pipe = output.kind === "inherit" ? "inherit" : "pipe";
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: options.env ?? process.env,
    stdio: ["ignore", pipe, pipe],
    detached: true,
  });
  running.add(child);
  let kept = "";
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue;
    if (output.kind === "prefix") {
      const write = options.write ?? ((line: string) => process.stdout.write(`${line}\n`));
      createInterface({ input: stream }).on("line", (line) => write(`${output.prefix}${line}`));
    } else {
      stream.setEncoding("utf8").on("data", (text: string) => {
        kept = keepEnd(kept + text);
      });
    }
  }
  const done = new Promise<RunResult>((resolve, reject) => {
    child.once("error", (error) => {
      running.delete(child);
      reject(error);
    });
    child.once("close", (code, signal) => {
      running.delete(child);
      resolve({ code: statusOf(code, signal), output: kept });
    });
  });
  return { child, done };
}

/** Runs a child to its end. */
export function run(command: string, args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  return start(command, args, options).done;
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    // The group ended by itself in the meantime, which is what was wanted.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Ends a child and all that it started: SIGTERM, then after a grace SIGKILL. */
export async function stop(child: ChildProcess, graceMs: number = CHILD_GRACE_MS): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  signalGroup(child, "SIGTERM");
  const timer = setTimeout(() => signalGroup(child, "SIGKILL"), graceMs);
  await gone;
  clearTimeout(timer);
}

/** Makes a signal to this process end its children first, then itself with the status that tells of it. */
export function endChildrenOnSignals(): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => {
      void Promise.all([...running].map((child) => stop(child))).then(() => process.exit(statusOf(null, signal)));
    });
  }
}
