import { decodeFrame, type ViewerDown, ViewerUp } from "@reprise/protocol";
import { z } from "zod";

/** L4: a viewer that has not acknowledged this much gets nothing more, then a snapshot. */
const MAX_UNSEEN_BYTES = 256 * 1024;
/** It goes on once it has caught up to this. */
const RESUME_UNSEEN_BYTES = 64 * 1024;
/** Open pages of one session. */
export const MAX_VIEWERS = 200;

export const VIEWER_TAG = "viewer";

/** Kept in the socket's attachment, so that it survives hibernation. */
const ViewerState = z.object({ kind: z.literal("viewer"), sent: z.number(), seen: z.number(), paused: z.boolean() });
type ViewerState = z.infer<typeof ViewerState>;

/**
 * The session's viewers and their flow control (L4). The platform has no `bufferedAmount`, so what a viewer has taken in
 * is what it says it has.
 */
export class Viewers {
  readonly #ctx: Pick<DurableObjectState, "getWebSockets" | "acceptWebSocket">;

  constructor(ctx: Pick<DurableObjectState, "getWebSockets" | "acceptWebSocket">) {
    this.#ctx = ctx;
  }

  get count(): number {
    return this.#ctx.getWebSockets(VIEWER_TAG).length;
  }

  /** Without one whose close is just being told. */
  others(leaving: WebSocket | undefined): number {
    return this.#ctx.getWebSockets(VIEWER_TAG).filter((ws) => ws !== leaving).length;
  }

  attach(ws: WebSocket): void {
    this.#ctx.acceptWebSocket(ws, [VIEWER_TAG]);
    this.#save(ws, { kind: "viewer", sent: 0, seen: 0, paused: false });
  }

  /** To everyone who keeps up. */
  broadcast(frame: ViewerDown): void {
    const sockets = this.#ctx.getWebSockets(VIEWER_TAG);
    if (sockets.length === 0) return;
    const text = JSON.stringify(frame);
    for (const ws of sockets) this.#send(ws, text);
  }

  send(ws: WebSocket, frame: ViewerDown): void {
    this.#send(ws, JSON.stringify(frame));
  }

  /**
   * A frame from a viewer. @returns what the session has to do about it: nothing, a snapshot for one that had fallen
   * behind, or an item's whole text.
   */
  receive(ws: WebSocket, raw: string): { type: "nothing" } | { type: "snapshot" } | { type: "whole"; item_id: string } {
    const decoded = decodeFrame(raw, ViewerUp);
    if (!decoded.ok) {
      this.send(ws, {
        type: "error",
        code: decoded.code,
        message: decoded.message,
        retry: "never",
        ...(decoded.field ? { field: decoded.field } : {}),
      });
      return { type: "nothing" };
    }
    const { frame } = decoded;
    if (frame.type === "whole") return frame;
    const state = this.#state(ws);
    const seen = Math.min(Math.max(state.seen, frame.bytes), state.sent);
    const caughtUp = state.paused && state.sent - seen <= RESUME_UNSEEN_BYTES;
    this.#save(ws, { ...state, seen, paused: state.paused && !caughtUp });
    return caughtUp ? { type: "snapshot" } : { type: "nothing" };
  }

  #send(ws: WebSocket, text: string): void {
    const state = this.#state(ws);
    if (state.paused) return;
    const sent = state.sent + text.length;
    // A single large frame to one who keeps up always goes out: a snapshot may be larger than the limit.
    const paused = sent - state.seen > MAX_UNSEEN_BYTES && state.sent !== state.seen;
    this.#save(ws, { ...state, sent: paused ? state.sent : sent, paused });
    if (paused) return;
    try {
      ws.send(text);
    } catch {
      // Closing already: its close event follows, and it will come back with its cursor.
    }
  }

  #state(ws: WebSocket): ViewerState {
    return ViewerState.parse(ws.deserializeAttachment());
  }

  #save(ws: WebSocket, state: ViewerState): void {
    ws.serializeAttachment(state);
  }
}
