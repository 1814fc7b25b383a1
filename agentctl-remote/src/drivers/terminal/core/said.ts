/**
 * What a terminal agent said of itself through its hooks or plugin, whatever its own words for it are. `id` is the
 * agent's own session id, of its main conversation: what subagents say is not told.
 */
export type Said =
  /** It serves this conversation now: it started, was resumed, or its person went to another one inside it. */
  | { type: "conversation"; id: string }
  | { type: "prompted"; id: string }
  | { type: "turn_over"; id: string; outcome: "done" | "failed"; message: string | null }
  /** It waits for input: no turn is open any more, though none was told to be over (it was interrupted by its person). */
  | { type: "idle"; id: string }
  /** It asks what only its terminal can answer. */
  | { type: "asks"; id: string; text: string }
  /** It ends. `explicit`: its person ended it there (`/exit`, Ctrl-D), which a signal can't look like. */
  | { type: "goodbye"; id: string; reason: string; explicit: boolean };
