import {
  decodeFrame,
  type EventsPage,
  isTerminalUp,
  type PaneDown,
  type PaneUp,
  type SessionStatus,
  ViewerDown,
  type ViewerUp,
} from "@reprise/protocol";
import type { Client } from "../client.ts";
import { at } from "../http/path.ts";
import { SEEN_BYTES, SEEN_MS } from "../limits.ts";
import { Link, type LinkEnvironment, realEnvironment } from "../link/link.ts";
import { globalSocket, socketUrl } from "../link/socket.ts";
import { emptySession, type SessionCopy, type SessionEvent } from "./state.ts";
import { stepSession } from "./store.ts";

export interface SessionSocketOptions {
  client: Client;
  sessionId: string;
  /** From the page's data: the socket goes on from its cursor. */
  hydrate?: { status: SessionStatus; events: EventsPage } | undefined;
  /** Every frame, for those who watch events rather than the copy. */
  onFrame?: ((frame: ViewerDown) => void) | undefined;
  /** A frame that could not be read: the page is older than the server, or the server is wrong. */
  onBadFrame?: ((problem: { code: string; message: string; field?: string | undefined }) => void) | undefined;
  environment?: LinkEnvironment | undefined;
}

/** What a pane of a terminal hears of its socket. */
export interface PaneListener {
  frame(frame: PaneDown): void;
  /** The way to the host is there (again), or gone. */
  link(up: boolean): void;
}

/** A live copy of one session: `state` is the newest, `subscribe` tells of each change. */
export class SessionSocket {
  readonly #options: SessionSocketOptions;
  readonly #env: LinkEnvironment;
  readonly #link: Link;
  readonly #listeners = new Set<() => void>();
  readonly #panes = new Set<PaneListener>();
  #state: SessionCopy;
  /** Received on this socket, and how much of it was acknowledged (L4). */
  #bytes = 0;
  #seenBytes = 0;
  #seenTimer: (() => void) | null = null;

  constructor(options: SessionSocketOptions) {
    const { client, sessionId } = options;
    this.#options = options;
    this.#env = options.environment ?? realEnvironment(globalSocket(client.token));
    this.#state = emptySession(sessionId, this.#env.now());
    if (options.hydrate)
      this.#state = stepSession(this.#state, { type: "hydrate", ...options.hydrate }, this.#env.now()).state;
    this.#link = new Link(this.#env, {
      url: () => this.#url(),
      opened: () => this.#startCounting(),
      text: (raw) => this.#onText(raw),
      lost: () => this.#on({ type: "lost" }),
      refused: (refusal) => this.#on({ type: "refused", refusal }),
      ask: () => client.sessions.status(sessionId),
    });
  }

  get state(): SessionCopy {
    return this.#state;
  }

  /** @returns a function that ends the subscription */
  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** A terminal's pane over this socket. @returns how it speaks, and leaves */
  pane(listener: PaneListener): { send: (frame: PaneUp) => void; leave: () => void } {
    this.#panes.add(listener);
    if (this.#state.connection.kind === "live") listener.link(true);
    return { send: (frame) => this.#send(frame), leave: () => this.#panes.delete(listener) };
  }

  start(): void {
    this.#link.on({ type: "start" });
  }

  stop(): void {
    this.#link.on({ type: "stop" });
    this.#startCounting();
    this.#on({ type: "lost" });
  }

  /** The page is visible again, or the system online: don't wait for the next try. */
  wake(): void {
    this.#link.on({ type: "wake" });
  }

  /** Fetches the history before what is here. @returns whether there is more */
  async loadOlder(limit?: number): Promise<boolean> {
    const { log, session_id } = this.#state;
    if (log === null || log.from_pos === 0) return false;
    const before = log.from_pos;
    const query = limit === undefined ? { before } : { before, limit };
    const page = await this.#options.client.sessions.events(session_id, query);
    this.#on({ type: "older", before, page });
    return (this.#state.log?.from_pos ?? 0) > 0;
  }

  #url(): string {
    const { log, session_id } = this.#state;
    const query = log ? { log: log.log_id, since: log.cursor } : undefined;
    return socketUrl(this.#options.client.origin, at`/api/sessions/${session_id}/ws`, query);
  }

  #on(event: SessionEvent): void {
    const { state, effects } = stepSession(this.#state, event, this.#env.now());
    const changed = state !== this.#state;
    const live = state.connection.kind === "live";
    const relinked = live !== (this.#state.connection.kind === "live");
    this.#state = state;
    if (relinked) for (const pane of [...this.#panes]) pane.link(live);
    for (const effect of effects) {
      switch (effect.type) {
        case "whole":
          this.#send({ type: "whole", item_id: effect.item_id });
          break;
        case "restart":
          this.#link.on({ type: "restart" });
          break;
      }
    }
    if (changed) for (const listener of [...this.#listeners]) listener();
  }

  #onText(raw: string): void {
    const decoded = decodeFrame(raw, ViewerDown);
    if (decoded.ok && this.#toPanes(decoded.frame)) return;
    if (decoded.ok) {
      this.#on({ type: "frame", frame: decoded.frame });
      this.#options.onFrame?.(decoded.frame);
    } else this.#options.onBadFrame?.(decoded);
    this.#count(raw);
  }

  /** Terminals have a credit of their own (B2): the server does not count their frames, so neither do we. */
  #toPanes(frame: ViewerDown): boolean {
    if (frame.type === "terminal.link") for (const pane of [...this.#panes]) pane.link(frame.up);
    else if (isTerminalUp(frame)) for (const pane of [...this.#panes]) pane.frame(frame);
    else return false;
    this.#options.onFrame?.(frame);
    return true;
  }

  #send(frame: ViewerUp): void {
    this.#link.send(JSON.stringify(frame));
  }

  #startCounting(): void {
    this.#bytes = 0;
    this.#seenBytes = 0;
    this.#seenTimer?.();
    this.#seenTimer = null;
  }

  /**
   * What came counts even if it could not be read: else the server would wait for it for ever. Counted as the server
   * counts what it sends, by UTF-16 units.
   */
  #count(raw: string): void {
    this.#bytes += raw.length;
    if (this.#bytes - this.#seenBytes >= SEEN_BYTES) this.#acknowledge();
    else this.#seenTimer ??= this.#env.setTimer(() => this.#acknowledge(), SEEN_MS);
  }

  #acknowledge(): void {
    this.#seenTimer?.();
    this.#seenTimer = null;
    this.#seenBytes = this.#bytes;
    this.#send({ type: "seen", cursor: this.#state.log?.cursor ?? 0, bytes: this.#bytes });
  }
}
