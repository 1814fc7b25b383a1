import { expect, it } from "vitest";
import { lengthProblems, MAX_LINES } from "./length.ts";

const long = { path: "worker/src/a.ts", lines: MAX_LINES + 1 };

it("names a code file over the limit, and no file at it", () => {
  expect(lengthProblems([long, { path: "worker/src/b.ts", lines: MAX_LINES }], {})).toEqual([
    "worker/src/a.ts has 351 lines; 350 is the most. Split it by subject.",
  ]);
});

it("lets generated code, prose and listed exceptions be longer", () => {
  const files = [
    long,
    { path: "drizzle/0000_a.ts", lines: 900 },
    { path: "dashboard/src/icons.gen.ts", lines: 900 },
    { path: "SPEC.md", lines: 900 },
  ];
  expect(lengthProblems(files, { [long.path]: "a state machine" })).toEqual([]);
});

it("wants an exception gone that nothing needs", () => {
  expect(lengthProblems([], { "worker/src/a.ts": "a state machine" })[0]).toContain("needs no exception any more");
});
