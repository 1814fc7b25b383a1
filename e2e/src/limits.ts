/** How often a condition is looked at: short beside every time that a test asserts, long beside what a look costs. */
export const POLL_MS = 20;
/** Waiting for a condition that a healthy machine meets at once: no assertion, so a busy one may take its time. */
export const DEFAULT_WAIT_MS = 60_000;
/** After a kill -9 the kernel only has to reap; longer means that something else started the process again. */
export const KILL_WAIT_MS = 20_000;
/** Lines of a child's output that are kept for the message of a failed wait. */
export const KEPT_OUTPUT_CHARS = 20_000;
/** A page action, likewise. */
export const BROWSER_WAIT_MS = 30_000;
/** Over what people's own programs use, under what Linux hands to those that dial out (32768 and more). */
export const LASTING_PORTS = { from: 12_000, to: 32_000 };
