import { type CloseName, decodeFrame, MAX_PANES, type PaneUp, type ViewerDown, ViewerUp } from "@reprise/protocol";
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
const ViewerState = z.object({
  kind: z.literal("viewer"),
  id: z.string(),
  sent: z.number(),
  seen: z.number(),
  paused: z.boolean(),
  /** The terminals' panes that it has open. */
  panes: z.array(z.string()),
});
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
    const id = `vwr_${crypto.randomUUID()}`;
    // Also a tag, so that a pane's bytes find their viewer without a look at all of them.
    this.#ctx.acceptWebSocket(ws, [VIEWER_TAG, id]);
    this.#save(ws, { kind: "viewer", id, sent: 0, seen: 0, paused: false, panes: [] });
  }

  idOf(ws: WebSocket): string | null {
    return attachmentOf(ws, ViewerState)?.id ?? null;
  }

  hasPanes(ws: WebSocket): boolean {
    return (attachmentOf(ws, ViewerState)?.panes.length ?? 0) > 0;
  }

  /** Notes that it opened or closed a pane. @returns false when it has as many as it may */
  holdsPane(ws: WebSocket, pane: string, open: boolean): boolean {
    const state = attachmentOf(ws, ViewerState);
    if (state === null || state.panes.includes(pane) === open) return true;
    if (open && state.panes.length >= MAX_PANES) return false;
    this.#save(ws, { ...state, panes: open ? [...state.panes, pane] : state.panes.filter((each) => each !== pane) });
    return true;
  }

  /** The viewers that have a pane open. */
  withPanes(): string[] {
    return this.#ctx.getWebSockets(VIEWER_TAG).flatMap((ws) => {
      const state = ws.readyState === WebSocket.OPEN ? attachmentOf(ws, ViewerState) : null;
      return state !== null && state.panes.length > 0 ? [state.id] : [];
    });
  }

  /** A terminal's frame, to whom it is for; a pane has its own credit, so it is neither counted nor held back (B2). */
  sendPane(id: string, frame: ViewerDown): boolean {
    const ws = this.#ctx.getWebSockets(id)[0];
    if (ws === undefined || ws.readyState !== WebSocket.OPEN) return false;
    write(ws, JSON.stringify(frame));
    return true;
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
   * behind, an item's whole text, or something for a terminal.
   */
  receive(
    ws: WebSocket,
    raw: string | ArrayBuffer,
  ): { type: "nothing" } | { type: "snapshot" } | { type: "whole"; item_id: string } | { type: "pane"; frame: PaneUp } {
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
    if (frame.type !== "seen") return { type: "pane", frame };
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
