import { CLOSE } from "@reprise/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CONNECT_MS, HEALTHY_MS, PING_AFTER_MS, PONG_MS } from "../limits.ts";
import { type LinkEffect, type LinkEvent, type LinkState, stepLink, stoppedLink } from "./core.ts";

function run(
  start: LinkState,
  ...events: [now: number, event: LinkEvent][]
): { state: LinkState; effects: LinkEffect[] } {
  let state = start;
  let effects: LinkEffect[] = [];
  for (const [now, event] of events) ({ state, effects } = stepLink(state, event, { now, random: 0.5 }));
  return { state, effects };
}

const started: [number, LinkEvent] = [0, { type: "start" }];
const opened: [number, LinkEvent] = [10, { type: "opened", n: 1 }];
const closed = (at: number, code = 1006, n = 1): [number, LinkEvent] => [at, { type: "closed", n, code }];

describe("the link (N4)", () => {
  it("N4: a healthy link that is lost comes back within 3 s; one that fails at once backs off", () => {
    const healthy = run(stoppedLink, started, opened, closed(10 + HEALTHY_MS));
    expect(healthy.state).toMatchObject({ kind: "waiting", attempt: 0 });
    expect(healthy.effects).toContainEqual({ type: "timer", ms: 1_500 });
    const flapping = run(stoppedLink, started, opened, closed(20));
    expect(flapping.state).toMatchObject({ kind: "waiting", attempt: 1 });
  });

  it("N4: a connect that hangs is given up, and the next follows", () => {
    const hung = run(stoppedLink, started, [CONNECT_MS, { type: "timer" }]);
    expect(hung.state.kind).toBe("waiting");
    expect(hung.effects).toContainEqual({ type: "close", n: 1 });
    expect(hung.effects).toContainEqual({ type: "ask_why" });
  });

  it("N4: silence is asked about, and silence to the question ends the socket", () => {
    const asked = run(stoppedLink, started, opened, [10 + PING_AFTER_MS, { type: "timer" }]);
    expect(asked.effects).toContainEqual({ type: "ping", n: 1 });
    const at = 10 + PING_AFTER_MS + PONG_MS;
    expect(run(asked.state, [at - 1, { type: "heard", n: 1 }], [at, { type: "timer" }]).state.kind).toBe("open");
    // 4408: the next connect follows at once.
    expect(run(asked.state, [at, { type: "timer" }]).state).toMatchObject({ kind: "connecting", n: 2 });
  });

  it("N5: a credential that is over ends the trying; what is forbidden is asked for slowly", () => {
    const over = run(stoppedLink, started, opened, closed(50, CLOSE.credential_expired));
    expect(over.state).toMatchObject({ kind: "stopped", refusal: { code: "unauthenticated" } });
    const forbidden = run(stoppedLink, started, opened, closed(50, CLOSE.forbidden));
    expect(forbidden.effects).toContainEqual({ type: "timer", ms: 60_000 });
  });

  it("an old socket's end does not touch its successor", () => {
    const second = run(stoppedLink, started, closed(5), [600, { type: "timer" }], [650, { type: "opened", n: 2 }]);
    expect(run(second.state, closed(700, 1006, 1)).state).toEqual(second.state);
  });

  it("N4: at every moment until it is stopped or refused, a timer is set", () => {
    const n = fc.integer({ min: 0, max: 6 });
    const event: fc.Arbitrary<LinkEvent> = fc.oneof(
      fc.constantFrom<LinkEvent>({ type: "start" }, { type: "timer" }, { type: "wake" }, { type: "restart" }),
      n.map((n) => ({ type: "opened" as const, n })),
      n.map((n) => ({ type: "heard" as const, n })),
      fc.record({ type: fc.constant("closed" as const), n, code: fc.constantFrom(1006, 4400, 4401, 4403, 4408, 4426) }),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 40_000 }), event), { maxLength: 40 }), (events) => {
        let state: LinkState = stoppedLink;
        let due = false;
        let now = 0;
        for (const [ms, event] of events) {
          now += ms;
          if (event.type === "timer") {
            if (!due) continue;
            due = false;
          }
          const step = stepLink(state, event, { now, random: 0.3 });
          state = step.state;
          for (const effect of step.effects) if (effect.type === "timer") due = effect.ms !== null;
          expect(due).toBe(state.kind !== "stopped");
        }
      }),
    );
  });
});
