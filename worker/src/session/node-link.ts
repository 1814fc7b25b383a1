import { CLOSE, type CloseName, decodeFrame, negotiate, type SessionDown, SessionUp } from "@reprise/protocol";
import { z } from "zod";

export const NODE_TAG = "node";

const LinkState = z.object({
  kind: z.literal("node"),
  node_id: z.string(),
  spool_id: z.string().nullable(),
  greeted: z.boolean(),
});

type Links = Pick<DurableObjectState, "getWebSockets" | "acceptWebSocket">;

/** The one socket to the session's node (K1, K2). The newest that the Worker let in counts; an older one yields. */
export class NodeLink {
  readonly #ctx: Links;

  constructor(ctx: Links) {
    this.#ctx = ctx;
  }

  accept(ws: WebSocket, node_id: string): void {
    for (const old of this.#ctx.getWebSockets(NODE_TAG)) close(old, "replaced");
    this.#ctx.acceptWebSocket(ws, [NODE_TAG]);
    ws.serializeAttachment({ kind: "node", node_id, spool_id: null, greeted: false });
  }

  /** A socket is there that has said hello. */
  get greeted(): boolean {
    return this.#ctx.getWebSockets(NODE_TAG).some((ws) => this.#state(ws).greeted && ws.readyState === WebSocket.OPEN);
  }

  /** @returns whether a greeted socket took it. A lost frame is said again at the next hello. */
  send(frame: SessionDown): boolean {
    let sent = false;
    for (const ws of this.#ctx.getWebSockets(NODE_TAG)) {
      if (!this.#state(ws).greeted) continue;
      try {
        ws.send(JSON.stringify(frame));
        sent = true;
      } catch {
        // Closing already: the daemon comes back with a hello.
      }
    }
    return sent;
  }

  /** Bytes or nonsense get an error frame and a close; a hello must come first. @returns the frame to act on. */
  receive(ws: WebSocket, raw: string | ArrayBuffer): SessionUp | null {
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
      ws.serializeAttachment({ ...this.#state(ws), spool_id: frame.spool_id, greeted: true });
      return frame;
    }
    if (this.#state(ws).greeted) return frame;
    close(ws, "bad_frame");
    return null;
  }

  #state(ws: WebSocket): z.infer<typeof LinkState> {
    return LinkState.parse(ws.deserializeAttachment());
  }
}

export function close(ws: WebSocket, why: CloseName): void {
  try {
    ws.close(CLOSE[why], why);
  } catch {
    // Already closed.
  }
}
