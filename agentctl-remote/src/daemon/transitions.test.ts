import { describe, expect, it } from "vitest";
import { type SuperviseEvent, type Supervision, superviseStep, UNSEEN } from "./supervise.ts";

const LIMITS = { healthyMs: 60_000, backoffMs: [1_000, 5_000, 20_000, 60_000], unknownMs: 3_000 };
const failure = { code: "host_died" as const, message: "died" };
const outage = { code: "runtime_unavailable" as const, message: "no engine" };
const missing = { code: "container_missing" as const, message: "no container" };
const NOW = 10_000;

type Key =
  | `scanned ${Extract<SuperviseEvent, { type: "scanned" }>["host"]}`
  | `needed ${"urgent" | "calm"}`
  | "alive"
  | `lost ${Extract<SuperviseEvent, { type: "lost" }>["host"]} ${"work" | "idle"}`
  | `start_failed ${"work" | "idle"}`
  | `timer ${"early" | "due"}`
  | Exclude<SuperviseEvent["type"], "scanned" | "needed" | "alive" | "lost" | "start_failed" | "timer">;

/** Every event of the union and its contents: a new one does not compile until it stands here. */
const EVENTS = {
  "scanned none": { type: "scanned", host: "none" },
  "scanned alive": { type: "scanned", host: "alive" },
  "scanned unknown": { type: "scanned", host: "unknown" },
  "scanned dead": { type: "scanned", host: "dead" },
  "needed urgent": { type: "needed", urgent: true },
  "needed calm": { type: "needed", urgent: false },
  alive: { type: "alive" },
  "lost dead work": { type: "lost", host: "dead", work: true, failure },
  "lost dead idle": { type: "lost", host: "dead", work: false, failure },
  "lost unknown work": { type: "lost", host: "unknown", work: true, failure },
  "lost unknown idle": { type: "lost", host: "unknown", work: false, failure },
  "start_failed work": { type: "start_failed", failure, work: true },
  "start_failed idle": { type: "start_failed", failure, work: false },
  away: { type: "away", failure: outage, retryAt: NOW + 5_000 },
  gone: { type: "gone", failure: missing },
  cancelled: { type: "cancelled" },
  "timer early": { type: "timer" },
  "timer due": { type: "timer" },
} satisfies Record<Key, SuperviseEvent>;

function after(...events: [number, SuperviseEvent][]): Supervision {
  return events.reduce((state, [now, event]) => superviseStep(state, event, now, LIMITS).state, UNSEEN);
}

type Situation = "none" | "starting" | "alive" | "unknown" | "dead" | "paused" | "away" | "given_up";

/** By events alone: none needed; starting; serving; silent; found dead at the scan; dead again and again, so that it waits; what it runs in is away, and no longer asked. */
const REACH: Readonly<Record<Situation, Supervision>> = {
  none: UNSEEN,
  starting: after([0, EVENTS["needed calm"]]),
  alive: after([0, EVENTS["needed calm"]], [1, EVENTS.alive]),
  unknown: after([0, EVENTS["scanned unknown"]]),
  dead: after([0, EVENTS["scanned dead"]]),
  paused: after(
    [0, EVENTS["needed calm"]],
    [0, EVENTS["start_failed work"]],
    [1_000, EVENTS["timer due"]],
    [NOW - 1, EVENTS["start_failed work"]],
  ),
  away: after([0, EVENTS["scanned dead"]], [0, EVENTS.away]),
  given_up: after([0, EVENTS["scanned dead"]], [0, EVENTS.away], [1, EVENTS.cancelled]),
};
const SITUATIONS = Object.keys(REACH).filter((name): name is Situation => name in REACH);

function situationOf(state: Supervision): Situation {
  if (state.host === "away" && state.retryAt === null) return "given_up";
  return state.host === "dead" && state.retryAt !== null ? "paused" : state.host;
}

