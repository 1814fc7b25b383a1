import { CLOSE, type CloseName, HEARTBEAT_PING, HEARTBEAT_PONG, type NodeDown } from "@reprise/protocol";
import { z } from "zod";

const Attachment = z.object({ conn_id: z.string(), accepted_at: z.number(), hello: z.boolean() });
type Attachment = z.infer<typeof Attachment>;

/** A node's connections, as the platform keeps them through hibernation. */
export class NodeSockets {
  readonly #ctx: DurableObjectState;

  constructor(ctx: DurableObjectState) {
    this.#ctx = ctx;
    // N2: a heartbeat that wakes nobody; its time is kept for us.
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair(HEARTBEAT_PING, HEARTBEAT_PONG));
  }

  accept(connId: string, now: number): Response {
    const { 0: client, 1: server } = new WebSocketPair();
    this.#ctx.acceptWebSocket(server, [connId]);
    this.#attach(server, { conn_id: connId, accepted_at: now, hello: false });
    return new Response(null, { status: 101, webSocket: client });
  }

  about(socket: WebSocket): Attachment | null {
    const attached = Attachment.safeParse(socket.deserializeAttachment());
    return attached.success ? attached.data : null;
  }

  /** The last sign of life of a connection; null when there is no such socket (any more). */
  lastAnswer(connId: string): number | null {
    const socket = this.#find(connId);
    if (!socket) return null;
    const answered = this.#ctx.getWebSocketAutoResponseTimestamp(socket)?.getTime() ?? 0;
    return Math.max(answered, this.about(socket)?.accepted_at ?? 0);
  }

  welcomed(connId: string): void {
    const socket = this.#find(connId);
    const attached = socket && this.about(socket);
    if (socket && attached) this.#attach(socket, { ...attached, hello: true });
  }

  send(connId: string, frame: NodeDown): void {
    const socket = this.#find(connId);
    try {
      socket?.send(JSON.stringify(frame));
    } catch (error) {
      // It is closing: what was sent is sent again with the next welcome.
      console.warn("send to a closing socket", { conn_id: connId, frame: frame.type, error: String(error) });
    }
  }

  close(connId: string, why: CloseName): void {
    const socket = this.#find(connId);
    if (socket) closeSocket(socket, CLOSE[why], why);
  }

  closeAll(why: CloseName): void {
    for (const socket of this.#ctx.getWebSockets()) closeSocket(socket, CLOSE[why], why);
  }

  /** Connections that never said hello, accepted before that time. */
  silentSince(before: number): string[] {
    return this.#silent()
      .filter((a) => a.accepted_at <= before)
      .map((a) => a.conn_id);
  }

  /** When the oldest connection without a hello was accepted. */
  oldestSilent(): number | null {
    const times = this.#silent().map((a) => a.accepted_at);
    return times.length === 0 ? null : Math.min(...times);
  }

  #silent(): Attachment[] {
    const open = this.#ctx.getWebSockets().filter((socket) => socket.readyState === WebSocket.OPEN);
    return open.map((socket) => this.about(socket)).filter((a) => a !== null && !a.hello) as Attachment[];
  }

  #find(connId: string): WebSocket | null {
    return this.#ctx.getWebSockets(connId)[0] ?? null;
  }

  #attach(socket: WebSocket, attachment: Attachment): void {
    socket.serializeAttachment(attachment);
  }
}

/** The platform leaves a closing half-way until we close too, and refuses some codes. */
export function closeSocket(socket: WebSocket, code: number, reason: string): void {
  const sayable = code === 1005 ? 1000 : code;
  if (sayable === 1006 || sayable === 1015) return;
  try {
    socket.close(sayable, reason);
  } catch (error) {
    console.warn("close of a closed socket", { code: sayable, error: String(error) });
  }
}
