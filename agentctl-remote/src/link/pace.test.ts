import { expect, it } from "vitest";
import { batchSize, postDelay } from "./pace.ts";

const limits = { gatherMs: 250, busyMs: 1_000, idleMs: 3_000, busyForMs: 30_000 };

it("N3: what waits goes at once, together; else as often as something goes on", () => {
  expect(postDelay(true, 0, limits)).toBe(250);
  expect(postDelay(true, 1e9, limits)).toBe(250);
  expect(postDelay(false, 0, limits)).toBe(1_000);
  expect(postDelay(false, 30_000, limits)).toBe(3_000);
});

it("N3: a POST takes what fits, in order, and never nothing", () => {
  const sized = (...sizes: number[]) => sizes.map((bytes) => ({ bytes }));
  expect(batchSize([], 3, 100)).toBe(0);
  expect(batchSize(sized(60, 60), 3, 100)).toBe(1);
  expect(batchSize(sized(500, 1), 3, 100)).toBe(1);
  expect(batchSize(sized(1, 1, 1, 1), 3, 100)).toBe(3);
});
