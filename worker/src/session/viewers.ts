import { type CloseName, decodeFrame, type ViewerDown, ViewerUp } from "@reprise/protocol";
import { z } from "zod";
import { attachmentOf, close } from "./sockets.ts";

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

  /** A last word to all, also to those who fell behind; then every socket ends. */
  end(last: ViewerDown, why: CloseName): void {
    const text = JSON.stringify(last);
    for (const ws of this.#ctx.getWebSockets(VIEWER_TAG)) {
      write(ws, text);
      close(ws, why);
    }
  }

  /**
   * A frame from a viewer. @returns what the session has to do about it: nothing, a snapshot for one that had fallen
   * behind, or an item's whole text.
   */
  receive(
    ws: WebSocket,
    raw: string | ArrayBuffer,
  ): { type: "nothing" } | { type: "snapshot" } | { type: "whole"; item_id: string } {
    const decoded =
      typeof raw === "string"
        ? decodeFrame(raw, ViewerUp)
        : { ok: false as const, code: "invalid_json" as const, message: "Text frames only." };
    if (!decoded.ok) {
      this.send(ws, {
        type: "error",
        code: decoded.code,
        message: decoded.message,
        retry: "never",
        ...("field" in decoded && decoded.field ? { field: decoded.field } : {}),
      });
      return { type: "nothing" };
    }
    const { frame } = decoded;
    if (frame.type === "whole") return frame;
    const state = attachmentOf(ws, ViewerState);
    if (state === null) return { type: "nothing" };
    const seen = Math.min(Math.max(state.seen, frame.bytes), state.sent);
    const caughtUp = state.paused && state.sent - seen <= RESUME_UNSEEN_BYTES;
    this.#save(ws, { ...state, seen, paused: state.paused && !caughtUp });
    return caughtUp ? { type: "snapshot" } : { type: "nothing" };
  }

  #send(ws: WebSocket, text: string): void {
    const state = attachmentOf(ws, ViewerState);
    if (state === null || state.paused) return;
    const sent = state.sent + text.length;
    // A single large frame to one who keeps up always goes out: a snapshot may be larger than the limit.
    const paused = sent - state.seen > MAX_UNSEEN_BYTES && state.sent !== state.seen;
    this.#save(ws, { ...state, sent: paused ? state.sent : sent, paused });
    if (!paused) write(ws, text);
  }

  #save(ws: WebSocket, state: ViewerState): void {
    ws.serializeAttachment(state);
  }
}

function write(ws: WebSocket, text: string): void {
  try {
    ws.send(text);
  } catch {
    // Closing already: its close event follows, and it will come back with its cursor.
  }
}
