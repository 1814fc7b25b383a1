/** Longer texts are no script but a person's words, such as recovered progress, which quotes earlier script words. */
export const MAX_SCRIPT_LINES = 8;
/** How often `ignore-cancel` shows that it goes on. */
export const STUBBORN_MS = 100;
/** An `ignore-cancel` that nobody kills ends by itself, so that no test leaves a process behind. */
export const STUBBORN_END_MS = 10 * 60_000;
/** How long after the answer to a load the late replay comes: after the answer was read, before a person types. */
export const LATE_REPLAY_MS = 50;
