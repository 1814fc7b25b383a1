import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { sessionPaths } from "../host/paths.ts";
import { moveToOwn } from "./own.ts";
import { isTornDown, readTombstone, readWorkspace, writeTombstone, writeWorkspace } from "./tombstone.ts";

let dir = "";
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "own-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const SPEC = { cwd: "/w/here", worktree: null };
const ORDER = { command_id: "cmd_1", remove_worktree: true };

it("S4: what a daemon of an earlier version kept is taken over once", () => {
  writeFileSync(join(dir, "workspace.json"), JSON.stringify(SPEC));
  writeFileSync(join(dir, "tombstone"), JSON.stringify(ORDER));
  moveToOwn(sessionPaths(dir));
  expect(readWorkspace(dir)).toEqual(SPEC);
  expect(readTombstone(dir)).toEqual(ORDER);
  expect(existsSync(join(dir, "workspace.json"))).toBe(false);
});

it("S4, T5: what somebody in a container lays beside it is never gone by", () => {
  writeWorkspace(dir, SPEC);
  writeFileSync(join(dir, "workspace.json"), JSON.stringify({ cwd: "/etc", worktree: null }));
  writeFileSync(join(dir, "tombstone"), JSON.stringify(ORDER));
  moveToOwn(sessionPaths(dir));
  expect(readWorkspace(dir)).toEqual(SPEC);
  expect(isTornDown(dir)).toBe(false);
  writeTombstone(dir, { ...ORDER, remove_worktree: false });
  expect(readTombstone(dir).remove_worktree).toBe(false);
});
