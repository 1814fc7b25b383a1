import { z } from "zod";

/**
 * Every limit, time-out and interval of daemon and host, each with its reason. Tests shorten them with the environment
 * variable REPRISE_LIMITS (JSON by name): never logic, only numbers.
 */
const overrides = z.record(z.string(), z.number().nonnegative()).parse(JSON.parse(process.env["REPRISE_LIMITS"] ?? "{}"));

function limit(name: string, value: number): number {
  return overrides[name] ?? value;
}

// ---- link (daemon to control plane)
/** N4: look-up, TCP, TLS and upgrade together; longer means that nobody is there. */
export const CONNECT_LIMIT_MS = limit("CONNECT_LIMIT_MS", 10_000);
/** N4: from an open socket to the welcome; a cold control plane answers within a few. */
export const HELLO_LIMIT_MS = limit("HELLO_LIMIT_MS", 15_000);
/** N2: the control plane's lease is 90 s; three of these fit. */
export const PING_INTERVAL_MS = limit("PING_INTERVAL_MS", 30_000);
/** N2: two pings unanswered, and some: the socket is dead. */
export const SILENCE_LIMIT_MS = limit("SILENCE_LIMIT_MS", 75_000);
/** N4: a link that lasted this long was healthy, so the next loss starts the schedule afresh. */
export const HEALTHY_AFTER_MS = limit("HEALTHY_AFTER_MS", 10_000);
/** N5: after a refusal that only a person can change. */
export const SLOW_RETRY_MS = limit("SLOW_RETRY_MS", 60_000);
/** N5: a daemon that was replaced asks again this often. */
export const YIELD_RETRY_MS = limit("YIELD_RETRY_MS", 60_000);
/** N4: how often the clock is compared with itself; a sleep is noticed this soon after waking. */
export const SLEEP_TICK_MS = limit("SLEEP_TICK_MS", 2_000);
/** N4: a jump of the clock beyond this was a sleep, and every socket is suspect. */
export const SLEEP_JUMP_MS = limit("SLEEP_JUMP_MS", 5_000);
