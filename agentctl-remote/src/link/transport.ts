import type { LinkTrouble } from "./core.ts";

/**
 * Which way the control link goes (N3), as a pure machine over two links that each come back by themselves (N4): the
 * socket is tried always, plain HTTP once there are signs that the network breaks WebSockets. HTTP is taken only when it
 * is seen to work, so a control plane that is away changes nothing; the socket is taken back as soon as it is up.
 */
export type TransportState =
  /** `signs` against WebSockets since they last worked. */
  | { mode: "socket"; signs: number }
  /** Plain HTTP is asked whether it works. */
  | { mode: "trial" }
  | { mode: "http" }
  | { mode: "closed" };

export type TransportEvent =
  | { type: "socket_up" }
  /** @param healthy it had been up for long enough */
  | { type: "socket_down"; trouble: LinkTrouble; healthy: boolean }
  | { type: "http_up" }
  | { type: "http_down" }
  | { type: "close" };

export type TransportEffect = { type: "open_http" } | { type: "close_http" } | { type: "use"; transport: Transport };
export type Transport = "websocket" | "http";

export interface TransportStep {
  state: TransportState;
  effects: TransportEffect[];
}

/** Before anything happened: WebSockets are expected to work. */
export const FRESH: TransportState = { mode: "socket", signs: 0 };

/** So many signs, and plain HTTP is tried. */
const ENOUGH = 3;

/**
 * What each trouble says against WebSockets. Whatever answers an upgrade with a status of its own is no control plane
 * that is merely away; what the control plane says itself, by a close code, is no sign at all.
 */
const SIGNS: Record<LinkTrouble, number> = {
  refused: ENOUGH,
  forbidden: ENOUGH,
  not_found: ENOUGH,
  mute: 2,
  lost: 1,
  unreachable: 1,
  silent: 1,
  bad_frame: 0,
  credential_expired: 0,
  replaced: 0,
  starting: 0,
  stale: 0,
  too_old: 0,
  woke: 0,
};

/** One step. Never throws; an event that does not concern the state leaves it. */
export function transportStep(state: TransportState, event: TransportEvent): TransportStep {
  if (state.mode === "closed") return { state, effects: [] };
  switch (event.type) {
    case "close":
      return { state: { mode: "closed" }, effects: state.mode === "socket" ? [] : [{ type: "close_http" }] };
    case "socket_up":
      return socketUp(state);
    case "socket_down": {
      if (state.mode !== "socket") return { state, effects: [] };
      const signs = (event.healthy ? 0 : state.signs) + SIGNS[event.trouble];
      if (signs < ENOUGH) return { state: { mode: "socket", signs }, effects: [] };
      return { state: { mode: "trial" }, effects: [{ type: "open_http" }] };
    }
    case "http_up":
      if (state.mode !== "trial") return { state, effects: [] };
      return { state: { mode: "http" }, effects: [{ type: "use", transport: "http" }] };
    case "http_down":
      // Nothing works: it isn't WebSockets that are broken.
      if (state.mode !== "trial") return { state, effects: [] };
      return { state: FRESH, effects: [{ type: "close_http" }] };
    default:
      return event satisfies never;
  }
}

function socketUp(state: Exclude<TransportState, { mode: "closed" }>): TransportStep {
  switch (state.mode) {
    case "socket":
      return { state, effects: [] };
    case "trial":
      return { state: FRESH, effects: [{ type: "close_http" }] };
    case "http":
      // One more cut, and it is HTTP again: it has been broken before.
      return {
        state: { mode: "socket", signs: ENOUGH - 1 },
        effects: [{ type: "close_http" }, { type: "use", transport: "websocket" }],
      };
    default:
      return state satisfies never;
  }
}
