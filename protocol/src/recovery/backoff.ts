/** The two schedules of waiting (N4, X5), as pure functions of the attempt and a random number in [0, 1). */

/** First call after a loss: spread over 3 s, so that a fleet doesn't call at once. */
const FIRST_MAX_MS = 3_000;
const BASE_MS = 500;
/** In the first five minutes somebody probably looks. */
const NEAR_CAP_MS = 5_000;
const NEAR_MS = 5 * 60_000;
const FAR_CAP_MS = 30_000;

/**
 * N4: how long a node waits before it connects again.
 * @param attempt 0 for the first after a loss @param sinceLossMs since the link was lost @param random in [0, 1)
 */
export function reconnectDelay(attempt: number, sinceLossMs: number, random: number): number {
  if (attempt === 0) return Math.floor(random * FIRST_MAX_MS);
  const cap = sinceLossMs < NEAR_MS ? NEAR_CAP_MS : FAR_CAP_MS;
  const ceiling = Math.min(cap, BASE_MS * 2 ** Math.min(attempt, 20));
  return Math.floor(random * ceiling);
}

const RESUME_STEPS = [5, 10, 20, 40, 60] as const;
/** X5: what one step of those waits lasts. */
export const RESUME_STEP_MS = 1_000;
/** Attempts after the first failed one; then a person decides (C10). */
export const MAX_RESUME_ATTEMPTS = RESUME_STEPS.length;

/**
 * X5: how long until the next attempt after `attempt` failed ones, jittered by a fifth either way.
 * @param attempt 1 after the first failure @returns null when no further attempt is due
 */
export function resumeDelay(attempt: number, random: number, stepMs: number = RESUME_STEP_MS): number | null {
  const steps = RESUME_STEPS[attempt - 1];
  return steps === undefined ? null : Math.round(steps * stepMs * (0.8 + 0.4 * random));
}