/** `.` it stays as it is, else where it leads; behind `+` what is done: a start, a look, a timer armed. */
const TABLE = `
                    none           starting       alive          unknown        dead           paused         away           given_up
scanned none        .              none           none           none           none           none           none           none
scanned alive       alive          alive          .              alive          alive          alive          alive          alive
scanned unknown     unknown+arm    unknown+arm    unknown+arm    .+arm          unknown+arm    unknown+arm    unknown+arm    unknown+arm
scanned dead        dead           dead           dead           dead           .              .              paused         dead
needed urgent       starting+start .              .              .              starting+start starting+start .+look         .+look
needed calm         starting+start .              .              .              starting+start .              .              .
alive               alive          alive          .              alive          alive          alive          alive          alive
lost dead work      starting+start .+start        starting+start starting+start starting+start .+arm          starting+start starting+start
lost dead idle      .              none           none           none           none           none           none           none
lost unknown work   unknown+arm    unknown+arm    unknown+arm    .+arm          unknown+arm    unknown+arm    unknown+arm    unknown+arm
lost unknown idle   unknown+arm    unknown+arm    unknown+arm    .+arm          unknown+arm    unknown+arm    unknown+arm    unknown+arm
start_failed work   paused+arm     paused+arm     paused+arm     paused+arm     paused+arm     .+arm          paused+arm     paused+arm
start_failed idle   .              none           none           none           none           none           none           none
away                away+arm       away+arm       away+arm       away+arm       away+arm       away+arm       .+arm          away+arm
gone                .              .              .              .              .              .              .              .
cancelled           .              .              .              .              .              .              given_up       .
timer early         .              .              .              .+look         .              .+arm          .+arm          .
timer due           .              .              .              .+look         .              starting+start .+look         .
`;
const KEY_CHARS = 20;
const [head = "", ...lines] = TABLE.split("\n").slice(1, -1);
const rows = lines.map((line) => ({
  key: line.slice(0, KEY_CHARS).trim(),
  cells: line.slice(KEY_CHARS).split(/ +/),
}));

function step(from: Situation, key: string, event: SuperviseEvent) {
  return superviseStep(REACH[from], event, key === "timer due" ? NOW + 100_000 : NOW, LIMITS);
}

function next(from: Situation, key: string, event: SuperviseEvent): string {
  const { state, effects } = step(from, key, event);
  const to = situationOf(state);
  const word = to === from ? "." : to;
  return effects.length === 0 ? word : `${word}+${effects.map((effect) => effect.type).join()}`;
}

describe("Every transition of a host's supervision (X2, X5, X6, T3)", () => {
  it("each event in each situation stands in the table, once", () => {
    expect(head.trim().split(/ +/)).toEqual(SITUATIONS);
    expect(rows.map((row) => row.key)).toEqual(Object.keys(EVENTS));
    for (const from of SITUATIONS) expect(situationOf(REACH[from])).toBe(from);
  });

  for (const [key, event] of Object.entries(EVENTS)) {
    it(`X2: ${key}`, () => {
      const row = rows.find((one) => one.key === key);
      expect(SITUATIONS.map((from) => `${from}: ${next(from, key, event)}`)).toEqual(
        SITUATIONS.map((from, i) => `${from}: ${row?.cells[i]}`),
      );
    });
  }

  it("T4: whatever comes, what is silent or waits has a timer, and what is needed is started or looked for", () => {
    for (const from of SITUATIONS) {
      for (const [key, event] of Object.entries(EVENTS)) {
        const { state, effects } = step(from, key, event);
        const to = situationOf(state);
        const still = state.retryAt !== null && state.retryAt === REACH[from].retryAt;
        const armed = still || effects.some((effect) => effect.type === "arm" || effect.type === "look");
        const waits = to === "unknown" || to === "paused" || to === "away";
        if (waits && to !== from) expect(armed, `${from}, ${key}`).toBe(true);
        if (waits && to !== "unknown") expect(state.retryAt).not.toBeNull();
        const needed = superviseStep(state, EVENTS["needed urgent"], NOW, LIMITS).effects.map((effect) => effect.type);
        if (to === "away" || to === "given_up") expect(needed, `${from}, ${key}, needed`).toEqual(["look"]);
        if (to === "none" || to === "dead" || to === "paused")
          expect(needed, `${from}, ${key}, needed`).toEqual(["start"]);
      }
    }
  });
});
