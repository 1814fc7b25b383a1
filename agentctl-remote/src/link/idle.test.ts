import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BUSY, type IdleEvent, type IdleState, idleStep } from "./idle.ts";

const limits = { quietMs: 5_000, answerMs: 15_000 };
const step = (state: IdleState, event: IdleEvent, now: number) => idleStep(state, event, now, limits);

describe("closing a session's socket", () => {
  it("K1: asks after a pause, closes only with consent", () => {
    let { state, effects } = step(BUSY, { type: "need", need: false }, 0);
    expect(effects).toEqual([{ type: "arm", at: 5_000 }]);
    ({ state, effects } = step(state, { type: "timer" }, 5_000));
    expect(effects.map((effect) => effect.type)).toEqual(["ask", "arm"]);
    expect(step(state, { type: "idle_ok" }, 5_001)).toEqual({ state: BUSY, effects: [{ type: "close" }] });
  });

  it("K1: a prompt that crosses the question keeps the socket open", () => {
    let state = step(step(BUSY, { type: "need", need: false }, 0).state, { type: "timer" }, 5_000).state;
    state = step(state, { type: "frame" }, 5_001).state;
    expect(state.phase).toBe("quiet");
    expect(step(state, { type: "idle_ok" }, 5_002).effects).toEqual([]);
    expect(step(state, { type: "need", need: true }, 5_003).state).toEqual(BUSY);
  });

  it("K1: an unanswered question is asked again", () => {
    const state = step(step(BUSY, { type: "need", need: false }, 0).state, { type: "timer" }, 5_000).state;
    expect(step(state, { type: "timer" }, 20_000).effects[0]).toEqual({ type: "ask" });
  });

  it("K1: once the other side agreed, it is closed even if need came up meanwhile", () => {
    let state = step(step(BUSY, { type: "need", need: false }, 0).state, { type: "timer" }, 5_000).state;
    state = step(state, { type: "need", need: true }, 5_001).state;
    expect(step(state, { type: "idle_ok" }, 5_002).effects).toEqual([{ type: "close" }]);
  });

  it("K1: never closes without an `idle.ok`", () => {
    const event = fc.constantFrom<IdleEvent>(
      { type: "need", need: true },
      { type: "need", need: false },
      { type: "frame" },
      { type: "timer" },
      { type: "reset" },
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(20_000), event)), (steps) => {
        let state: IdleState = BUSY;
        let now = 0;
        for (const [wait, one] of steps) {
          now += wait;
          const next = step(state, one, now);
          state = next.state;
          expect(next.effects.some((effect) => effect.type === "close")).toBe(false);
        }
      }),
    );
  });
});
