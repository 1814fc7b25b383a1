import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../../scripts/lib/net.ts";
import { DEFAULT_WAIT_MS, KEPT_OUTPUT_CHARS, KILL_WAIT_MS, LASTING_PORTS, POLL_MS } from "./limits.ts";

/**
 * Waits until `fn` gives a value that is neither false, null nor undefined, and returns it. Past the deadline it
 * throws, naming what was awaited and the last error that `fn` itself threw.
 */
export async function until<T>(
  fn: () => T | Promise<T>,
  { ms = DEFAULT_WAIT_MS, what }: { ms?: number; what: string },
): Promise<NonNullable<Exclude<T, false>>> {
  const deadline = Date.now() + ms;
  let last: unknown;
  for (;;) {
    try {
      const value = await fn();
      if (value !== false && value !== null && value !== undefined) return value as NonNullable<Exclude<T, false>>;
      last = undefined;
    } catch (error) {
      last = error;
    }
    if (Date.now() > deadline) {
      throw new Error(`not within ${ms} ms: ${what}${last === undefined ? "" : ` (last: ${String(last)})`}`);
    }
    await sleep(POLL_MS);
  }
}

/** A process that leads its own group, with what it has printed. */
export type Group = {
  readonly pid: number;
  readonly child: ChildProcess;
  readonly output: () => string;
  /** Resolves when it ends, however it ends. */
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** Kills the whole group and waits until its leader is gone. */
  kill(signal?: NodeJS.Signals): Promise<void>;
};

/** Starts a program in a process group of its own, so that all of it can be killed and nothing else is. */
export async function spawnGroup(
  command: string,
  args: readonly string[],
  options: Pick<SpawnOptions, "cwd" | "env" | "stdio"> = {},
): Promise<Group> {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], ...options, detached: true });
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once("exit", (code, signal) => resolve({ code, signal }));
  });
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", (error) => reject(new Error(`could not start ${command}: ${error.message}`)));
  });
  const pid = child.pid;
  if (pid === undefined) throw new Error(`${command} started without a pid`);
  let printed = "";
  const keep = (chunk: Buffer) => {
    printed = (printed + chunk.toString("utf8")).slice(-KEPT_OUTPUT_CHARS);
  };
  child.stderr?.on("data", keep);
  // stdout of an agent is its protocol and has a reader of its own; then only stderr is kept.
  if (child.stdin === null) child.stdout?.on("data", keep);
  return {
    pid,
    child,
    output: () => printed,
    exited,
    async kill(signal = "SIGKILL") {
      killGroup(pid, signal);
      if (signal === "SIGKILL") await until(() => !alive(pid), { ms: KILL_WAIT_MS, what: `${command} ${pid} to die` });
    },
  };
}

/** Sends a signal to one process. False: there is none. */
export function killPid(pid: number, signal: NodeJS.Signals = "SIGKILL"): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch (error) {
    if (isErrno(error, "ESRCH")) return false;
    throw error;
  }
}

/** Sends a signal to a whole process group. False: there is none. */
export function killGroup(pgid: number, signal: NodeJS.Signals = "SIGKILL"): boolean {
  return killPid(-pgid, signal);
}

/** What /proc says about a process; undefined when there is none. */
export type ProcessInfo = {
  readonly pid: number;
  readonly ppid: number;
  readonly pgid: number;
  /** Who leads its process session: in a terminal, the shell. */
  readonly sid: number;
  readonly state: string;
  readonly command: string;
};

/** Reads one process from /proc. */
export function processInfo(pid: number): ProcessInfo | undefined {
  const stat = readProc(pid, "stat");
  if (stat === undefined) return undefined;
  // The name stands in parentheses and may itself contain some; the fields begin after the last one.
  const [state = "", ppid, pgid, sid] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const command = (readProc(pid, "cmdline") ?? "").split("\0").join(" ").trim();
  return { pid, ppid: Number(ppid), pgid: Number(pgid), sid: Number(sid), state, command };
}

/** Alive, and no zombie: a zombie answers signals although it runs nothing. */
export function alive(pid: number): boolean {
  const info = processInfo(pid);
  return info !== undefined && info.state !== "Z" && info.state !== "X";
}

/** Every process that can be read now. */
export function allProcesses(): ProcessInfo[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.map((name) => processInfo(Number(name))).filter((info) => info !== undefined);
}

/** Children, their children and so on, of one process, living ones only. */
export function descendants(pid: number): ProcessInfo[] {
  const all = allProcesses().filter((info) => info.state !== "Z");
  const found: ProcessInfo[] = [];
  for (let wanted = [pid]; wanted.length > 0; ) {
    const next = all.filter((info) => wanted.includes(info.ppid));
    found.push(...next);
    wanted = next.map((info) => info.pid);
  }
  return found;
}

/** Living processes that have `NAME=value` in the environment they were started with. */
export function findByEnv(name: string, value: string): ProcessInfo[] {
  const marker = `${name}=${value}`;
  return allProcesses().filter((info) => info.state !== "Z" && environmentOf(info.pid).includes(marker));
}

/**
 * A loopback port for a server that a test kills and starts again. The kernel hands ports over 32767 to whatever dials
 * out, so one of these may be somebody else's by the time that its server comes back.
 */
export async function lastingPort(): Promise<number> {
  for (;;) {
    const port = randomInt(LASTING_PORTS.from, LASTING_PORTS.to);
    if ((await freePort(port)) === port) return port;
  }
}

/** What a process was started with, as `NAME=value` each; empty when it is gone. */
export function environmentOf(pid: number): string[] {
  return readProc(pid, "environ")?.split("\0") ?? [];
}

function readProc(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch (error) {
    // It ended while we looked, or it is another user's: both mean that it is not one of ours.
    if (isErrno(error, "ENOENT") || isErrno(error, "ESRCH") || isErrno(error, "EACCES")) return undefined;
    throw error;
  }
}

function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
