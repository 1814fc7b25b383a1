/** The fleet: as many machines, sessions and processes as the budget names (design §7), on one machine of two cores. */
export const MACHINES = 20;
export const PROCESSES = 4;
/** One word of a streaming answer. */
export const WORD_MS = 500;
/** An open answer's checkpoint in the spool, as real drivers write it (L3: 2 to 5 s). */
export const CHECKPOINT_MS = 3_000;
/** From an agent's spawn to its readiness: of the quick ones, and of one whose conversation is long to load. */
export const START_MS = 300;
export const SLOW_LOAD_MS = 6_000;
/** X5's "a start that takes long", shortened, so that a slow load moves to the slow lane within the test. */
export const SLOW_START_MS = 3_000;
/** A busy process notes a start a little after it was granted. */
export const NOTE_SLACK_MS = 500;
/** A spool's kept-back space: 500 of the real size would only fill the disk of the machine that plays all of them. */
export const RESERVE_BYTES = 4_096;
/** Requests of the test's own client at a time while it makes the sessions. */
export const SETUP_CONCURRENCY = 12;
/** Between two listings while executors come back: each is a whole page's work for the control plane. */
export const LOOK_MS = 1_000;
/** Whatever takes longer than this has failed; budgets are far below. */
export const PATIENCE_MS = 120_000;
