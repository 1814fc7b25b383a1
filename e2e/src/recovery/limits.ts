/**
 * The time limits of a recovery room: those of worker/src/limits.ts and agentctl-remote/src/limits.ts, shortened in the
 * same proportions, never the logic. Long enough that a busy machine of two cores is not taken for a silent one.
 */
export const WORKER_LIMITS = {
  /** 90 s in life: a tenth, as all that has to do with it. */
  lease_ms: 9_000,
  lease_check_ms: 10_500,
  /** 5 min in life. */
  offline_after_ms: 30_000,
  hello_ms: 10_000,
  tell_retry_max_ms: 5_000,
  outbox_retry_max_ms: 5_000,
  prompt_resend_ms: 5_000,
} as const;

export const NODE_LIMITS = {
  /** 30 s in life. */
  PING_INTERVAL_MS: 3_000,
  /** 75 s in life. */
  SILENCE_LIMIT_MS: 7_500,
  CONNECT_LIMIT_MS: 3_000,
  HELLO_LIMIT_MS: 5_000,
  HEALTHY_AFTER_MS: 2_000,
} as const;

/** A row's own time: it waits for leases and for Chromium beside three others. */
export const ROW_MS = 600_000;
/** A cut of 20 s in life, well below the lease. */
export const SHORT_CUT_MS = 2_000;
