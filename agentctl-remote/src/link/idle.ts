/**
 * When a session's socket may close (K1), as a pure machine. Closing is a handshake: `idle`, then `idle.ok`. A frame in
 * between means that the other side had something to say, so we ask again later.
 */
export type IdleState =
  | { phase: "busy" }
  /** Nothing to say since `timerAt` less the pause. */
  | { phase: "quiet"; timerAt: number }
  | { phase: "asked"; timerAt: number };

export type IdleEvent =
  | { type: "need"; need: boolean }
  | { type: "frame" }
  | { type: "idle_ok" }
  | { type: "timer" }
  | { type: "reset" };
export type IdleEffect = { type: "ask" } | { type: "close" } | { type: "arm"; at: number };

export const BUSY: IdleState = { phase: "busy" };

/** One step. `close` comes only from the other side's consent. */
export function idleStep(
  state: IdleState,
  event: IdleEvent,
  now: number,
  limits: { quietMs: number; answerMs: number },
): { state: IdleState; effects: IdleEffect[] } {
  const quiet = (): { state: IdleState; effects: IdleEffect[] } => {
    const timerAt = now + limits.quietMs;
    return { state: { phase: "quiet", timerAt }, effects: [{ type: "arm", at: timerAt }] };
  };
  switch (event.type) {
    case "reset":
      return { state: BUSY, effects: [] };
    case "need":
      if (event.need) return { state: state.phase === "asked" ? state : BUSY, effects: [] };
      return state.phase === "busy" ? quiet() : { state, effects: [] };
    case "frame":
      return state.phase === "busy" ? { state, effects: [] } : quiet();
    case "idle_ok":
      // The other side counts on it now, so even new need leads over a close (and a new socket).
      return state.phase === "asked" ? { state: BUSY, effects: [{ type: "close" }] } : { state, effects: [] };
    case "timer": {
      if (state.phase === "busy") return { state, effects: [] };
      if (now < state.timerAt) return { state, effects: [{ type: "arm", at: state.timerAt }] };
      const timerAt = now + limits.answerMs;
      return { state: { phase: "asked", timerAt }, effects: [{ type: "ask" }, { type: "arm", at: timerAt }] };
    }
    default:
      return event satisfies never;
  }
}
