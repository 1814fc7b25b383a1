import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server } from "node:http";
import {
  type Command,
  decodeFrame,
  type NodeDown,
  type NodeHello,
  NodeUp,
  newId,
  PROTOCOL_VERSION,
  type SessionDown,
  SessionUp,
  type SpoolEvent,
  type Want,
} from "@reprise/protocol";
import { type WebSocket, WebSocketServer } from "ws";
import type { z } from "zod";

/** A control plane for tests: real sockets, and of its objects only what the daemon can see. */

const id = (kind: Parameters<typeof newId>[0]) => newId(kind, (n) => randomBytes(n));
type Hello = z.infer<typeof NodeHello>;

export interface SessionSide {
  events: SpoolEvent[];
  frames: SessionUp[];
  socket: WebSocket | null;
  /** How many sockets there were. */
  opened: number;
  closes: number;
}

export class TestPlane {
  readonly hellos: Hello[] = [];
  readonly ups: NodeUp[] = [];
  readonly bad: string[] = [];
  readonly sessions = new Map<string, SessionSide>();
  /** When each `ping` came on the control socket. */
  readonly pings: number[] = [];
  control: WebSocket | null = null;
  controls = 0;
  seq = 0;
  waiting: { seq: number; command: Command }[] = [];
  wants: Want[] = [];
  /** Claims that would get their permit. */
  grant: "all" | "none" | "refuse" = "all";
  /** Answers an upgrade with this status instead. */
  refuseConnect: number | null = null;
  refuseSession: number | null = null;
  /** Closes the control socket with this code instead of a welcome. */
  closeHello: number | null = null;
  /** Takes the hello and says nothing. */
  mute = false;
  acks = true;
  url = "";
  readonly credential = "test-credential";
  readonly node_id = id("node");
  private readonly server: Server;
  private readonly sockets = new WebSocketServer({ noServer: true });
  private readonly all = new Set<WebSocket>();

  constructor() {
    this.server = createServer((request, response) => {
      if (request.url !== "/api/agentctl/join") return response.writeHead(404).end();
      response.setHeader("content-type", "application/json");
      request.resume();
      return response.end(JSON.stringify({ node_id: this.node_id, name: "testbox", credential: this.credential }));
    });
    this.server.on("upgrade", (request, socket, head) => {
      const session = /^\/api\/agentctl\/sessions\/(\w+)\/ws$/.exec(request.url ?? "")?.[1] ?? null;
      const status = this.refusal(request, session);
      if (status !== null) return void socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`);
      this.sockets.handleUpgrade(request, socket, head, (ws) => {
        this.all.add(ws);
        ws.on("close", () => this.all.delete(ws));
        if (session) this.onSession(ws, session);
        else this.onControl(ws);
      });
    });
  }

  private refusal(request: IncomingMessage, session: string | null): number | null {
    if (request.headers.authorization !== `Bearer ${this.credential}`) return 401;
    return session ? this.refuseSession : this.refuseConnect;
  }

  async listen(port = 0): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(port, "127.0.0.1", resolve));
    const address = this.server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    this.url = `http://127.0.0.1:${address.port}`;
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  async close(): Promise<void> {
    for (const ws of this.all) ws.terminate();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  side(session: string): SessionSide {
    const known = this.sessions.get(session);
    if (known) return known;
    const side: SessionSide = { events: [], frames: [], socket: null, opened: 0, closes: 0 };
    this.sessions.set(session, side);
    return side;
  }

  /** Deliver a command now if there is a link, and at each welcome until it is received. */
  command(command: Command): void {
    const numbered = { seq: ++this.seq, command };
    this.waiting.push(numbered);
    this.down({ type: "command", numbered });
  }

  down(frame: NodeDown): void {
    this.control?.send(JSON.stringify(frame));
  }

  tell(session: string, frame: SessionDown): void {
    this.side(session).socket?.send(JSON.stringify(frame));
  }

  setWants(wants: Want[]): void {
    this.wants = wants;
    this.down({ type: "wants", wants });
  }

  get hello(): Hello | undefined {
    return this.hellos.at(-1);
  }

  /** The entry that was told last of a session. */
  entry(session: string) {
    for (const up of this.ups.toReversed()) {
      if (up.type === "inventory.changed" && up.entry.session_id === session) return up.entry;
      if (up.type === "inventory.gone" && up.session_id === session) return null;
      if (up.type === "hello") return up.inventory.entries.find((entry) => entry.session_id === session) ?? null;
    }
    return null;
  }

  private onControl(ws: WebSocket): void {
    this.controls++;
    this.control = ws;
    ws.on("message", (data) => {
      const text = String(data);
      if (text === "ping") {
        this.pings.push(Date.now());
        return ws.send("pong");
      }
      const decoded = decodeFrame(text, NodeUp);
      if (!decoded.ok) return void this.bad.push(`${decoded.code} ${decoded.message} ${text.slice(0, 200)}`);
      const frame = decoded.frame;
      this.ups.push(frame);
      if (frame.type === "command.received")
        this.waiting = this.waiting.filter((one) => one.command.command_id !== frame.command_id);
      if (frame.type !== "hello") return;
      this.hellos.push(frame);
      if (this.mute) return;
      if (this.closeHello !== null) return ws.close(this.closeHello);
      ws.send(JSON.stringify(this.welcome()));
      return undefined;
    });
    ws.on("close", () => {
      if (this.control === ws) this.control = null;
    });
  }

  private welcome(): NodeDown {
    return {
      type: "welcome",
      protocol_version: PROTOCOL_VERSION,
      node_id: this.node_id,
      node_name: "testbox",
      conn_id: id("connection"),
      nonce: randomBytes(16).toString("hex"),
      commands: this.waiting,
      wants: this.wants,
    };
  }

  private onSession(ws: WebSocket, session: string): void {
    const side = this.side(session);
    side.opened++;
    side.socket = ws;
    ws.on("message", (data) => {
      const text = String(data);
      if (text === "ping") return ws.send("pong");
      const decoded = decodeFrame(text, SessionUp);
      if (!decoded.ok) return void this.bad.push(`${decoded.code} ${decoded.message} ${text.slice(0, 200)}`);
      this.onSessionFrame(side, decoded.frame, (frame) => ws.send(JSON.stringify(frame)));
      return undefined;
    });
    ws.on("close", () => {
      side.closes++;
      if (side.socket === ws) side.socket = null;
    });
  }

  private onSessionFrame(side: SessionSide, frame: SessionUp, send: (frame: SessionDown) => void): void {
    side.frames.push(frame);
    const acked = () => side.events.at(-1)?.seq ?? 0;
    if (frame.type === "session.hello")
      send({ type: "session.welcome", protocol_version: 1, acked: acked(), watched: false });
    if (frame.type === "events") {
      for (const event of frame.events) if (event.seq === acked() + 1) side.events.push(event);
      if (this.acks) send({ type: "ack", spool_id: frame.spool_id, seq: acked() });
    }
    if (frame.type === "permit.request" && this.grant === "all")
      send({ type: "permit.granted", execution_id: frame.execution_id });
    if (frame.type === "permit.request" && this.grant === "refuse")
      send({ type: "permit.refused", execution_id: frame.execution_id, code: "claim_revoked", message: "Not yours." });
    if (frame.type === "idle") send({ type: "idle.ok" });
  }
}
