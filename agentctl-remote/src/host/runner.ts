import { existsSync } from "node:fs";
import type { Driver, DriverPorts, Preview } from "../drivers/driver.ts";
import { DISK_RETRY_MS } from "../limits.ts";
import { IDLE, step } from "./core/step.ts";
import type { HostContext, HostCore, HostEffect, HostEvent, TimerName } from "./core/types.ts";
import type { Log } from "./log.ts";
import { type NewEvent, type Spool, SpoolFull } from "./spool.ts";
import { checked } from "./told.ts";
import type { HostUp } from "./wire.ts";

export interface RunnerPorts {
  spool: Spool;
  log: Log;
  now: () => number;
  startDriver: (ports: DriverPorts) => Driver;
  agentEnv: (executionId: string) => Record<string, string>;
  /** For the session socket. */
  tell: (frame: HostUp) => void;
  /** For the daemon. */
  reply: (frame: HostUp) => void;
  /** Something was written, or the state changed. */
  changed: () => void;
  leave: () => void;
}

/** Runs the core's effects, one event after the other, the appends of each before all else. */
export class Runner {
  private readonly ports: RunnerPorts;
  private core: HostCore = IDLE;
  private driver: { execution_id: string; driver: Driver } | null = null;
  private readonly queue: HostEvent[] = [];
  private running = false;
  /** The spool takes nothing, not even with its reserve: what happens waits, unread and unsaid (P5). */
  private stalled = false;
  private diskTimer: NodeJS.Timeout | null = null;
  private watched = false;
  private readonly timers = new Map<TimerName, NodeJS.Timeout>();

  constructor(ports: RunnerPorts) {
    this.ports = ports;
  }

  get state(): HostCore {
    return this.core;
  }

  /** Take an event; what follows from it has happened when this returns, or is queued behind a full disk. */
  dispatch(event: HostEvent): void {
    if (this.stalled && event.type === "prompt") {
      this.refuseFull(event.prompt_id);
      return;
    }
    // A person's order to end the agent doesn't wait for the disk.
    if (this.stalled && (event.type === "stop" || event.type === "teardown" || event.type === "shutdown"))
      this.driver?.driver.kill();
    this.queue.push(event);
    this.drain();
  }

  watch(on: boolean): void {
    this.watched = on;
    this.driver?.driver.watch(on);
  }

  whole(itemId: string): void {
    this.driver?.driver.whole(itemId);
  }

  private context(): HostContext {
    const { spool } = this.ports;
    return {
      last_seq: spool.last_seq,
      spool_id: spool.spool_id,
      opened: (id) => spool.opened(id),
      prompted: (id) => spool.prompted(id),
      workspaceExists: (path) => existsSync(path),
    };
  }

  private drain(): void {
    if (this.running || this.stalled) return;
    this.running = true;
    try {
      for (let event = this.queue.shift(); event; event = this.queue.shift()) {
        if (!this.carryOut(event)) {
          this.queue.unshift(event);
          break;
        }
      }
    } finally {
      this.running = false;
    }
  }

  /** @returns false when the disk is full and the event has to wait */
  private carryOut(event: HostEvent): boolean {
    const { state, effects } = step(this.core, event, this.context());
    const events = effects.flatMap((effect): NewEvent[] =>
      effect.type === "append" ? [{ execution_id: effect.execution_id, body: effect.body }] : [],
    );
    if (!this.append(events)) {
      if (event.type !== "prompt") {
        this.stalled = true;
        return false;
      }
      this.refuseFull(event.prompt_id);
      return true;
    }
    // The append itself may just have found the disk full.
    this.core = { ...state, disk_full: this.core.disk_full };
    for (const effect of effects) this.run(effect);
    if (this.core.execution === null) this.driver = null;
    this.ports.changed();
    return true;
  }

  private append(events: readonly NewEvent[]): boolean {
    try {
      this.ports.spool.append(events, this.ports.now());
      return true;
    } catch (error) {
      if (!(error instanceof SpoolFull)) throw error;
      this.ports.log("The disk is full.", { error: error.message });
      this.full();
      if (!this.ports.spool.releaseReserve()) return false;
      return this.append(events);
    }
  }

  private refuseFull(prompt_id: string): void {
    const message = "The machine's disk is full. The prompt waits until there is space.";
    this.ports.tell({ type: "prompt.refused", prompt_id, code: "disk_full", message });
  }

  private setFull(full: boolean): void {
    this.core = step(this.core, { type: "disk", full }, this.context()).state;
    this.ports.changed();
  }

  /** Stop reading the agent until there is room for the reserve again (P5). */
  private full(): void {
    this.driver?.driver.pauseReading();
    if (this.diskTimer !== null) return;
    this.setFull(true);
    this.diskTimer = setInterval(() => this.lookForRoom(), DISK_RETRY_MS);
  }

  private lookForRoom(): void {
    if (!this.ports.spool.restoreReserve()) return;
    if (this.diskTimer !== null) clearInterval(this.diskTimer);
    this.diskTimer = null;
    this.stalled = false;
    this.drain();
    // What had waited may have filled it anew.
    if (this.diskTimer !== null) return;
    this.ports.log("The disk has room again.");
    this.setFull(false);
    this.driver?.driver.resumeReading();
  }

  private run(effect: HostEffect): void {
    const driver = this.driver?.driver;
    switch (effect.type) {
      case "append":
        return;
      case "tell":
        this.ports.tell(effect.frame);
        return;
      case "reply":
        this.ports.reply(effect.frame);
        return;
      case "agent.start":
        this.start(effect.launch);
        return;
      case "agent.prompt":
        driver?.prompt(effect.turn_id, effect.blocks);
        return;
      case "agent.cancel":
        driver?.cancel();
        return;
      case "agent.answer":
        driver?.answer(effect.request_id, effect.option_id);
        return;
      case "agent.set_mode":
        driver?.setMode(effect.mode);
        return;
      case "agent.set_model":
        driver?.setModel(effect.model);
        return;
      case "agent.kill":
        driver?.kill();
        return;
      case "timer.set":
        this.setTimer(effect);
        return;
      case "timer.clear":
        clearTimeout(this.timers.get(effect.name));
        this.timers.delete(effect.name);
        return;
      case "leave":
        this.ports.leave();
        return;
    }
  }

  private setTimer({ name, ms, execution_id, turn_id }: Extract<HostEffect, { type: "timer.set" }>): void {
    clearTimeout(this.timers.get(name));
    const fire = () => this.dispatch({ type: "timer", name, execution_id, turn_id });
    this.timers.set(name, setTimeout(fire, ms));
  }

  private start(launch: Extract<HostEffect, { type: "agent.start" }>["launch"]): void {
    const execution_id = launch.command_id;
    const driver = this.ports.startDriver({
      launch,
      env: this.ports.agentEnv(execution_id),
      now: this.ports.now,
      log: (message, details) => this.ports.log(message, { execution_id, ...details }),
      tell: (said) => {
        const { told, dismiss } = checked(said);
        if (dismiss !== null) driver.answer(dismiss, null);
        this.dispatch({ type: "agent", execution_id, told });
      },
      preview: (preview) => this.preview(execution_id, preview),
    });
    driver.watch(this.watched);
    if (this.core.disk_full) driver.pauseReading();
    this.driver = { execution_id, driver };
  }

  private preview(execution_id: string, preview: Preview): void {
    if (!this.watched) return;
    const turn_id = this.core.execution?.turn?.turn_id ?? null;
    this.ports.tell({ type: "preview", execution_id, turn_id, ...preview });
  }
}
