import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { WorkspaceSpec } from "@reprise/protocol";
import { z } from "zod";
import { sessionPaths } from "../host/paths.ts";
import { readJson, readSessionFile } from "./known.ts";
import { writeOwn } from "./own.ts";

/** Written before anything of a session is ended, so that a killed daemon goes on with it (T5). */
export const Tombstone = z.object({ command_id: z.string(), remove_worktree: z.boolean() });
export type Tombstone = z.infer<typeof Tombstone>;

export function writeTombstone(dir: string, tombstone: Tombstone): void {
  const paths = sessionPaths(dir);
  if (existsSync(dir)) writeOwn(paths, paths.tombstone, tombstone);
}

export function isTornDown(dir: string): boolean {
  return existsSync(sessionPaths(dir).tombstone);
}

/** @returns what was ordered; of a damaged tombstone the order that removes least */
export function readTombstone(dir: string): Tombstone {
  const parsed = Tombstone.safeParse(readJson(sessionPaths(dir).tombstone));
  return parsed.success ? parsed.data : { command_id: "unknown", remove_worktree: false };
}

export function writeWorkspace(dir: string, spec: WorkspaceSpec): void {
  const paths = sessionPaths(dir);
  writeOwn(paths, paths.workspaceFile, spec);
}

/** @returns null when this session never had one here */
export function readWorkspace(dir: string): WorkspaceSpec | null {
  const parsed = WorkspaceSpec.safeParse(readJson(sessionPaths(dir).workspaceFile));
  return parsed.success ? parsed.data : null;
}

/** The folder that a session works in, as this machine knows it; null when it never had one here. */
export function workspaceOf(dir: string): string | null {
  return readWorkspace(dir)?.cwd ?? readSessionFile(sessionPaths(dir))?.workspace ?? null;
}

/** The last step: nothing of the session is left on this node. */
export async function removeSessionDir(dir: string): Promise<void> {
  await rm(dir, { recursive: true, force: true });
}
