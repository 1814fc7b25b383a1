import { DEATH_GASP_MS } from "@reprise/protocol";
import { expect, it } from "vitest";
import { found, type LastEnd } from "./found.ts";
import type { Said } from "./said.ts";

const SHELL = 10;
const LAST: LastEnd = { token: "a", root: 20, at: 1_000 };
const BEGINS: Said = { type: "conversation", id: "a" };
const OTHER: Said = { type: "conversation", id: "b" };
/** Under what the shell started since (40). */
const SINCE = [42, 41, 40, SHELL, 1];
/** Of the process that ended, and of one that lost its parents. */
const OF_LAST = [22, 21, 20, SHELL, 1];
const ORPHAN = [22, 1];
const soon = LAST.at + DEATH_GASP_MS;
const later = soon + 1;

it.each<[string, Said, number[], number, LastEnd | null, number | null]>([
  ["a new conversation in the shell", OTHER, SINCE, soon, LAST, 40],
  ["the first one ever", OTHER, SINCE, soon, null, 40],
  ["the same conversation from a process that the shell started since", BEGINS, SINCE, soon, LAST, 40],
  ["a straggler of the last one", BEGINS, OF_LAST, soon, LAST, null],
  ["a straggler whose parents are gone", BEGINS, ORPHAN, soon, LAST, null],
  ["a straggler where the platform tells no parents", BEGINS, [22], soon, LAST, null],
  ["the same conversation later, where the platform tells no parents", BEGINS, [22], later, LAST, 22],
  ["another conversation where the platform tells no parents", OTHER, [22], soon, LAST, 22],
  ["an agent of another terminal", OTHER, [52, 51, 50, 1], later, LAST, null],
  ["a prompt of one whose beginning was missed", { type: "prompted", id: "b" }, SINCE, later, LAST, 40],
  ["a goodbye", { type: "goodbye", id: "b", reason: "other", explicit: false }, SINCE, later, LAST, null],
  ["a turn's end", { type: "turn_over", id: "b", outcome: "done", message: null }, SINCE, later, LAST, null],
])("R7: %s", (_what, said, chain, at, last, want) => {
  expect(found(said, chain, at, SHELL, last)).toBe(want);
});

it("R7: without a living shell nothing is found", () => {
  expect(found(OTHER, SINCE, later, null, LAST)).toBeNull();
});
