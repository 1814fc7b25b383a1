import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type SuperviseEvent, type Supervision, superviseStep, UNSEEN } from "./supervise.ts";

const limits = { healthyMs: 60_000, backoffMs: [1_000, 5_000, 20_000, 60_000], unknownMs: 3_000 };
const failure = { code: "host_died" as const, message: "died" };
const lost: SuperviseEvent = { type: "lost", host: "dead", work: true, failure };

function run(events: [number, SuperviseEvent][], from: Supervision = UNSEEN) {
  let state = from;
  let effects: ReturnType<typeof superviseStep>["effects"] = [];
  for (const [now, event] of events) ({ state, effects } = superviseStep(state, event, now, limits));
  return { state, effects };
}

describe("supervision of a host", () => {
  it("X5: a host that dies with work is started again at once, found live", () => {
    const { effects } = run([
      [0, { type: "needed", urgent: false }],
      [1, { type: "alive" }],
      [5_000, lost],
    ]);
    expect(effects).toEqual([{ type: "start", found: "live" }]);
  });

  it("R6: what the scan found dead is started with found scan", () => {
    const { effects } = run([
      [0, { type: "scanned", host: "dead" }],
      [1, { type: "needed", urgent: false }],
    ]);
    expect(effects).toEqual([{ type: "start", found: "scan" }]);
  });

  it("X6: a workspace-only host that ended itself is none, and is started on demand", () => {
    const { state } = run([
      [0, { type: "needed", urgent: false }],
      [1, { type: "alive" }],
      [9, { type: "lost", host: "dead", work: false, failure }],
    ]);
    expect(state).toMatchObject({ host: "none", failure: null });
  });

  it("T4, X5: repeated deaths wait longer and say why; a person's click does not wait; a healthy life forgives", () => {
    let state = run([[0, { type: "needed", urgent: false }]]).state;
    const waits: number[] = [];
    for (let i = 0; i < 6; i++) {
      state = superviseStep(state, { type: "alive" }, 0, limits).state;
      const step = superviseStep(state, lost, 1_000, limits);
      state = step.state;
      waits.push(state.retryAt === null ? 0 : state.retryAt - 1_000);
      if (state.retryAt !== null) {
        expect(state.failure).toEqual(failure);
        expect(superviseStep(state, { type: "needed", urgent: false }, 1_001, limits).effects).toEqual([]);
        expect(superviseStep(state, { type: "needed", urgent: true }, 1_001, limits).effects).toHaveLength(1);
        state = superviseStep(state, { type: "timer" }, state.retryAt, limits).state;
      }
      expect(state.host).toBe("starting");
    }
    expect(waits).toEqual([0, 1_000, 5_000, 20_000, 60_000, 60_000]);
    state = superviseStep(state, { type: "alive" }, 0, limits).state;
    expect(superviseStep(state, lost, 60_000, limits).effects).toEqual([{ type: "start", found: "live" }]);
  });

  it("T3: a silent host is unknown, is looked at again, and nothing is started beside it", () => {
    const { state, effects } = run([[0, { type: "scanned", host: "unknown" }]]);
    expect(effects).toEqual([{ type: "arm", at: 3_000 }]);
    expect(superviseStep(state, { type: "needed", urgent: true }, 1, limits).effects).toEqual([]);
    expect(superviseStep(state, { type: "timer" }, 3_000, limits).effects).toEqual([{ type: "look", urgent: false }]);
  });

  it("X7: whatever happens, no second host is started while one starts or lives", () => {
    const event = fc.constantFrom<SuperviseEvent>(
      { type: "needed", urgent: true },
      { type: "needed", urgent: false },
      { type: "timer" },
      { type: "alive" },
      lost,
      { type: "lost", host: "unknown", work: true, failure },
      { type: "start_failed", failure, work: true },
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(70_000), event)), (steps) => {
        let state = UNSEEN;
        let now = 0;
        for (const [wait, one] of steps) {
          now += wait;
          const before = state.host;
          const step = superviseStep(state, one, now, limits);
          state = step.state;
          const starts = step.effects.filter((effect) => effect.type === "start").length;
          expect(starts).toBeLessThanOrEqual(1);
          const told = one.type === "lost" || one.type === "start_failed";
          if (starts === 1 && !told) expect(["none", "dead"]).toContain(before);
          if (state.host === "dead") expect(state.retryAt).not.toBeNull();
        }
      }),
    );
  });

  const away: SuperviseEvent = {
    type: "away",
    failure: { code: "runtime_unavailable", message: "no engine" },
    retryAt: 9_000,
  };

  it("X2, T4: a runtime that is away is asked again when it is due, at once for a person; what comes back was not seen to die", () => {
    const { state, effects } = run([
      [0, { type: "needed", urgent: false }],
      [1, { type: "alive" }],
      [5_000, away],
    ]);
    expect(state).toMatchObject({ host: "away", retryAt: 9_000, failure: { code: "runtime_unavailable" } });
    expect(effects).toEqual([{ type: "arm", at: 9_000 }]);
    const step = (event: SuperviseEvent, now: number) => superviseStep(state, event, now, limits).effects;
    expect(step({ type: "needed", urgent: false }, 6_000)).toEqual([]);
    expect(step({ type: "needed", urgent: true }, 6_000)).toEqual([{ type: "look", urgent: true }]);
    expect(step({ type: "timer" }, 6_000)).toEqual([{ type: "arm", at: 9_000 }]);
    expect(step({ type: "timer" }, 9_000)).toEqual([{ type: "look", urgent: false }]);
    expect(step(lost, 9_001)).toEqual([{ type: "start", found: "scan" }]);
  });

  it("T4: a person who cancels is not asked again, until somebody does", () => {
    const { state } = run([
      [0, away],
      [1, { type: "cancelled" }],
    ]);
    expect(state).toMatchObject({ host: "away", retryAt: null, failure: { code: "runtime_unavailable" } });
    expect(superviseStep(state, { type: "timer" }, 9_000, limits).effects).toEqual([]);
    expect(superviseStep(state, { type: "needed", urgent: true }, 9_000, limits).effects).toEqual([
      { type: "look", urgent: true },
    ]);
  });

  it("R4: what it ran in is gone for good, also after a host closed what was left", () => {
    const gone = { code: "container_missing" as const, message: "gone" };
    const { state } = run([
      [0, { type: "gone", failure: gone }],
      [1, lost],
      [2, { type: "alive" }],
      [3, { type: "lost", host: "dead", work: false, failure }],
    ]);
    expect(state).toMatchObject({ host: "none", gone });
  });
});
