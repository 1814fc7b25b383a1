import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "@reprise/protocol";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Journal, JournalBusy } from "./journal.ts";

let dir = "";
let journal: Journal;
const path = () => join(dir, "commands.db");
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "journal-"));
  journal = new Journal(path());
});
afterEach(() => {
  journal.close();
  rmSync(dir, { recursive: true, force: true });
});

const teardown = (n: number): Command => ({
  type: "teardown",
  command_id: `cmd_${n}`,
  session_id: `ses_000${n}`,
  remove_worktree: false,
});

it("R3: a command is new once, also after a restart", () => {
  expect(journal.receive(1, teardown(1), 5)).toBe(true);
  expect(journal.receive(1, teardown(1), 6)).toBe(false);
  journal.close();
  journal = new Journal(path());
  expect(journal.receive(1, teardown(1), 7)).toBe(false);
  expect(journal.open().map((entry) => entry.command)).toEqual([teardown(1)]);
});

it("N6: a second daemon on the same state folder is refused", () => {
  expect(() => new Journal(path())).toThrow(JournalBusy);
});

it("T3: the last number is below every command that has not had its effect", () => {
  expect(journal.lastSeq()).toBe(0);
  for (const n of [1, 2, 3]) journal.receive(n, teardown(n), n);
  expect(journal.lastSeq()).toBe(0);
  journal.mark("cmd_1", "done", null, 10);
  journal.mark("cmd_3", "failed", { code: "internal", message: "no" }, 10);
  expect(journal.lastSeq()).toBe(1);
  journal.mark("cmd_2", "handed", null, 10);
  expect(journal.lastSeq()).toBe(1);
  journal.mark("cmd_2", "done", null, 10);
  expect(journal.lastSeq()).toBe(3);
  journal.prune(11);
  expect(journal.lastSeq()).toBe(3);
  expect(journal.get("cmd_1")).toBeNull();
});

it("T5: results of late are told again, with their failure; a torn down session is known", () => {
  journal.receive(1, teardown(1), 1);
  journal.mark("cmd_1", "failed", { code: "internal", message: "no" }, 10);
  expect(journal.resultsSince(11)).toEqual([]);
  expect(journal.resultsSince(10)).toMatchObject([{ id: "cmd_1", failure: { code: "internal" } }]);
  expect(journal.tornDown("ses_0001")).toBe(true);
  expect(journal.tornDown("ses_0002")).toBe(false);
});
