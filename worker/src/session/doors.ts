import { PROTOCOL_VERSION, type SessionUp } from "@reprise/protocol";
import type { SessionCore } from "./core/state.ts";
import { eventOf } from "./node-frames.ts";
import { NODE_TAG } from "./node-link.ts";
import type { SessionShell } from "./shell.ts";
import { closeBack, upgrade } from "./sockets.ts";
import { greeting, previewFrame, SNAPSHOT_ROWS, snapshot } from "./viewer-frames.ts";
import { MAX_VIEWERS, VIEWER_TAG } from "./viewers.ts";

/** The sockets of one session: its viewers', and its node's. The Worker has authenticated both. */
export class SessionDoors {
  readonly #ctx: Pick<DurableObjectState, "getTags">;
  readonly #shell: SessionShell;

  constructor(ctx: Pick<DurableObjectState, "getTags">, shell: SessionShell) {
    this.#ctx = ctx;
    this.#shell = shell;
  }

  open(request: Request): Response {
    const url = new URL(request.url);
    const core = this.#shell.core;
    if (core === null) return new Response(null, { status: 404 });
    if (url.pathname === "/node") {
      const node = request.headers.get("x-reprise-node");
      if (node !== core.node_id || core.removed) return new Response(null, { status: 403 });
      return upgrade((ws) => this.#shell.link.accept(ws, core.node_id));
    }
    if (core.removed) return new Response(null, { status: 404 });
    if (this.#shell.viewers.count >= MAX_VIEWERS) return new Response(null, { status: 429 });
    const since = url.searchParams.get("since");
    const at = { log: url.searchParams.get("log"), since: since === null ? null : Number(since) };
    return upgrade((ws) => {
      this.#shell.viewers.attach(ws);
      for (const frame of greeting(core, this.#shell.store, at, Date.now())) this.#shell.viewers.send(ws, frame);
      this.#sendPreviews(core, ws);
      this.#shell.watchersChanged();
    });
  }

  message(ws: WebSocket, raw: string | ArrayBuffer): void {
    const core = this.#shell.core;
    if (core === null) return;
    if (!this.#ctx.getTags(ws).includes(NODE_TAG)) {
      this.#viewerSays(core, ws, raw);
      return;
    }
    const frame = this.#shell.link.receive(ws, raw);
    if (frame) this.#nodeSays(core, ws, frame);
  }

  closed(ws: WebSocket, code: number): void {
    closeBack(ws, code);
    this.gone(ws);
  }

  gone(ws: WebSocket): void {
    if (this.#ctx.getTags(ws).includes(VIEWER_TAG)) this.#shell.watchersChanged(ws);
  }

  #viewerSays(core: SessionCore, ws: WebSocket, raw: string | ArrayBuffer): void {
    const wish = this.#shell.viewers.receive(ws, raw);
    if (wish.type === "snapshot") {
      const page = this.#shell.store.page(core.log_id, undefined, SNAPSHOT_ROWS);
      this.#shell.viewers.send(ws, snapshot(core, page, "slow", Date.now()));
      this.#sendPreviews(core, ws);
    }
    if (wish.type === "whole") {
      const known = this.#shell.previews.get(wish.item_id);
      if (known) this.#shell.viewers.send(ws, previewFrame(core, known));
      else this.#shell.link.send({ type: "preview.whole", item_id: wish.item_id });
    }
  }

  #sendPreviews(core: SessionCore, ws: WebSocket): void {
    for (const p of this.#shell.previews.all()) this.#shell.viewers.send(ws, previewFrame(core, p));
  }

  #nodeSays(core: SessionCore, ws: WebSocket, frame: SessionUp): void {
    switch (frame.type) {
      case "session.hello":
        this.#shell.link.send({
          type: "session.welcome",
          protocol_version: PROTOCOL_VERSION,
          acked: frame.spool_id === null ? 0 : (core.marks[frame.spool_id] ?? 0),
          watched: this.#shell.viewers.count > 0,
        });
        break;
      case "preview": {
        const fresh = this.#shell.previews.take(frame);
        if (fresh === "gap") this.#shell.link.send({ type: "preview.whole", item_id: frame.item_id });
        else if (fresh !== "known") this.#shell.viewers.broadcast(previewFrame(core, fresh));
        break;
      }
      case "idle":
        if (isQuiet(core)) this.#shell.link.release(ws);
        break;
      case "error":
        console.warn({ ...frame, message: `node: ${frame.message}`, session_id: core.session_id });
        break;
      default:
        break;
    }
    const event = eventOf(frame);
    if (event) this.#shell.event(event);
  }
}

/** Nothing is on its way to the host (K1). */
function isQuiet(core: SessionCore): boolean {
  const cancelling = core.turn?.end === null && core.turn.cancel_requested_at !== null;
  return !cancelling && !core.prompts.some((p) => p.state === "sent") && core.approvals.every((a) => a.answer === null);
}
