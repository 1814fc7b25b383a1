import { HEARTBEAT_PING, HEARTBEAT_PONG } from "@reprise/protocol";
import {
  IDLE,
  type LinkEffect,
  type LinkEvent,
  type LinkLimits,
  type LinkState,
  type LinkTrouble,
  linkStep,
} from "./core.ts";
import type { Dial, Wire } from "./wire.ts";

/** What a link needs from the one who holds it. */
export interface LinkPorts {
  dial: Dial;
  limits: LinkLimits;
  /** The first frame of every connection. */
  hello(afterYield: boolean): string;
  /** Text frames but heartbeats. The holder calls `welcomed()` when the hello is answered. */
  onFrame(text: string): void;
  onUp(): void;
  onDown(trouble: LinkTrouble, retryAt: number | null, detail: string | null): void;
  /** Is there another link that carries us meanwhile (N3)? */
  onTrial?: () => boolean;
  now?: () => number;
  random?: () => number;
}

/** The shell around the pure core: runs its effects and tells it what happened. */
export class Link {
  private state: LinkState = IDLE;
  private wire: Wire | null = null;
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
    this.wire?.close();
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

  /** The control plane asked for a call (N7). */
  knock(): void {
    this.feed({ type: "knock" });
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
    return this.wire?.buffered ?? Number.POSITIVE_INFINITY;
  }

  /** @returns false when there is no link to send on: the caller keeps what must not be lost */
  send(text: string, sent?: () => void): boolean {
    if (this.state.phase !== "up" || !this.wire?.isOpen) return false;
    this.wire.send(text, sent);
    return true;
  }

  private now(): number {
    return (this.ports.now ?? (() => performance.now()))();
  }

  private feed(event: LinkEvent): void {
    const random = (this.ports.random ?? Math.random)();
    const onTrial = this.ports.onTrial?.() ?? false;
    const { limits } = this.ports;
    const { state, effects } = linkStep(this.state, event, { now: this.now(), random, limits, onTrial });
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
    if (this.wire?.isOpen) this.wire.send(text);
  }

  private arm(at: number): void {
    if (this.timer) clearTimeout(this.timer);
    // Whoever heard of the loss may have closed it for good.
    if (this.state.phase === "ended") return;
    this.timer = setTimeout(() => this.feed({ type: "timer" }), Math.max(0, Math.ceil(at - this.now())));
  }

  private drop(): void {
    const wire = this.wire;
    this.wire = null;
    // Its late events carry an old number.
    wire?.drop();
  }

  private connect(conn: number): void {
    const wire: Wire = this.ports.dial({
      opened: () => this.feed({ type: "opened", conn }),
      text: (text) => {
        if (wire !== this.wire) return;
        this.feed({ type: "heard", conn });
        if (text !== HEARTBEAT_PONG) this.ports.onFrame(text);
      },
      refused: (status) => {
        this.detail = `HTTP ${status}`;
        this.feed({ type: "refused", conn, status });
      },
      failed: (message) => {
        if (wire === this.wire) this.detail = message;
        this.feed({ type: "failed", conn });
      },
      closed: (code) => {
        if (wire === this.wire && code !== 1006) this.detail = `closed with ${code}`;
        this.feed({ type: "closed", conn, code });
      },
    });
    this.wire = wire;
  }
}
