import {
  CLOSE,
  type ExchangeAnswer,
  type ExchangeBody,
  isTerminalUp,
  negotiate,
  PROTOCOL_VERSION,
  type SessionUp,
} from "@reprise/protocol";
import type { SessionCore } from "./core/state.ts";
import { eventOf } from "./node-frames.ts";
import { NODE_TAG } from "./node-link.ts";
import { Repeats } from "./repeats.ts";
import type { SessionShell } from "./shell.ts";
import { closeBack, upgrade } from "./sockets.ts";
import { greeting, previewFrame, SNAPSHOT_ROWS, snapshot } from "./viewer-frames.ts";
import { MAX_VIEWERS, VIEWER_TAG } from "./viewers.ts";

/** The sockets of one session: its viewers', and its node's. The Worker has authenticated both. */
export class SessionDoors {
  readonly #ctx: Pick<DurableObjectState, "getTags">;
  readonly #shell: SessionShell;
  readonly #repeats = new Repeats();

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

  /**
   * N3: a POST in the place of a socket. Its frames first; then all that is on its way to the host, unless that was said
   * a moment ago: nobody tells us whether an answer arrived.
   */
  exchange(core: SessionCore, { hello, frames }: ExchangeBody): ExchangeAnswer {
    if (hello && negotiate(hello.protocol_version) === null) return { frames: [], close: CLOSE.protocol_too_old };
    // A straggler of a connection that a socket has followed: what it brings comes again over that one.
    if (!hello && this.#shell.link.greeted) return { frames: [], close: CLOSE.stale };
    if (hello) {
      // Whatever socket is there is of a network that breaks them; should it live after all, it may come back at once.
      this.#shell.link.cut("stale");
      this.#repeats.clear();
    }
    this.#shell.terminals.posted();
    const answered = this.#shell.link.caught(() => {
      if (hello) this.#nodeSays(core, null, hello);
      for (const frame of frames) if (frame.type !== "session.hello") this.#nodeSays(core, null, frame);
    });
    this.#repeats.note(answered, Date.now());
    const outstanding = hello ? [] : this.#shell.link.caught(() => void this.#shell.event(AGAIN));
    const watch = { type: "watch", on: this.#shell.viewers.count > 0 } as const;
    const fresh = this.#repeats.fresh(outstanding, Date.now());
    return { frames: [...answered, ...fresh, ...(hello ? [] : [watch])], close: null };
  }

  closed(ws: WebSocket, code: number): void {
    closeBack(ws, code);
    this.gone(ws);
  }

  gone(ws: WebSocket): void {
    const core = this.#shell.core;
    const tags = this.#ctx.getTags(ws);
    if (tags.includes(VIEWER_TAG)) {
      this.#shell.terminals.viewerGone(ws);
      this.#shell.watchersChanged(ws);
    } else if (tags.includes(NODE_TAG) && core !== null && !this.#shell.link.greeted)
      this.#shell.terminals.linkChanged(core);
  }

  #viewerSays(core: SessionCore, ws: WebSocket, raw: string | ArrayBuffer): void {
    const wish = this.#shell.viewers.receive(ws, raw);
    if (wish.type === "pane") this.#shell.terminals.fromViewer(core, ws, wish.frame);
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

  /** @param ws null: it came by plain HTTP */
  #nodeSays(core: SessionCore, ws: WebSocket | null, frame: SessionUp): void {
    if (isTerminalUp(frame)) {
      this.#shell.terminals.fromNode(core, frame);
      return;
    }
    switch (frame.type) {
      case "session.hello":
        this.#shell.link.send({
          type: "session.welcome",
          protocol_version: PROTOCOL_VERSION,
          acked: frame.spool_id === null ? 0 : (core.marks[frame.spool_id] ?? 0),
          watched: this.#shell.viewers.count > 0,
        });
        this.#shell.terminals.linkChanged(core);
        break;
      case "preview": {
        const fresh = this.#shell.previews.take(frame);
        if (fresh === "gap") this.#shell.link.send({ type: "preview.whole", item_id: frame.item_id });
        else if (fresh !== "known") this.#shell.viewers.broadcast(previewFrame(core, fresh));
        break;
      }
      case "idle":
        if (isQuiet(this.#shell.core ?? core) && this.#shell.viewers.withPanes().length === 0)
          this.#shell.link.release(ws);
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

/** A hello without a spool: say again what may have been lost. */
const AGAIN = { type: "link.hello", spool_id: null } as const;

/** Nothing is on its way to the host (K1). */
function isQuiet(core: SessionCore): boolean {
  const cancelling = core.turn?.end === null && core.turn.cancel_requested_at !== null;
  return !cancelling && !core.prompts.some((p) => p.state === "sent") && core.approvals.every((a) => a.answer === null);
}
