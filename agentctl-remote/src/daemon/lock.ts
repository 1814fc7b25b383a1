import { readFileSync } from "node:fs";
import { z } from "zod";
import { bootId, isAlive, startTimeOf } from "../host/process.ts";
import { writeWhole } from "../host/spawn.ts";
import type { StatePaths } from "./paths.ts";

const LockFile = z.object({
  pid: z.number().int(),
  start_time: z.string().nullable(),
  boot_id: z.string(),
});
export type LockHolder = z.infer<typeof LockFile>;

/**
 * Who holds the state folder (N6): a live daemon, or null. A file whose process is gone, or is another one of the same
 * number, or of another boot, is stale.
 */
export function lockHolder(paths: StatePaths): LockHolder | null {
  let text: string;
  try {
    text = readFileSync(paths.lock, "utf8");
  } catch {
    // No file, no holder.
    return null;
  }
  const holder = LockFile.safeParse(safeJson(text));
  if (!holder.success) return null;
  return isAlive(holder.data, bootId()) ? holder.data : null;
}

function safeJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A file cut in the middle is stale like any other that names nobody.
    return null;
  }
}

/**
 * Writes our name on the lock. The race between two that start at once is decided by the journal's exclusive lock,
 * which the kernel frees with its process; this file is for words and for `agentctl status`.
 */
export function takeLock(paths: StatePaths): void {
  writeWhole(paths.lock, JSON.stringify({ pid: process.pid, start_time: startTimeOf(process.pid), boot_id: bootId() }));
}
