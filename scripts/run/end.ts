import { setTimeout as wait } from "node:timers/promises";
import { groupMembers } from "../../agentctl-remote/src/host/process.ts";
import { readPidFile, removePidFile } from "../lib/pid-file.ts";
import { startTimeOf } from "../lib/process-id.ts";
import { END_MS, LOOK_MS } from "./limits.ts";

/** A process that leads its own group, told from a later one of the same number by its start time. */
export interface Leader {
  pid: number;
  started: string;
}

/** @returns null when it is gone already */
export function leader(pid: number): Leader | null {
  const started = startTimeOf(pid);
  return started === null ? null : { pid, started };
}

export function isThere({ pid, started }: Leader): boolean {
  return startTimeOf(pid) === started;
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    // Gone in the meantime, which is what was wanted.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

async function within(ms: number, isGone: () => boolean): Promise<boolean> {
  const until = performance.now() + ms;
  while (!isGone()) {
    if (performance.now() > until) return false;
    await wait(LOOK_MS);
  }
  return true;
}

/**
 * Ends a process in order, and after a grace its whole group by force. The first signal goes to the leader alone: it
 * ends its children itself, in the order that it knows.
 */
export async function endLeader(who: Leader, graceMs: number = END_MS): Promise<void> {
  if (isThere(who)) signal(who.pid, "SIGTERM");
  if (await within(graceMs, () => !isThere(who))) return;
  await killLeader(who);
}

/** kill -9 for the leader and all of its group, and waits until all are gone: any of them may hold a port or a lock. */
export async function killLeader(who: Leader): Promise<void> {
  if (!isThere(who)) return;
  signal(-who.pid, "SIGKILL");
  if (!(await within(END_MS, () => groupMembers(who.pid).length === 0)))
    throw new Error(`Process ${who.pid} does not end, not even by SIGKILL.`);
}

/** Ends what a pid file names, if that very process still runs. @returns whether there was one */
export async function endByFile(file: string, graceMs: number = END_MS): Promise<boolean> {
  const pid = readPidFile(file);
  const who = pid === null ? null : leader(pid);
  if (who) await endLeader(who, graceMs);
  removePidFile(file);
  return who !== null;
}
