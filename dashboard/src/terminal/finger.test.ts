import { expect, it } from "vitest";
import { fingerDown, fingerMoved, gliding, type Scrolled } from "./finger.ts";

const CELL = 20;

it("a finger moves the lines under it, and no part of its way gets lost", () => {
  let { finger, lines }: Scrolled = { finger: fingerDown(500, 0), lines: 0 };
  let all = 0;
  for (let y = 499; y >= 400; y--) {
    ({ finger, lines } = fingerMoved(finger, y, 500 - y, CELL));
    all += lines;
  }
  expect(all).toBe(5);
  expect(fingerMoved(finger, 460, 200, CELL).lines).toBe(-3);
});

it("thrown, it glides on in its direction, ever slower, and comes to rest", () => {
  let step: Scrolled | null = fingerMoved(fingerDown(500, 0), 460, 20, CELL);
  let all = 0;
  let last = Number.POSITIVE_INFINITY;
  for (let at = 36; at < 5_000 && step !== null; at += 16) {
    step = gliding(step.finger, at, CELL);
    if (step === null) break;
    expect(step.finger.speed).toBeLessThan(last);
    last = step.finger.speed;
    all += step.lines;
  }
  expect(step).toBeNull();
  expect(all).toBeGreaterThan(5);
});

it("one that was held still before it was lifted throws nothing", () => {
  let { finger } = fingerMoved(fingerDown(500, 0), 460, 20, CELL);
  for (let at = 40; at <= 200; at += 20) ({ finger } = fingerMoved(finger, 460, at, CELL));
  expect(gliding(finger, 216, CELL)).toBeNull();
});
