import { existsSync, mkdirSync, renameSync } from "node:fs";
import { basename, join } from "node:path";
import type { SessionPaths } from "../host/paths.ts";
import { writeWhole } from "../host/spawn.ts";

/** What the daemon keeps of a session for itself, in a folder that containers get read-only. */
export function writeOwn(paths: SessionPaths, file: string, content: unknown): void {
  mkdirSync(paths.own, { recursive: true, mode: 0o700 });
  writeWhole(file, JSON.stringify(content));
}

/** A daemon of an earlier version kept the same files beside everything else. Moved once, never looked for there again. */
export function moveToOwn(paths: SessionPaths): void {
  if (existsSync(paths.own)) return;
  mkdirSync(paths.own, { recursive: true, mode: 0o700 });
  for (const file of [paths.tombstone, paths.workspaceFile, paths.containerFile]) {
    const before = join(paths.dir, basename(file));
    if (existsSync(before)) renameSync(before, file);
  }
}
