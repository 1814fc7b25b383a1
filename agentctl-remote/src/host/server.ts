import { chmodSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { decodeFrame } from "@reprise/protocol";
import { DAEMON_BUFFER_BYTES, HELLO_WAIT_MS } from "../limits.ts";
import type { Log } from "./log.ts";
import { LineCutter } from "./ndjson.ts";
import type { Spool } from "./spool.ts";
import { HOST_PROTOCOL, HostDown, type HostState, type HostUp, proofOf } from "./wire.ts";

export interface ServerPorts {
  spool: Spool;
  nonce: string;
  log: Log;
  state: () => HostState;
  /** Every frame that isn't the connection's own business. */
  onFrame: (frame: HostDown) => void;
  /** Nobody follows any more: nobody looks either. */
  onUnfollowed: () => void;
}

interface Connection {
  socket: Socket;
  role: "daemon" | "visitor";
  /** The next event to send; null while it doesn't follow. */
  next: number | null;
}

/** The host's socket: any number of visitors, and one daemon, the newest. */
export class HostServer {
  private readonly ports: ServerPorts;
  private readonly connections = new Set<Connection>();
  private server: Server | null = null;
  private toldState = "";

  constructor(ports: ServerPorts) {
    this.ports = ports;
  }

  /** The spool's lock is held, so a socket file that is there belongs to nobody. */
  listen(path: string): Promise<void> {
    rmSync(path, { force: true });
    const server = createServer((socket) => this.accept(socket));
    this.server = server;
    return new Promise((resolve, reject) => {
      server.once("error", reject);
      server.listen(path, () => {
        chmodSync(path, 0o600);
        server.off("error", reject);
        server.on("error", (error) => this.ports.log("The socket reported an error.", { error: error.message }));
        resolve();
      });
    });
  }

  /** Say good-bye: what is written reaches its reader first. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => (this.server ? this.server.close(() => resolve()) : resolve()));
    for (const { socket } of this.connections) socket.end();
    await closed;
  }

  get followed(): boolean {
    return [...this.connections].some((one) => one.next !== null);
  }

  /** To whoever carries the session socket. A preview is dropped where nobody keeps up; events never are. */
  tell(frame: HostUp): void {
    for (const one of this.connections) {
      if (one.next === null) continue;
      if (frame.type === "preview" && one.socket.writableLength > DAEMON_BUFFER_BYTES) continue;
      this.write(one.socket, frame);
    }
  }

  reply(frame: HostUp): void {
    for (const one of this.connections) this.write(one.socket, frame);
  }

  /** Send what is new: events to followers, the state to all. */
  changed(): void {
    for (const one of this.connections) this.pump(one);
    const state = this.ports.state();
    // The numbers move with each event; that there is something to fetch is what is worth saying.
    const key = JSON.stringify({ ...state, last_seq: state.last_seq > state.acked, acked: null });
    if (key === this.toldState) return;
    this.toldState = key;
    this.reply({ type: "state", state });
  }

  private write(socket: Socket, frame: HostUp): void {
    if (socket.writable) socket.write(`${JSON.stringify(frame)}\n`);
  }

  private pump(one: Connection): void {
    const { spool } = this.ports;
    while (one.next !== null && one.next <= spool.last_seq && one.socket.writableLength < DAEMON_BUFFER_BYTES) {
      const events = spool.read(one.next);
      const last = events.at(-1);
      // All of it was acknowledged, and is gone from here.
      if (!last) {
        one.next = spool.last_seq + 1;
        return;
      }
      this.write(one.socket, { type: "events", spool_id: spool.spool_id, events });
      one.next = last.seq + 1;
    }
  }

  private accept(socket: Socket): void {
    const cutter = new LineCutter();
    let connection: Connection | null = null;
    const nobody = setTimeout(() => socket.destroy(), HELLO_WAIT_MS);
    socket.on("error", (error) => this.ports.log("A connection reported an error.", { error: error.message }));
    socket.on("close", () => {
      clearTimeout(nobody);
      if (connection) this.drop(connection);
    });
    socket.on("drain", () => connection && this.pump(connection));
    socket.on("data", (chunk: Buffer) => {
      const lines = cutter.push(chunk);
      if (!lines) {
        this.write(socket, { type: "error", code: "too_large", message: "A line is too long.", retry: "never" });
        socket.end();
        return;
      }
      for (const line of lines) {
        const decoded = decodeFrame(line, HostDown);
        if (!decoded.ok) {
          const { code, message, field } = decoded;
          this.write(socket, { type: "error", code, message, retry: "never", ...(field ? { field } : {}) });
        } else if (connection) this.onFrame(connection, decoded.frame);
        else if (decoded.frame.type === "hello") {
          clearTimeout(nobody);
          connection = this.greet(socket, decoded.frame);
        } else socket.destroy();
      }
    });
  }

  private greet(socket: Socket, hello: Extract<HostDown, { type: "hello" }>): Connection {
    if (hello.role === "daemon")
      for (const other of this.connections) {
        if (other.role !== "daemon") continue;
        this.write(other.socket, { type: "replaced" });
        other.socket.end();
        this.drop(other);
      }
    const connection: Connection = { socket, role: hello.role, next: null };
    this.connections.add(connection);
    const proof = proofOf(this.ports.nonce, hello.challenge);
    this.write(socket, { type: "hello", host_protocol: HOST_PROTOCOL, proof, ...this.ports.state() });
    return connection;
  }

  private drop(connection: Connection): void {
    if (!this.connections.delete(connection)) return;
    if (!this.followed) this.ports.onUnfollowed();
  }

  private onFrame(connection: Connection, frame: HostDown): void {
    switch (frame.type) {
      case "ping":
        this.write(connection.socket, { type: "pong" });
        return;
      case "follow":
        connection.next = frame.from_seq;
        this.pump(connection);
        this.ports.onFrame(frame);
        return;
      case "unfollow":
        connection.next = null;
        if (!this.followed) this.ports.onUnfollowed();
        return;
      default:
        this.ports.onFrame(frame);
    }
  }
}
