import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NO_SLOTS, type SlotEvent, type SlotState, slotStep } from "./slots.ts";

const limits = { automatic: 2, people: 1, slowAfterMs: 20_000, slow: 4, forgetMs: 600_000 };

function run(events: [number, SlotEvent][]): { state: SlotState; started: string[] } {
  let state = NO_SLOTS;
  const started: string[] = [];
  for (const [now, event] of events) {
    const step = slotStep(state, event, now, limits);
    state = step.state;
    for (const effect of step.effects) if (effect.type === "start") started.push(effect.id);
  }
  return { state, started };
}
const ask = (id: string, automatic: boolean): SlotEvent => ({ type: "ask", id, automatic });

describe("slots for agent starts", () => {
  it("X5, C24: of 37 automatic starts two run at a time, and one of a person's beside them", () => {
    const events: [number, SlotEvent][] = Array.from({ length: 37 }, (_, i) => [i, ask(`a${i}`, true)]);
    const { state, started } = run([...events, [40, ask("click", false)], [41, ask("click2", false)]]);
    expect(started).toEqual(["a0", "a1", "click"]);
    expect(state.waiting[0]?.id).toBe("a2");
    const next = slotStep(state, { type: "done", id: "a0" }, 50, limits);
    expect(next.effects).toContainEqual({ type: "start", id: "click2" });
  });

  it("X5: a start over 20 s moves to the slow lane, four at most", () => {
    const events: [number, SlotEvent][] = Array.from({ length: 12 }, (_, i) => [0, ask(`a${i}`, true)]);
    const ticks: [number, SlotEvent][] = [20_000, 40_000, 60_000, 80_000].map((at) => [at, { type: "tick" }]);
    const { started, state } = run([...events, ...ticks]);
    expect(started).toHaveLength(6);
    expect(state.running.filter((one) => one.slow)).toHaveLength(4);
  });

  it("X5: whatever happens, no lane is over its limit, nothing starts twice, and the queue moves on", () => {
    const event = fc.oneof(
      fc.tuple(fc.nat(9), fc.boolean()).map(([n, automatic]) => ask(`s${n}`, automatic)),
      fc.nat(9).map((n): SlotEvent => ({ type: "done", id: `s${n}` })),
      fc.constant<SlotEvent>({ type: "tick" }),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(30_000), event), { maxLength: 80 }), (steps) => {
        let state = NO_SLOTS;
        let now = 0;
        for (const [wait, one] of steps) {
          now += wait;
          const before = state;
          const step = slotStep(state, one, now, limits);
          state = step.state;
          const fast = state.running.filter((r) => !r.slow);
          expect(fast.length).toBeLessThanOrEqual(3);
          expect(fast.filter((r) => r.automatic).length).toBeLessThanOrEqual(2);
          expect(state.running.filter((r) => r.slow).length).toBeLessThanOrEqual(4);
          const starts = step.effects.flatMap((effect) => (effect.type === "start" ? [effect.id] : []));
          for (const id of starts) expect(before.running.some((r) => r.id === id)).toBe(false);
          if (state.waiting.length > 0) expect(step.effects.some((effect) => effect.type === "arm")).toBe(true);
        }
      }),
    );
  });
});
