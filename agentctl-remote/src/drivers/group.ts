import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { groupMembers, type ProcessIdentity, signalGroup } from "../host/process.ts";
import { DEATH_POLL_MS, KILL_GRACE_MS, KILL_REPORT_MS, STDERR_TAIL_CHARS } from "../limits.ts";

export type AgentChild = ChildProcessByStdio<Writable, Readable, Readable>;

/** Keeps the end of what a stream says. */
export function tailOf(stream: Readable): () => string {
  let tail = "";
  stream.setEncoding("utf8");
  stream.on("data", (chunk: string) => {
    tail = (tail + chunk).slice(-STDERR_TAIL_CHARS);
  });
  return () => tail;
}

/** Start a program as the leader of a process group (and session) of its own, so that all of it can be ended (X6). */
export function spawnLeader(
  command: string,
  args: readonly string[],
  options: { cwd: string; env: Readonly<Record<string, string>> },
): AgentChild {
  return spawn(command, args, { ...options, detached: true, stdio: ["pipe", "pipe", "pipe"] });
}

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * End a process group, SIGTERM first, and return once nobody of it is left but zombies. A group stuck in the kernel is
 * waited for without end, because nothing else may start before (R3).
 */
export async function endGroup(
  pgid: number,
  log: (message: string) => void,
  graceMs: number = KILL_GRACE_MS,
): Promise<void> {
  const start = Date.now();
  let reported = false;
  let signal: NodeJS.Signals = "SIGTERM";
  signalGroup(pgid, signal);
  while (groupMembers(pgid).length > 0) {
    const passed = Date.now() - start;
    if (passed > graceMs) {
      signal = "SIGKILL";
      // Each time: a member may have been forked between two looks.
      signalGroup(pgid, signal);
    }
    if (passed > KILL_REPORT_MS && !reported) {
      reported = true;
      log(`Process group ${pgid} is still there after SIGKILL.`);
    }
    await wait(DEATH_POLL_MS);
  }
}

/**
 * End what an agent's group may have left after its host died. The leader's start time tells whether the group is still
 * that agent's; when the leader is gone, a group of its number can only be the remains of it, for the kernel gives no
 * process a number that a living group has.
 */
export async function endForeignGroup(
  agent: ProcessIdentity,
  now: { boot_id: string; startTimeOf: (pid: number) => string | null },
  log: (message: string) => void,
): Promise<void> {
  if (agent.boot_id !== now.boot_id) return;
  const present = now.startTimeOf(agent.pid);
  if (present !== null && agent.start_time !== null && present !== agent.start_time) return;
  await endGroup(agent.pid, log);
}
