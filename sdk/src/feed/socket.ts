import { decodeFrame, FeedDown } from "@reprise/protocol";
import type { Client } from "../client.ts";
import type { Refusal } from "../link/core.ts";
import { Link, type LinkEnvironment, realEnvironment } from "../link/link.ts";
import { globalSocket, socketUrl } from "../link/socket.ts";

export type FeedChange = Extract<
  FeedDown,
  { type: "session.changed" | "task.changed" | "node.changed" | "profiles.changed" }
>;

export interface FeedSocketOptions {
  client: Client;
  onChange: (change: FeedChange) => void;
  /**
   * Read everything again: at each connect, the first one too, since changes between the page's data and the socket
   * were told to nobody.
   */
  onResync: () => void;
  onConnection?: ((connection: FeedConnection) => void) | undefined;
  environment?: LinkEnvironment | undefined;
}

export type FeedConnection =
  | { kind: "live" }
  | { kind: "behind"; since: number }
  | { kind: "refused"; since: number; refusal: Refusal };

/** Tells which rows changed, for pages that show lists. */
export class FeedSocket {
  readonly #options: FeedSocketOptions;
  readonly #env: LinkEnvironment;
  readonly #link: Link;
  #connection: FeedConnection;

  constructor(options: FeedSocketOptions) {
    const { client } = options;
    this.#options = options;
    this.#env = options.environment ?? realEnvironment(globalSocket(client.token));
    this.#connection = { kind: "behind", since: this.#env.now() };
    this.#link = new Link(this.#env, {
      url: () => socketUrl(client.origin, "/api/feed/ws"),
      // Live only at the hello: a socket that opens may still end before it was let in.
      opened: () => undefined,
      text: (raw) => this.#onText(raw),
      lost: () => this.#lost(),
      refused: (refusal) => this.#set({ kind: "refused", since: this.#env.now(), refusal }),
      ask: () => client.account.me(),
    });
  }

  get connection(): FeedConnection {
    return this.#connection;
  }

  start(): void {
    this.#link.on({ type: "start" });
  }

  stop(): void {
    this.#link.on({ type: "stop" });
    this.#lost();
  }

  /** The page is visible again, or the system online: don't wait for the next try. */
  wake(): void {
    this.#link.on({ type: "wake" });
  }

  #lost(): void {
    if (this.#connection.kind === "live") this.#set({ kind: "behind", since: this.#env.now() });
  }

  #set(connection: FeedConnection): void {
    this.#connection = connection;
    this.#options.onConnection?.(connection);
  }

  #onText(raw: string): void {
    const decoded = decodeFrame(raw, FeedDown);
    // A newer server's event: which row it is about can't be known, so that all is read again.
    if (!decoded.ok) {
      this.#options.onResync();
      return;
    }
    const { frame } = decoded;
    switch (frame.type) {
      case "feed.hello":
        this.#set({ kind: "live" });
        this.#options.onResync();
        return;
      case "error":
        // About a frame of ours; where the socket can't go on, its close code says so.
        return;
      case "session.changed":
      case "task.changed":
      case "node.changed":
      case "profiles.changed":
        this.#options.onChange(frame);
    }
  }
}
