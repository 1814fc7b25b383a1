import { MAX_TITLE_CHARS } from "@reprise/protocol";
import { expect, it } from "vitest";
import { cleanTitle, NO_TITLE, retitled } from "./title.ts";

it.each([
  ["✳ Fix the login", "Fix the login"],
  ["⠂ Fix the login", "Fix the login"],
  ["⠐⠂ ✶ Fix the login", "Fix the login"],
  ["| Fix - the / login", "Fix - the / login"],
  ["/work/thing", "/work/thing"],
  ["-q is a flag", "-q is a flag"],
  ["a\u0007b\u202ec", "a b c"],
  ["⠂", "⠂"],
  ["  ", null],
  ["x".repeat(500), "x".repeat(MAX_TITLE_CHARS)],
])("a title %j is %j", (title, want) => {
  expect(cleanTitle(title)).toBe(want);
});

it("a title that changes all the time is told at once, then seldom, and the last one always", () => {
  const told: [number, string][] = [];
  let pace = NO_TITLE;
  let arm: number | null = null;
  const at = (now: number, title: string | null) => {
    const step = retitled(pace, title, now, 100);
    pace = step.pace;
    arm = step.arm;
    if (step.tell !== null) told.push([now, step.tell]);
  };
  at(10, "a");
  at(20, "a");
  at(30, "b");
  at(40, "c");
  expect(arm).toBe(110);
  at(110, null);
  at(120, "d");
  at(130, "c");
  expect(arm).toBeNull();
  at(300, "d");
  expect(told).toEqual([
    [10, "a"],
    [110, "c"],
    [300, "d"],
  ]);
});
