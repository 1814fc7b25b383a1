import type { Failure } from "@reprise/protocol";

/**
 * What becomes of one session's host (X2, X5, X6), as a pure machine. `work` is all that a host is needed for: an
 * execution to close, events to carry up, a launch to take, somebody who waits.
 */
export interface Supervision {
  /** `away`: what it runs in doesn't answer, so nobody knows. */
  host: "none" | "starting" | "alive" | "unknown" | "dead" | "away";
  /** Told to the next host: how what its spool has open was found to be over. */
  found: "live" | "scan";
  /** Deaths since it last lived for a while. */
  crashes: number;
  aliveSince: number;
  retryAt: number | null;
  failure: Failure | null;
  /** What it ran in is gone for good: what it left is closed, and nothing is run there any more (R4). */
  gone: Failure | null;
}

export type SuperviseEvent =
  | { type: "scanned"; host: "none" | "alive" | "unknown" | "dead" }
  /** Something needs a host. `urgent`: a person waits, so a pause after crashes is not waited for. */
  | { type: "needed"; urgent: boolean }
  | { type: "alive" }
  | { type: "lost"; host: "dead" | "unknown"; work: boolean; failure: Failure | null }
  | { type: "start_failed"; failure: Failure; work: boolean }
  /** What it runs in doesn't answer; it is asked again at `retryAt`. */
  | { type: "away"; failure: Failure; retryAt: number }
  | { type: "gone"; failure: Failure }
  /** A person wants no more tries of what is away. */
  | { type: "cancelled" }
  | { type: "timer" };

export type SuperviseEffect =
  | { type: "start"; found: "live" | "scan" }
  | { type: "look"; urgent: boolean }
  | { type: "arm"; at: number };

export interface SuperviseLimits {
  healthyMs: number;
  /** Waits before the second, third ... start in a row; the last one repeats. */
  backoffMs: readonly number[];
  /** Between two looks at a host that is there but silent. */
  unknownMs: number;
}

export const UNSEEN: Supervision = {
  host: "none",
  found: "scan",
  crashes: 0,
  aliveSince: 0,
  retryAt: null,
  failure: null,
  gone: null,
};

type Step = { state: Supervision; effects: SuperviseEffect[] };

/** One step. While `starting` or `alive`, nothing starts a second one. */
export function superviseStep(state: Supervision, event: SuperviseEvent, now: number, limits: SuperviseLimits): Step {
  switch (event.type) {
    case "scanned":
      if (event.host === "unknown") return look({ ...state, host: "unknown" }, now, limits);
      return { state: { ...state, host: event.host, aliveSince: now }, effects: [] };
    case "needed": {
      if (state.host === "away" && event.urgent) return { state, effects: [{ type: "look", urgent: true }] };
      if (state.host !== "none" && state.host !== "dead") return { state, effects: [] };
      const waits = state.retryAt !== null && now < state.retryAt && !event.urgent;
      return waits ? { state, effects: [] } : start(state);
    }
    case "alive":
      return { state: { ...state, host: "alive", aliveSince: now, retryAt: null, failure: null }, effects: [] };
    case "lost":
      return lost(state, event, now, limits);
    case "start_failed": {
      const crashes = state.crashes + 1;
      // Whoever asked for it is told; without work left, nobody needs another try.
      if (!event.work) return { state: { ...state, host: "none", crashes, failure: event.failure }, effects: [] };
      const retryAt = now + pause(Math.max(crashes, 2), limits);
      return {
        state: { ...state, host: "dead", crashes, retryAt, failure: event.failure },
        effects: [{ type: "arm", at: retryAt }],
      };
    }
    case "away": {
      const { failure, retryAt } = event;
      // Whatever happens to it meanwhile, nobody sees it.
      return {
        state: { ...state, host: "away", found: "scan", failure, retryAt },
        effects: [{ type: "arm", at: retryAt }],
      };
    }
    case "gone":
      return { state: { ...state, gone: event.failure }, effects: [] };
    case "cancelled":
      return { state: state.host === "away" ? { ...state, retryAt: null } : state, effects: [] };
    case "timer":
      if (state.host === "unknown") return { state, effects: [{ type: "look", urgent: false }] };
      if ((state.host !== "dead" && state.host !== "away") || state.retryAt === null) return { state, effects: [] };
      if (now < state.retryAt) return { state, effects: [{ type: "arm", at: state.retryAt }] };
      return state.host === "dead" ? start(state) : { state, effects: [{ type: "look", urgent: false }] };
    default:
      return event satisfies never;
  }
}

function start(state: Supervision): Step {
  return { state: { ...state, host: "starting", retryAt: null }, effects: [{ type: "start", found: state.found }] };
}

function look(state: Supervision, now: number, limits: SuperviseLimits): Step {
  return { state, effects: [{ type: "arm", at: now + limits.unknownMs }] };
}

function lost(
  state: Supervision,
  event: Extract<SuperviseEvent, { type: "lost" }>,
  now: number,
  limits: SuperviseLimits,
): Step {
  if (event.host === "unknown") return look({ ...state, host: "unknown", retryAt: null, failure: null }, now, limits);
  // From now on a daemon was there when it died.
  const seen = state.host === "alive" ? ({ ...state, found: "live" } as const) : state;
  if (!event.work) return { state: { ...seen, host: "none", retryAt: null, failure: null }, effects: [] };
  const lived = state.host === "alive" && now - state.aliveSince >= limits.healthyMs;
  // What an outage took did not crash.
  const crashes = lived || state.host === "away" ? 1 : state.crashes + 1;
  const wait = pause(crashes, limits);
  if (wait === 0) return start({ ...seen, host: "dead", crashes });
  const retryAt = now + wait;
  return {
    state: { ...seen, host: "dead", crashes, retryAt, failure: event.failure },
    effects: [{ type: "arm", at: retryAt }],
  };
}

/** The first restart is at once; repeated deaths wait longer and longer. */
function pause(crashes: number, limits: SuperviseLimits): number {
  if (crashes <= 1) return 0;
  return limits.backoffMs[Math.min(crashes - 2, limits.backoffMs.length - 1)] ?? 0;
}
