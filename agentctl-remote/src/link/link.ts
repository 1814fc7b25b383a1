import { HEARTBEAT_PING, HEARTBEAT_PONG, MAX_FRAME_BYTES } from "@reprise/protocol";
import WebSocket from "ws";
import {
  IDLE,
  type LinkEffect,
  type LinkEvent,
  type LinkLimits,
  type LinkState,
  type LinkTrouble,
  linkStep,
} from "./core.ts";

/** What a link needs from the one who holds it. */
export interface LinkPorts {
  url: string;
  credential: string;
  limits: LinkLimits;
  /** The first frame of every connection. */
  hello(afterYield: boolean): string;
  /** Text frames but heartbeats. The holder calls `welcomed()` when the hello is answered. */
  onFrame(text: string): void;
  onUp(): void;
  onDown(trouble: LinkTrouble, retryAt: number | null, detail: string | null): void;
  now?: () => number;
  random?: () => number;
}

/** The `ws` shell around the pure core: runs its effects and tells it what happened. */
export class Link {
  private state: LinkState = IDLE;
  private socket: WebSocket | null = null;
  private timer: NodeJS.Timeout | null = null;
  /** The last thing the network said, for people: never parsed. */
  private detail: string | null = null;
  private readonly ports: LinkPorts;

  constructor(ports: LinkPorts) {
    this.ports = ports;
  }

  start(): void {
    this.feed({ type: "start" });
  }

  /** Ends the link for good, with a normal close if a socket is open. */
  close(): void {
    this.socket?.close(1000);
    this.feed({ type: "close" });
  }

  /** The machine slept: whatever is open is suspect. */
  woke(): void {
    this.feed({ type: "woke" });
  }

  /** There is new reason to try now. */
  nudge(): void {
    this.feed({ type: "nudge" });
  }

  /** The current socket's hello was answered. */
  welcomed(): void {
    if ("conn" in this.state) this.feed({ type: "welcomed", conn: this.state.conn });
  }

  get isUp(): boolean {
    return this.state.phase === "up";
  }

  get phase(): LinkState["phase"] {
    return this.state.phase;
  }

  /** Bytes that the network has not taken yet; infinite when there is no socket. */
  get buffered(): number {
    return this.socket?.bufferedAmount ?? Number.POSITIVE_INFINITY;
  }

  /** @returns false when there is no link to send on: the caller keeps what must not be lost */
  send(text: string, sent?: () => void): boolean {
    if (this.state.phase !== "up" || this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(text, () => sent?.());
    return true;
  }

  private now(): number {
    return (this.ports.now ?? (() => performance.now()))();
  }

  private feed(event: LinkEvent): void {
    const random = (this.ports.random ?? Math.random)();
    const { state, effects } = linkStep(this.state, event, { now: this.now(), random, limits: this.ports.limits });
    this.state = state;
    for (const effect of effects) this.run(effect);
  }

  private run(effect: LinkEffect): void {
    switch (effect.type) {
      case "connect":
        this.connect(effect.conn);
        break;
      case "hello":
        this.write(this.ports.hello(effect.afterYield));
        break;
      case "ping":
        this.write(HEARTBEAT_PING);
        break;
      case "drop":
        this.drop();
        break;
      case "arm":
        this.arm(effect.at);
        break;
      case "disarm":
        if (this.timer) clearTimeout(this.timer);
        this.timer = null;
        break;
      case "up":
        this.detail = null;
        this.ports.onUp();
        break;
      case "down": {
        const wait = effect.retryAt === null ? null : Math.max(0, effect.retryAt - this.now());
        this.ports.onDown(effect.trouble, wait === null ? null : Date.now() + wait, this.detail);
        break;
      }
      default:
        effect satisfies never;
    }
  }

  private write(text: string): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(text);
  }

  private arm(at: number): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = setTimeout(() => this.feed({ type: "timer" }), Math.max(0, Math.ceil(at - this.now())));
  }

  private drop(): void {
    const socket = this.socket;
    this.socket = null;
    // An answered close ends by itself; anything else is ended now. Its late events carry an old number.
    if (socket && socket.readyState !== WebSocket.CLOSING) socket.terminate();
  }

  private connect(conn: number): void {
    const socket = new WebSocket(this.ports.url, {
      headers: { authorization: `Bearer ${this.ports.credential}` },
      maxPayload: MAX_FRAME_BYTES * 2,
      perMessageDeflate: false,
      followRedirects: false,
    });
    this.socket = socket;
    socket.on("open", () => this.feed({ type: "opened", conn }));
    socket.on("message", (data, isBinary) => {
      if (socket !== this.socket) return;
      this.feed({ type: "heard", conn });
      const text = isBinary ? "" : String(data);
      if (text !== HEARTBEAT_PONG) this.ports.onFrame(text);
    });
    socket.on("unexpected-response", (request, response) => {
      this.detail = `HTTP ${response.statusCode}`;
      request.destroy();
      this.feed({ type: "refused", conn, status: response.statusCode ?? 0 });
    });
    socket.on("error", (error) => {
      if (socket === this.socket) this.detail = error.message;
      this.feed({ type: "failed", conn });
    });
    socket.on("close", (code) => {
      if (socket === this.socket && code !== 1006) this.detail = `closed with ${code}`;
      this.feed({ type: "closed", conn, code });
    });
  }
}
