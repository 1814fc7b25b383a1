import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ENGINE_BACKOFF_MS } from "../../../limits.ts";
import { ENGINE_UP, mayAsk, type Outage, type OutageEvent, outageStep } from "./outage.ts";

const failure = { code: "runtime_unavailable" as const, message: "silent" };
const step = (state: Outage, event: OutageEvent, now: number) => outageStep(state, event, now, ENGINE_BACKOFF_MS);
const silent = (asked_at: number): OutageEvent => ({ type: "silent", asked_at, failure });

describe("an engine's outage (X2, T4)", () => {
  it("T4: it is asked again after 1, 2, 5, 10, 20, 60 s, then each minute", () => {
    let state = ENGINE_UP;
    let now = 0;
    const waits: number[] = [];
    for (let i = 0; i < 8; i++) {
      state = step(state, silent(now), now);
      if (state.up) throw new Error("still up");
      waits.push((state.retryAt - now) / 1_000);
      now = state.retryAt;
    }
    expect(waits).toEqual([1, 2, 5, 10, 20, 60, 60, 60]);
    if (!state.up) expect(state.since).toBe(0);
  });

  it("T4: questions of many sessions that were open when it went are one failure, not many", () => {
    const down = step(ENGINE_UP, silent(0), 5_000);
    const more = [100, 4_000, 4_999].reduce((state, asked) => step(state, silent(asked), 5_001), down);
    expect(more).toEqual(down);
    expect(step(down, silent(6_000), 6_001)).toMatchObject({ failures: 2, retryAt: 8_001 });
  });

  it("T4: an answer ends it, and the next outage begins afresh", () => {
    const down = step(step(ENGINE_UP, silent(0), 0), silent(1_000), 1_000);
    const up = step(down, { type: "answered" }, 3_000);
    expect(up).toEqual(ENGINE_UP);
    expect(step(up, silent(9_000), 9_000)).toMatchObject({ failures: 1, retryAt: 10_000 });
  });

  it("T4: before its time only a person's click asks", () => {
    const down = step(ENGINE_UP, silent(0), 0);
    expect([mayAsk(down, 999, false), mayAsk(down, 999, true), mayAsk(down, 1_000, false)]).toEqual([
      false,
      true,
      true,
    ]);
    expect(mayAsk(ENGINE_UP, 0, false)).toBe(true);
  });

  it("T4: whatever happens, an outage has a next try, never further than a minute away", () => {
    const event = fc.oneof(fc.constant<OutageEvent>({ type: "answered" }), fc.nat(100_000).map(silent));
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(30_000), event)), (events) => {
        let state: Outage = ENGINE_UP;
        let now = 0;
        for (const [wait, one] of events) {
          now += wait;
          const before = state;
          state = step(state, one, now);
          if (!state.up && state !== before) {
            expect(state.retryAt).toBeGreaterThan(now);
            expect(state.retryAt).toBeLessThanOrEqual(now + 60_000);
          }
        }
      }),
    );
  });
});
