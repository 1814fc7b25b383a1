import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { SLEEP_TICK_MS } from "../limits.ts";
import { watchSleep } from "./sleep.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
});
afterEach(() => {
  vi.useRealTimers();
});

it("N4: a clock that jumped over 5 s means that the machine slept; a slow tick does not", () => {
  let clock = 0;
  const slept: number[] = [];
  const stop = watchSleep(
    (ms) => slept.push(ms),
    () => clock,
  );
  const tick = (ms: number) => {
    clock += ms;
    vi.advanceTimersByTime(SLEEP_TICK_MS);
  };
  tick(SLEEP_TICK_MS);
  tick(SLEEP_TICK_MS + 4_900);
  expect(slept).toEqual([]);
  tick(3_600_000);
  expect(slept).toEqual([3_600_000 - SLEEP_TICK_MS]);
  tick(SLEEP_TICK_MS);
  // A clock that is set back is no sleep.
  tick(-10_000_000);
  expect(slept).toHaveLength(1);
  stop();
});
