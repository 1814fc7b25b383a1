import { MAX_TERMINAL_CHUNK } from "@reprise/protocol";

/** B2: the first bytes go at once, those that follow within `COALESCE_MS` together, or at 64 KiB. */
export interface Pace {
  /** Until then more bytes wait; null: nothing was sent lately. */
  until: number | null;
  waiting: number;
}

export const IDLE_PACE: Pace = { until: null, waiting: 0 };

export interface PaceStep {
  pace: Pace;
  flush: boolean;
  /** Call `tick` then. */
  arm: number | null;
}

export function arrived(pace: Pace, bytes: number, now: number, coalesceMs: number): PaceStep {
  const waiting = pace.waiting + bytes;
  if (pace.until === null) return { pace: { until: now + coalesceMs, waiting: 0 }, flush: true, arm: now + coalesceMs };
  const flush = waiting >= MAX_TERMINAL_CHUNK;
  return { pace: { ...pace, waiting: flush ? 0 : waiting }, flush, arm: null };
}

export function tick(pace: Pace, now: number, coalesceMs: number): PaceStep {
  if (pace.until === null) return { pace, flush: false, arm: null };
  if (now < pace.until) return { pace, flush: false, arm: pace.until };
  if (pace.waiting === 0) return { pace: IDLE_PACE, flush: false, arm: null };
  return { pace: { until: now + coalesceMs, waiting: 0 }, flush: true, arm: now + coalesceMs };
}
