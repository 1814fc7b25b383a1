import { readFileSync } from "node:fs";
import { z } from "zod";
import { endForeignGroup } from "../drivers/group.ts";
import { type ProcessIdentity, sessionGroups, signalGroup } from "../host/process.ts";
import { writeWhole } from "../host/spawn.ts";
import { DEATH_POLL_MS, SHELL_GRACE_MS } from "../limits.ts";

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * End all that runs in a shell's process session: a shell with job control gives each of its jobs a group of its own, so
 * one group is not enough (X6). What has left the session on purpose (a daemon, a tmux server) lives on, as it would
 * after any terminal is closed.
 */
export async function endShell(sid: number): Promise<void> {
  const start = Date.now();
  for (const group of sessionGroups(sid)) {
    signalGroup(group, "SIGHUP");
    // A stopped job takes no notice otherwise.
    signalGroup(group, "SIGCONT");
  }
  for (let groups = sessionGroups(sid); groups.length > 0; groups = sessionGroups(sid)) {
    if (Date.now() - start > SHELL_GRACE_MS) for (const group of groups) signalGroup(group, "SIGKILL");
    await wait(DEATH_POLL_MS);
  }
}

const Left = z.array(z.object({ pid: z.number().int(), start_time: z.string().nullable(), boot_id: z.string() }));

/** Noted on disk for the next host, should this one die without a word. */
export function noteShells(file: string, shells: readonly ProcessIdentity[]): void {
  writeWhole(file, JSON.stringify(shells));
}

/** End what the shells of a host that died have left. */
export async function endLeftShells(
  file: string,
  now: { boot_id: string; startTimeOf: (pid: number) => string | null },
  log: (message: string) => void,
): Promise<void> {
  const left = Left.safeParse(readNote(file));
  if (!left.success) return;
  for (const shell of left.data) {
    if (shell.boot_id !== now.boot_id) continue;
    const present = now.startTimeOf(shell.pid);
    // Its number went to another process, which can only be once nobody of its session is left.
    if (present !== null && shell.start_time !== null && present !== shell.start_time) continue;
    await endForeignGroup(shell, now, log);
    await endShell(shell.pid);
  }
}

function readNote(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    // There never was one, or it was cut in the middle: nothing is known of any shell.
    return null;
  }
}
