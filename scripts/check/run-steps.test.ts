import { expect, it } from "vitest";
import { ROOT } from "../lib/paths.ts";
import { runSteps } from "./run-steps.ts";
import { checkSteps } from "./steps.ts";

const named = (name: string, after?: string[]) => ({ name, command: name, args: [], ...(after ? { after } : {}) });

it("shows a step's output only if it failed, and goes on with the others", async () => {
  const lines: string[] = [];
  const results = await runSteps(
    [named("a"), named("b")],
    async ({ name }) => ({ code: name === "a" ? 1 : 0, output: `words of ${name}` }),
    (line) => lines.push(line),
  );
  expect(results.map(({ passed }) => passed)).toEqual([false, true]);
  expect(lines.join("\n")).toContain("words of a");
  expect(lines.join("\n")).not.toContain("words of b");
});

it("runs a step after the one it needs, and not at all when that failed", async () => {
  const order: string[] = [];
  const results = await runSteps(
    [named("late", ["early"]), named("early"), named("never", ["late"])],
    async ({ name }) => {
      order.push(name);
      return { code: name === "late" ? 2 : 0, output: "" };
    },
    () => undefined,
  );
  expect(order).toEqual(["early", "late"]);
  expect(results.map(({ passed }) => passed)).toEqual([false, true, false]);
});

it("runs two steps at a time", async () => {
  let active = 0;
  let most = 0;
  await runSteps(
    ["a", "b", "c", "d"].map((name) => named(name)),
    async () => {
      most = Math.max(most, ++active);
      await Promise.resolve();
      active--;
      return { code: 0, output: "" };
    },
    () => undefined,
  );
  expect(most).toBe(2);
});

it("covers types, lint, unused code, arrows and length", () => {
  const names = checkSteps(ROOT).map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining([
      "types: protocol",
      "lint and format",
      "unused code",
      "dependency directions",
      "file length",
    ]),
  );
});
