import { decodeFrame, NodeDown, type NodeUp } from "@reprise/protocol";
import type { Log } from "../log.ts";
import type { LinkTrouble } from "./core.ts";
import { LINK_LIMITS } from "./limits.ts";
import { Link } from "./link.ts";
import { TROUBLE_WORDS } from "./words.ts";

type Hello = Extract<NodeUp, { type: "hello" }>;
type Welcome = Extract<NodeDown, { type: "welcome" }>;
type Frame = Exclude<NodeDown, { type: "welcome" | "error" }>;

export interface ControlPorts {
  url: string;
  credential: string;
  log: Log;
  hello(afterYield: boolean): Hello;
  /** Before anything else is sent: keep the nonce. */
  onWelcome(welcome: Welcome): void;
  onFrame(frame: Frame): void;
  onDown(trouble: LinkTrouble): void;
}

/** How the node stands with its control plane, for `agentctl status`. */
export interface ControlStatus {
  connected: boolean;
  since: number;
  trouble: LinkTrouble | null;
  message: string;
  retry_at: number | null;
}

/** The node's control socket (N1): hello, heartbeat, commands, wants, questions. */
export class ControlLink {
  private readonly ports: ControlPorts;
  private readonly link: Link;
  status: ControlStatus = {
    connected: false,
    since: Date.now(),
    trouble: "starting",
    message: TROUBLE_WORDS.starting,
    retry_at: null,
  };

  constructor(ports: ControlPorts) {
    this.ports = ports;
    this.link = new Link({
      url: ports.url,
      credential: ports.credential,
      limits: LINK_LIMITS,
      hello: (afterYield) => JSON.stringify(ports.hello(afterYield)),
      onFrame: (text) => this.onText(text),
      onUp: () => {
        this.status = { connected: true, since: Date.now(), trouble: null, message: "Connected.", retry_at: null };
        ports.log.info("connected");
      },
      onDown: (trouble, retryAt, detail) => this.onDown(trouble, retryAt, detail),
    });
  }

  start(): void {
    this.link.start();
  }

  close(): void {
    this.link.close();
  }

  woke(): void {
    this.link.woke();
  }

  get isUp(): boolean {
    return this.link.isUp;
  }

  /** The control plane is too old or too new for us: no timer leads back, only an upgrade. */
  get hasEnded(): boolean {
    return this.link.phase === "ended";
  }

  /** Sent if there is a link; whatever must not be lost is part of the next hello, or told again after it. */
  send(frame: NodeUp): void {
    this.link.send(JSON.stringify(frame));
  }

  private onDown(trouble: LinkTrouble, retryAt: number | null, detail: string | null): void {
    const was = this.status;
    const message = TROUBLE_WORDS[trouble];
    this.status = {
      connected: false,
      since: was.connected ? Date.now() : was.since,
      trouble,
      message: detail === null ? message : `${message} (${detail})`,
      retry_at: retryAt,
    };
    // The same trouble again is no news.
    const level = was.connected || was.trouble !== trouble ? "warn" : "debug";
    this.ports.log[level]({ trouble, detail, retry_at: retryAt }, message);
    this.ports.onDown(trouble);
  }

  private onText(text: string): void {
    const decoded = decodeFrame(text, NodeDown);
    if (!decoded.ok) {
      this.ports.log.warn({ code: decoded.code, field: decoded.field }, "bad frame on the control socket");
      this.send({ type: "error", code: decoded.code, message: decoded.message, retry: "never", field: decoded.field });
      return;
    }
    const frame = decoded.frame;
    if (frame.type === "error") {
      this.ports.log.warn({ code: frame.code, text: frame.message }, "the control plane refused a frame");
      return;
    }
    if (frame.type !== "welcome") {
      this.ports.onFrame(frame);
      return;
    }
    this.link.welcomed();
    this.ports.onWelcome(frame);
  }
}
