import { decodeFrame, SessionDown, type SessionUp } from "@reprise/protocol";
import { IDLE_ANSWER_MS, SOCKET_IDLE_MS, UPLINK_BUFFER_BYTES } from "../limits.ts";
import type { Log } from "../log.ts";
import type { LinkTrouble } from "./core.ts";
import { BUSY, type IdleEvent, type IdleState, idleStep } from "./idle.ts";
import { LINK_LIMITS } from "./limits.ts";
import { Link } from "./link.ts";
import type { Dial } from "./wire.ts";

type Hello = Extract<SessionUp, { type: "session.hello" }>;
/** What the host gets to see: the socket's own frames end here. */
export type PassedDown = Exclude<SessionDown, { type: "session.welcome" | "idle.ok" | "error" }>;

export interface SessionSocketPorts {
  /** The way that the control link goes now (N3). */
  dial(): Dial;
  log: Log;
  hello(): Hello;
  /** Stored there up to `acked`: send the rest. */
  onWelcome(acked: number, watched: boolean): void;
  onFrame(frame: PassedDown): void;
  /** No events may be sent until the next welcome. */
  onDown(trouble: LinkTrouble): void;
  /** The network has room again. */
  onDrain(): void;
}

/** One session's socket (K1, K2): opened while there is something to say, closed by consent. */
export class SessionSocket {
  private readonly ports: SessionSocketPorts;
  private link: Link | null = null;
  private idle: IdleState = BUSY;
  private timer: NodeJS.Timeout | null = null;
  private need = false;
  private full = false;

  constructor(ports: SessionSocketPorts) {
    this.ports = ports;
  }

  /** Is there anything to say? Opens the socket at once, closes it after a pause and a handshake. */
  want(need: boolean): void {
    this.need = need;
    if (!this.link) {
      if (need) this.open();
      return;
    }
    if (this.link.isUp) this.feedIdle({ type: "need", need });
    // Never was up and isn't needed any more: nobody counts on it.
    else if (!need) this.close();
  }

  /** The control plane is known to be there: waits that only pace us are cut short. */
  nudge(): void {
    this.link?.nudge();
  }

  /** The way changed: what is open goes over the new one. */
  reopen(): void {
    if (!this.link) return;
    const wasUp = this.link.isUp;
    this.close();
    if (wasUp) this.ports.onDown("lost");
    if (this.need) this.open();
  }

  woke(): void {
    this.link?.woke();
  }

  /** @returns false when the network is full: send no more until `onDrain` */
  send(frame: SessionUp): boolean {
    if (!this.link?.isUp) return true;
    const sent = this.link.send(JSON.stringify(frame), () => this.drained());
    if (sent && this.link.buffered > UPLINK_BUFFER_BYTES) this.full = true;
    return !this.full;
  }

  /** Ends it without asking: its host is gone, or the daemon ends. What waits is said on the next one. */
  close(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    this.idle = BUSY;
    const link = this.link;
    this.link = null;
    link?.close();
    if (this.full) {
      this.full = false;
      this.ports.onDrain();
    }
  }

  private drained(): void {
    if (!this.full || (this.link?.buffered ?? 0) > UPLINK_BUFFER_BYTES / 2) return;
    this.full = false;
    this.ports.onDrain();
  }

  private open(): void {
    const link = new Link({
      dial: this.ports.dial(),
      limits: LINK_LIMITS,
      hello: () => JSON.stringify(this.ports.hello()),
      onFrame: (text) => {
        if (link === this.link) this.onText(text);
      },
      onUp: () => undefined,
      onDown: (trouble, _retryAt, detail) => {
        if (link !== this.link) return;
        this.feedIdle({ type: "reset" });
        this.full = false;
        this.ports.log.info({ trouble, detail }, "session socket down");
        this.ports.onDown(trouble);
      },
    });
    this.link = link;
    link.start();
  }

  private onText(text: string): void {
    const decoded = decodeFrame(text, SessionDown);
    if (!decoded.ok) {
      this.ports.log.warn({ code: decoded.code, field: decoded.field }, "bad frame on a session socket");
      this.send({ type: "error", code: decoded.code, message: decoded.message, retry: "never", field: decoded.field });
      return;
    }
    const frame = decoded.frame;
    switch (frame.type) {
      case "session.welcome":
        this.link?.welcomed();
        this.ports.onWelcome(frame.acked, frame.watched);
        this.feedIdle({ type: "need", need: this.need });
        break;
      case "idle.ok":
        this.feedIdle({ type: "idle_ok" });
        break;
      case "error":
        this.ports.log.warn({ code: frame.code, text: frame.message }, "the control plane refused a frame");
        break;
      default:
        if (frame.type !== "ack" && frame.type !== "watch") this.feedIdle({ type: "frame" });
        this.ports.onFrame(frame);
    }
  }

  private feedIdle(event: IdleEvent): void {
    const limits = { quietMs: SOCKET_IDLE_MS, answerMs: IDLE_ANSWER_MS };
    const { state, effects } = idleStep(this.idle, event, performance.now(), limits);
    this.idle = state;
    for (const effect of effects) {
      if (effect.type === "ask") this.send({ type: "idle" });
      if (effect.type === "close") {
        this.close();
        this.ports.onDown("lost");
        if (this.need) this.open();
      }
      if (effect.type === "arm") {
        if (this.timer) clearTimeout(this.timer);
        const wait = Math.max(0, Math.ceil(effect.at - performance.now()));
        this.timer = setTimeout(() => this.feedIdle({ type: "timer" }), wait);
      }
    }
  }
}
