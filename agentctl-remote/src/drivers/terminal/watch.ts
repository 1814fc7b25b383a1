import { bootId, isAlive, type ProcessIdentity } from "../../host/process.ts";
import { AGENT_LOOK_MS, AGENT_POLL_MS, TOKEN_LOOK_MS } from "../../limits.ts";
import { Timers } from "./timers.ts";

export interface WatchPorts {
  /** The process is gone. Told once. */
  gone(): void;
  /** It did something: time to look for its conversation. */
  token(): void;
}

/** Watches the process under which an agent runs. Its wrapper tells its end, unless that was killed, too. */
export class Watch {
  private readonly ports: WatchPorts;
  private readonly timers = new Timers();
  private who: ProcessIdentity | null = null;

  constructor(ports: WatchPorts) {
    this.ports = ports;
  }

  begin(who: ProcessIdentity): void {
    this.who = who;
    this.poll();
  }

  /** Its terminal shows something new: perhaps its shell is back. */
  stir(): void {
    if (this.who === null) return;
    if (!this.timers.has("look")) this.timers.set("look", AGENT_LOOK_MS, () => this.look());
    if (!this.timers.has("token")) this.timers.set("token", TOKEN_LOOK_MS, () => this.ports.token());
  }

  stop(): void {
    this.who = null;
    this.timers.clearAll();
  }

  private poll(): void {
    this.timers.set("poll", AGENT_POLL_MS, () => {
      this.look();
      if (this.who !== null) this.poll();
    });
  }

  private look(): void {
    if (this.who === null || isAlive(this.who, bootId())) return;
    this.stop();
    this.ports.gone();
  }
}
