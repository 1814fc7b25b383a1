import type { Failure } from "@reprise/protocol";

/** Is the engine there, and when is it asked again (X2, T4)? A pure machine: one for all sessions of a machine. */
export type Outage =
  | { up: true }
  | { up: false; failures: number; since: number; askedAt: number; retryAt: number; failure: Failure };

export type OutageEvent =
  | { type: "answered" }
  /** `asked_at`: a question from before the outage was known adds nothing to it. */
  | { type: "silent"; asked_at: number; failure: Failure };

export const ENGINE_UP: Outage = { up: true };

/** @returns how long to wait after so many questions in a row without an answer; the last wait repeats */
export function engineDelay(failures: number, backoffMs: readonly number[]): number {
  return backoffMs[Math.min(failures, backoffMs.length) - 1] ?? 0;
}

export function outageStep(state: Outage, event: OutageEvent, now: number, backoffMs: readonly number[]): Outage {
  const delay = (failures: number) => engineDelay(failures, backoffMs);
  switch (event.type) {
    case "answered":
      return state.up ? state : ENGINE_UP;
    case "silent": {
      const failure = event.failure;
      if (state.up) return { up: false, failures: 1, since: now, askedAt: now, retryAt: now + delay(1), failure };
      if (event.asked_at < state.askedAt) return state;
      const failures = state.failures + 1;
      return { ...state, failures, askedAt: now, retryAt: now + delay(failures), failure };
    }
    default:
      return event satisfies never;
  }
}

/** @param urgent a person waits: the schedule is not waited for */
export function mayAsk(state: Outage, now: number, urgent: boolean): boolean {
  return state.up || urgent || now >= state.retryAt;
}
