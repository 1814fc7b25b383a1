import { CONN_HEADER } from "@reprise/protocol";
import { dialPost } from "../link/dial-post.ts";
import { dialSocket } from "../link/dial-socket.ts";
import type { Transport } from "../link/transport.ts";
import type { Dial } from "../link/wire.ts";
import { controlUrl, eventsUrl, heartbeatUrl, sessionUrl } from "./urls.ts";

/** The two ways to the control plane (N3): sessions go as the control link goes, and name its connection. */
export class Ways {
  private readonly joined: { url: string; credential: string };
  private transport: Transport = "websocket";
  private moved = false;
  /** The control link's connection, by which the control plane tells us from a copy of us. */
  private conn: string | null = null;
  readonly socket: Dial;
  readonly post: Dial;

  constructor(joined: { url: string; credential: string }) {
    this.joined = joined;
    const headers = () => ({ authorization: `Bearer ${joined.credential}` });
    this.socket = dialSocket(controlUrl(joined.url), headers);
    this.post = dialPost(heartbeatUrl(joined.url), headers);
  }

  take(transport: Transport): void {
    this.moved = this.transport !== transport;
    this.transport = transport;
  }

  /** @returns whether the way has changed, so that what is open has to be opened anew */
  welcomed(conn: string): boolean {
    const { moved } = this;
    this.moved = false;
    this.conn = conn;
    return moved;
  }

  /** To a session's door, the way that is taken now. */
  readonly session = (sessionId: string): Dial => {
    const headers = () => ({
      authorization: `Bearer ${this.joined.credential}`,
      ...(this.conn === null ? {} : { [CONN_HEADER]: this.conn }),
    });
    return this.transport === "http"
      ? dialPost(eventsUrl(this.joined.url, sessionId), headers)
      : dialSocket(sessionUrl(this.joined.url, sessionId), headers);
  };
}
