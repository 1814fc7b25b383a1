import {
  type CloseName,
  decodeFrame,
  negotiate,
  type SessionDown,
  SessionUp,
  TerminalSupport,
} from "@reprise/protocol";
import { z } from "zod";
import { attachmentOf, close } from "./sockets.ts";

export const NODE_TAG = "node";

const LinkState = z.object({
  kind: z.literal("node"),
  node_id: z.string(),
  greeted: z.boolean(),
  /** Its `idle` was answered: it is about to close, unless it says something else first (K1). */
  released: z.boolean(),
  /** What its hello said; null: it knows no terminals. */
  terminals: TerminalSupport.nullable().default(null),
});
type LinkState = z.infer<typeof LinkState>;

type Links = Pick<DurableObjectState, "getWebSockets" | "acceptWebSocket">;

/** The one socket to the session's node (K1, K2). The newest that said a hello counts; an older one yields. */
export class NodeLink {
  readonly #ctx: Links;
  #caught: SessionDown[] | null = null;

  constructor(ctx: Links) {
    this.#ctx = ctx;
  }

  accept(ws: WebSocket, node_id: string): void {
    this.#ctx.acceptWebSocket(ws, [NODE_TAG]);
    save(ws, { kind: "node", node_id, greeted: false, released: false, terminals: null });
  }

  /** A socket is there that has said hello, and isn't about to close. */
  get greeted(): boolean {
    return this.#open().some(([, state]) => state.greeted && !state.released);
  }

  /** What is said to the node meanwhile, for the answer of its POST (N3). */
  caught(run: () => void): SessionDown[] {
    const frames: SessionDown[] = [];
    this.#caught = frames;
    try {
      run();
    } finally {
      this.#caught = null;
    }
    return frames;
  }

  /** `away`: there is no such socket. `unknown`: its node is older than terminals. */
  get terminals(): TerminalSupport | "away" | "unknown" {
    const there = this.#open().find(([, state]) => state.greeted && !state.released);
    return there ? (there[1].terminals ?? "unknown") : "away";
  }

  /** A lost frame is said again at the next hello. */
  send(frame: SessionDown): void {
    if (this.#caught !== null) {
      this.#caught.push(frame);
      return;
    }
    for (const [ws, state] of this.#open()) {
      if (!state.greeted) continue;
      try {
        ws.send(JSON.stringify(frame));
      } catch {
        // Closing already: the daemon comes back with a hello.
      }
    }
  }

  /** Let it close. Until it has, it may still be told things, but nobody counts on it: a want is needed. */
  release(ws: WebSocket | null): void {
    const state = ws && attachmentOf(ws, LinkState);
    if (ws !== null && state === null) return;
    this.send({ type: "idle.ok" });
    if (ws !== null && state !== null) save(ws, { ...state, released: true });
  }

  /** End every socket; what one of them still says is not heard. */
  cut(why: CloseName, but?: WebSocket): void {
    for (const [ws] of this.#open()) {
      if (ws === but) continue;
      ws.serializeAttachment({ kind: "ended" });
      close(ws, why);
    }
  }

  /** Bytes or nonsense get an error frame and a close; a hello must come first. @returns the frame to act on. */
  receive(ws: WebSocket, raw: string | ArrayBuffer): SessionUp | null {
    const state = attachmentOf(ws, LinkState);
    if (state === null) return null;
    const decoded =
      typeof raw === "string"
        ? decodeFrame(raw, SessionUp)
        : { ok: false as const, code: "invalid_json" as const, message: "Text frames only." };
    if (!decoded.ok) {
      ws.send(
        JSON.stringify({
          type: "error",
          code: decoded.code,
          message: decoded.message,
          retry: "backoff",
          ...("field" in decoded && decoded.field ? { field: decoded.field } : {}),
        }),
      );
      close(ws, "bad_frame");
      return null;
    }
    const { frame } = decoded;
    if (frame.type === "session.hello") {
      if (negotiate(frame.protocol_version) === null) {
        close(ws, "protocol_too_old");
        return null;
      }
      // Only now: a socket that never says who it is must not cost the session the one that works.
      this.cut("replaced", ws);
      save(ws, { ...state, greeted: true, released: false, terminals: frame.terminals ?? null });
      return frame;
    }
    if (!state.greeted) {
      close(ws, "bad_frame");
      return null;
    }
    if (state.released) save(ws, { ...state, released: false });
    return frame;
  }

  #open(): [WebSocket, LinkState][] {
    return this.#ctx.getWebSockets(NODE_TAG).flatMap((ws): [WebSocket, LinkState][] => {
      const state = ws.readyState === WebSocket.OPEN ? attachmentOf(ws, LinkState) : null;
      return state === null ? [] : [[ws, state]];
    });
  }
}

function save(ws: WebSocket, state: LinkState): void {
  ws.serializeAttachment(state);
}
