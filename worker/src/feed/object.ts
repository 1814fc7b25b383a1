import { DurableObject } from "cloudflare:workers";
import { type FeedDown, HEARTBEAT_PING, HEARTBEAT_PONG } from "@reprise/protocol";
import type { Env } from "../env.ts";
import { MAX_FEED_SOCKETS } from "../limits.ts";
import type { FeedEvent, FeedRpc } from "../node/rpc.ts";
import { closeSocket } from "../node/sockets.ts";

/** Tells open pages which rows changed: ids and versions, no content. Keeps nothing. */
export class FeedObject extends DurableObject<Env> implements FeedRpc {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair(HEARTBEAT_PING, HEARTBEAT_PONG));
  }

  override async fetch(_request: Request): Promise<Response> {
    if (this.ctx.getWebSockets().length >= MAX_FEED_SOCKETS) {
      return new Response(null, { status: 429 });
    }
    const { 0: client, 1: server } = new WebSocketPair();
    this.ctx.acceptWebSocket(server);
    this.#send(server, { type: "feed.hello" });
    return new Response(null, { status: 101, webSocket: client });
  }

  async changed(events: readonly FeedEvent[]): Promise<void> {
    for (const socket of this.ctx.getWebSockets()) for (const event of events) this.#send(socket, event);
  }

  override async webSocketMessage(socket: WebSocket): Promise<void> {
    this.#send(socket, { type: "error", code: "bad_request", message: "A feed only tells.", retry: "backoff" });
    closeSocket(socket, 4400, "bad_frame");
  }

  override async webSocketClose(socket: WebSocket, code: number, reason: string): Promise<void> {
    closeSocket(socket, code, reason);
  }

  #send(socket: WebSocket, frame: FeedDown): void {
    try {
      socket.send(JSON.stringify(frame));
    } catch (error) {
      // A page that is going: its next one reads everything afresh.
      console.warn("send to a closing feed", { error: String(error) });
    }
  }
}
