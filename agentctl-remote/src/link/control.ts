import { decodeFrame, NodeDown, type NodeUp } from "@reprise/protocol";
import { HEALTHY_AFTER_MS } from "../limits.ts";
import type { Log } from "../log.ts";
import type { LinkTrouble } from "./core.ts";
import { LINK_LIMITS } from "./limits.ts";
import { Link } from "./link.ts";
import { FRESH, type Transport, type TransportEvent, type TransportState, transportStep } from "./transport.ts";
import type { Dial } from "./wire.ts";
import { downMessage, upMessage } from "./words.ts";

type Hello = Extract<NodeUp, { type: "hello" }>;
type Welcome = Extract<NodeDown, { type: "welcome" }>;
type Frame = Exclude<NodeDown, { type: "welcome" | "error" }>;

export interface ControlPorts {
  dialSocket: Dial;
  dialPost: Dial;
  log: Log;
  hello(afterYield: boolean): Hello;
  /** Sessions go the same way; told before the welcome that it is for. */
  onTransport(transport: Transport): void;
  /** Before anything else is sent: keep the nonce. */
  onWelcome(welcome: Welcome): void;
  onFrame(frame: Frame): void;
  onDown(trouble: LinkTrouble): void;
}

/** How the node stands with its control plane, for `agentctl status`. */
export interface ControlStatus {
  connected: boolean;
  since: number;
  /** The way it goes, or went last. */
  transport: Transport;
  trouble: LinkTrouble | null;
  message: string;
  retry_at: number | null;
}

/**
 * The node's control link (N1): hello, heartbeat, commands, wants, questions. By WebSocket, and where the network breaks
 * those, by plain HTTP until they work again (N3).
 */
export class ControlLink {
  private readonly ports: ControlPorts;
  private readonly socket: Link;
  private http: Link | null = null;
  private way: TransportState = FRESH;
  private socketUpAt: number | null = null;
  /** Why WebSockets don't work here, for people. */
  private socketTrouble: string | null = null;
  /** What the control plane said with its last refusal, for people. */
  private refusal: string | null = null;
  /** Since version 2, an ending daemon says so. */
  private version = 1;
  status: ControlStatus = {
    connected: false,
    since: Date.now(),
    transport: "websocket",
    trouble: "starting",
    message: downMessage("starting", null, null),
    retry_at: null,
  };

  constructor(ports: ControlPorts) {
    this.ports = ports;
    this.socket = this.makeLink("websocket", ports.dialSocket, () => this.way.mode !== "socket");
  }

  start(): void {
    this.socket.start();
  }

  /** The daemon ends: the control plane is told, so that nobody waits for its call. */
  close(): void {
    if (this.version >= 2) this.send({ type: "goodbye" });
    this.http?.close();
    this.decide({ type: "close" });
    this.socket.close();
  }

  woke(): void {
    this.socket.woke();
    this.http?.woke();
  }

  /** The control plane asked for a call (N7). */
  knock(): void {
    this.socket.knock();
    this.http?.knock();
  }

  /** Sent if there is a link; whatever must not be lost is part of the next hello, or told again after it. */
  send(frame: NodeUp): void {
    (this.way.mode === "http" ? this.http : this.socket)?.send(JSON.stringify(frame));
  }

  private makeLink(transport: Transport, dial: Dial, onTrial?: () => boolean): Link {
    const link = new Link({
      dial,
      limits: LINK_LIMITS,
      ...(onTrial ? { onTrial } : {}),
      hello: (afterYield) => JSON.stringify(this.ports.hello(afterYield)),
      onFrame: (text) => this.onText(link, text),
      onUp: () => this.onUp(transport),
      onDown: (trouble, retryAt, detail) => this.onDown(transport, trouble, retryAt, detail),
    });
    return link;
  }

  private decide(event: TransportEvent): void {
    const { state, effects } = transportStep(this.way, event);
    this.way = state;
    for (const effect of effects) {
      if (effect.type === "open_http") {
        this.http = this.makeLink("http", this.ports.dialPost);
        this.http.start();
      }
      if (effect.type === "close_http") {
        const http = this.http;
        this.http = null;
        http?.close();
      }
      if (effect.type === "use") {
        this.ports.log.info({ transport: effect.transport }, `going over ${effect.transport}`);
        this.ports.onTransport(effect.transport);
      }
    }
  }

  private onUp(transport: Transport): void {
    if (transport === "websocket") this.socketUpAt = performance.now();
    this.decide({ type: transport === "websocket" ? "socket_up" : "http_up" });
    this.refusal = null;
    const message = upMessage(transport, this.socketTrouble);
    this.status = { connected: true, since: Date.now(), transport, trouble: null, message, retry_at: null };
    this.ports.log.info({ transport }, "connected");
  }

  private onDown(transport: Transport, trouble: LinkTrouble, retryAt: number | null, detail: string | null): void {
    if (this.way.mode === "closed") return;
    const carried = this.way.mode === "http" ? "http" : "websocket";
    if (transport === "websocket") this.socketTrouble = downMessage(trouble, detail, null);
    const refusal = this.refusal;
    this.refusal = null;
    if (transport === carried) this.lost(transport, trouble, retryAt, downMessage(trouble, detail, refusal));
    else if (trouble === "too_old") this.ports.onDown(trouble);
    if (transport === "http") this.decide({ type: "http_down" });
    else {
      const healthy = this.socketUpAt !== null && performance.now() - this.socketUpAt >= HEALTHY_AFTER_MS;
      this.socketUpAt = null;
      this.decide({ type: "socket_down", trouble, healthy });
    }
  }

  private lost(transport: Transport, trouble: LinkTrouble, retry_at: number | null, message: string): void {
    const was = this.status;
    const since = was.connected ? Date.now() : was.since;
    this.status = { connected: false, since, transport, trouble, message, retry_at };
    // The same trouble again is no news.
    const level = was.connected || was.trouble !== trouble ? "warn" : "debug";
    this.ports.log[level]({ trouble, transport, retry_at }, message);
    this.ports.onDown(trouble);
  }

  private onText(link: Link, text: string): void {
    const decoded = decodeFrame(text, NodeDown);
    if (!decoded.ok) {
      this.ports.log.warn({ code: decoded.code, field: decoded.field }, "bad frame on the control link");
      this.send({ type: "error", code: decoded.code, message: decoded.message, retry: "never", field: decoded.field });
      return;
    }
    const frame = decoded.frame;
    if (frame.type === "error") {
      this.refusal = frame.message;
      this.ports.log.warn({ code: frame.code, text: frame.message }, "the control plane refused us");
      return;
    }
    if (frame.type !== "welcome") {
      this.ports.onFrame(frame);
      return;
    }
    this.version = frame.protocol_version;
    link.welcomed();
    this.ports.onWelcome(frame);
  }
}
