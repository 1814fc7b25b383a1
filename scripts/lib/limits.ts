/** Limits of the scripts. Each with its reason. */

/** How long a child may take to end itself after SIGTERM: workerd flushes its storage within a second. */
export const CHILD_GRACE_MS = 5_000;
/** Between two looks at a port or a process that is about to be ready: short against what people notice. */
export const POLL_MS = 50;
/** One HTTP look at a server that may hang while it starts. */
export const HTTP_TRY_MS = 2_000;
/** Text of a quiet child that is kept for the case that it fails: its end is what says why. */
export const KEPT_OUTPUT_CHARS = 200_000;
