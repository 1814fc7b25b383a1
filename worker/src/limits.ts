import { RESUME_STEP_MS } from "@reprise/protocol";
import { z } from "zod";

/** Every limit of the control plane, with its reason. Those in `LIMITS_DEFAULT` can be shortened in tests (`LIMITS`). */
export const LIMITS_DEFAULT = {
  /** N2: a node counts as present this long after its last heartbeat: three of them may be lost. */
  lease_ms: 90_000,
  /** N2: the lease is looked at this long after the last answer: once a lease, not once a heartbeat. */
  lease_check_ms: 105_000,
  /** N2: this long of `reconnecting` is `offline`. */
  offline_after_ms: 5 * 60_000,
  /** N7: a machine that went away is called after this: by then one that only reconnects is back by itself. */
  call_first_ms: 5_000,
  /**
   * T3: the holder of a node's place proves that it lives within this, or another process of its identity gets the
   * place. One that goes by plain HTTP posts every 3 s when it is idle, over a network that may be slow.
   */
  doubt_answer_ms: 8_000,
  /** T3: for so long, a copy is refused without asking again. */
  doubt_ms: 60_000,
  /** A live node's answer to a request that a person waits for. */
  node_request_ms: 8_000,
  /** A socket that was accepted says hello within this, or is closed as stale. */
  hello_ms: 20_000,
  /** T1: a node's object has this long to answer a listing. */
  report_ms: 1_000,
  /** T1: the sessions that one listing asks have this long, all together; then last known rows are shown. */
  facts_ms: 3_000,
  /** Undelivered evidence is tried again after this, doubled up to the next. */
  tell_retry_ms: 1_000,
  tell_retry_max_ms: 60_000,
  /** R3: a claim that its absent node never picked up is undone after this. */
  claim_expiry_ms: 60 * 60_000,
  /** P1: a prompt that the host did not acknowledge is said again, with the same id. */
  prompt_resend_ms: 30_000,
  /** X5: the waits between attempts to resume are 5, 10, 20, 40 and 60 of these. */
  resume_step_ms: RESUME_STEP_MS,
  /** R6: what lay idle longer is not woken by a restart. */
  auto_resume_window_ms: 24 * 60 * 60_000,
  /** A session's wish for its node's socket lapses after this; the alarm repeats it while it lasts (K1). */
  want_ttl_ms: 2 * 60_000,
  /** What could not be told to D1 or another object is tried again after this, doubled up to the next. */
  outbox_retry_ms: 1_000,
  outbox_retry_max_ms: 60_000,
  /** S2: a sign-in link is for the person who just started the program. */
  sign_in_link_ms: 24 * 60 * 60_000,
  /** S2: long enough to walk to another machine. */
  join_token_ms: 60 * 60_000,
  /** A browser that wasn't used this long signs in again. */
  browser_session_ms: 90 * 24 * 60 * 60_000,
} as const;

export type Limits = { readonly [K in keyof typeof LIMITS_DEFAULT]: number };

/** SessionObjects told at once by one NodeObject: an object's outgoing calls share six connections. */
export const TELL_CONCURRENCY = 20;
/** News that is due waits this much longer for the alarm: it is told right away, and the alarm is its safety net. */
export const TELL_GRACE_MS = 2_000;
/** SessionObjects asked at once by one listing. */
export const FACTS_CONCURRENCY = 50;
/** N7: one call at a machine's address. */
export const OUTBOUND_MS = 5_000;
/** N7: what a machine answers there; a hundred agents with their hints fit. */
export const MAX_CALL_BYTES = 256 * 1024;
/** N3: by plain HTTP, what is outstanding is said again this often: longer than an answer takes, shorter than patience. */
export const REPEAT_MS = 10_000;
/** Commands a node's object remembers after delivery, so that an id that comes again stays the same command. */
export const MAX_REMEMBERED_COMMANDS = 1_000;
/** `last_used_at` of credentials is written at most this often: storage is the bill. */
export const LAST_USED_STEP_MS = 60 * 60_000;
/** Failed sign-ins or joins a minute and caller: secrets have 256 bits, so this only keeps logs readable. */
export const MAX_FAILED_ATTEMPTS = 20;
export const FAILED_ATTEMPTS_WINDOW_MS = 60_000;
/** Open pages on one feed. */
export const MAX_FEED_SOCKETS = 500;
/** D1 takes 100 bound parameters a statement. */
export const D1_MAX_IDS = 90;

const Overrides = z.record(z.string(), z.number().int().positive());

/** @param text the LIMITS variable: JSON that shortens named limits, never logic. */
export function limitsOf(text: string | undefined): Limits {
  if (!text) return LIMITS_DEFAULT;
  const overrides = Overrides.parse(JSON.parse(text));
  return { ...LIMITS_DEFAULT, ...overrides };
}
