import type { Failure } from "@reprise/protocol";
import type { Executor, Executors, Place, Reached, Removed, Started } from "../executors/executor.ts";
import type { HostLink } from "../host/client.ts";
import type { SessionPaths } from "../host/paths.ts";
import type { SessionFile } from "../host/spawn.ts";
import type { SpoolReading } from "../host/spool.ts";
import type { HostUp } from "../host/wire.ts";
import { HOST_BACKOFF_MS, HOST_HEALTHY_MS, HOST_UNKNOWN_MS } from "../limits.ts";
import type { Log } from "../log.ts";
import type { EndResult } from "./endings.ts";
import type { Gate } from "./gate.ts";
import { type SuperviseEvent, type Supervision, superviseStep, UNSEEN } from "./supervise.ts";

export interface HostSeatPorts {
  paths: SessionPaths;
  executors: Executors;
  hostStarts: Gate;
  log: Log;
  /** What a host of this session serves; null when nobody said yet. */
  session(): SessionFile | null;
  /** Is there anything that only a host can see to? */
  work(): boolean;
  onFrame(frame: HostUp): void;
  /** A host answers. Its state is in the link's hello; follow up with `onReady`. */
  onAdopted(link: HostLink): void;
  /** It can be given what waits. */
  onReady(): void;
  /** The connection to it is gone. */
  onLeft(): void;
  /** It is dead, and this is what it left. */
  onDead(spool: SpoolReading): void;
  changed(): void;
}

const SUPERVISE = { healthyMs: HOST_HEALTHY_MS, backoffMs: HOST_BACKOFF_MS, unknownMs: HOST_UNKNOWN_MS };

/** The place of one session's host: finds it, starts it, notices its death, and keeps the connection to it. */
export class HostSeat {
  private readonly ports: HostSeatPorts;
  private readonly listener;
  private readonly waiters = new Set<() => void>();
  private timer: NodeJS.Timeout | null = null;
  private over = false;
  private looking = false;
  supervision: Supervision = UNSEEN;
  link: HostLink | null = null;

  constructor(ports: HostSeatPorts) {
    this.ports = ports;
    this.listener = { onFrame: (frame: HostUp) => ports.onFrame(frame), log: ports.log };
  }

  /** Look for a host at the daemon's start; nothing is started yet. */
  async scan(): Promise<void> {
    const reached = await this.reach(false);
    this.take(reached);
    if (reached.host !== "away") this.feed({ type: "scanned", host: reached.host });
  }

  /** What the scan found dead and nobody needs is none. */
  settle(): void {
    if (this.supervision.host === "dead" && !this.ports.work())
      this.feed({ type: "lost", host: "dead", work: false, failure: null });
  }

  /** Something needs a host. @param urgent a person waits, so a pause after crashes is not waited for */
  need(urgent: boolean): void {
    this.feed({ type: "needed", urgent });
  }

  /** Start a host if there is none, and wait until it is known whether it serves. */
  async ensure(urgent: boolean): Promise<EndResult> {
    await this.heard(urgent);
    this.need(urgent);
    await this.heard(urgent);
    return this.link ? { ok: true } : { ok: false, failure: this.supervision.failure ?? ENDED };
  }

  /** No more tries by itself of what doesn't answer. */
  stopTrying(): void {
    this.feed({ type: "cancelled" });
  }

  /** What the runtime holds for the session goes too; its host has ended. */
  remove(): Promise<Removed> {
    return this.executor.remove(this.place);
  }

  get containerId(): string | null {
    return this.executor.containerId(this.place);
  }

  /** It is there, or may be, and doesn't answer. */
  get silent(): boolean {
    return this.supervision.host === "unknown" || this.supervision.host === "away";
  }

  /**
   * Waits, however long, until it is known whether a host is there (T3). @param urgent a person waits: that the runtime
   * doesn't answer is an answer, too @returns false when the daemon ends first
   */
  async heard(urgent = false): Promise<boolean> {
    await this.until(() => this.link !== null || this.isNone || (urgent && this.isAway));
    return !this.over;
  }

  /** Waits until no host of this session is alive or may be. @returns false when the daemon ends first */
  async gone(): Promise<boolean> {
    await this.until(() => this.link === null && this.isNone);
    return !this.over;
  }

  /** Known to be so: not while one starts, is silent, or was lost a moment ago and is still looked for. */
  private get isNone(): boolean {
    return this.supervision.host === "none" || this.supervision.host === "dead";
  }

  private get isAway(): boolean {
    return this.supervision.host === "away" && !this.looking;
  }

  private get executor(): Executor {
    return this.ports.executors.of(this.ports.session()?.runtime ?? "standalone");
  }

  private get place(): Place {
    return { paths: this.ports.paths, session: this.ports.session() };
  }

  /** Let go of the host, which lives on. */
  close(): void {
    this.over = true;
    if (this.timer) clearTimeout(this.timer);
    this.link?.close();
    this.wake();
  }

  private feed(event: SuperviseEvent): void {
    if (this.over) return;
    const { state, effects } = superviseStep(this.supervision, event, Date.now(), SUPERVISE);
    this.supervision = state;
    for (const effect of effects) {
      if (effect.type === "start") void this.startHost(effect.found);
      if (effect.type === "look") void this.look(effect.urgent);
      if (effect.type === "arm") {
        if (this.timer) clearTimeout(this.timer);
        this.timer = setTimeout(() => this.feed({ type: "timer" }), Math.max(0, effect.at - Date.now()));
      }
    }
    this.wake();
    this.ports.changed();
  }

  private async startHost(found: "live" | "scan"): Promise<void> {
    const { hostStarts, log, work } = this.ports;
    const result = await hostStarts.run(() => this.start(found));
    if (result.ok) {
      this.found({ host: "alive", link: result.link });
      return;
    }
    const { why, failure } = result;
    log.error({ failure }, "host did not start");
    if (why === "away") this.feed({ type: "away", failure, retryAt: result.retry_at });
    else {
      if (why === "gone") this.feed({ type: "gone", failure });
      this.feed({ type: "start_failed", failure, work: work() });
    }
  }

  /** A full disk, say, must not leave the session starting for ever, nor end the daemon of all the others. */
  private async start(found: "live" | "scan"): Promise<Started> {
    try {
      return await this.executor.start(this.place, found, this.listener);
    } catch (error) {
      return { ok: false, why: "failed", failure: { code: "host_start_failed", message: wordsOf(error) } };
    }
  }

  /** What can't be looked at is unknown (T3). */
  private async reach(urgent: boolean): Promise<Reached> {
    try {
      return await this.executor.reach(this.place, this.listener, urgent);
    } catch (error) {
      this.ports.log.error({ err: error }, "the session's host can't be looked for");
      return { host: "unknown", message: wordsOf(error) };
    }
  }

  private async look(urgent: boolean): Promise<void> {
    if (this.looking) return;
    this.looking = true;
    const reached = await this.reach(urgent);
    this.looking = false;
    this.found(reached);
  }

  private found(reached: Reached): void {
    this.take(reached);
    if (this.over) return;
    if (reached.host === "alive") {
      this.feed({ type: "alive" });
      this.ports.onReady();
      return;
    }
    const work = this.ports.work();
    this.ports.log.warn({ host: reached.host, work }, "host lost");
    if (reached.host !== "away") this.feed({ type: "lost", host: reached.host, work, failure: DYING });
    this.ports.onReady();
  }

  /** What a look found becomes what is known. */
  private take(reached: Reached): void {
    if (reached.host === "dead" || reached.host === "away") this.ports.onDead(reached.spool);
    if (reached.host === "dead" && reached.gone) this.feed({ type: "gone", failure: reached.gone });
    if (reached.host === "away") this.feed({ type: "away", failure: reached.failure, retryAt: reached.retry_at });
    if (reached.host !== "alive") return;
    const { link } = reached;
    if (this.over) {
      link.close();
      return;
    }
    this.link = link;
    this.ports.onAdopted(link);
    void link.closed.then(() => this.onClosed(link));
  }

  private async onClosed(link: HostLink): Promise<void> {
    if (link !== this.link) return;
    this.link = null;
    this.ports.onLeft();
    if (!this.over) await this.look(false);
  }

  private async until(holds: () => boolean): Promise<void> {
    while (!holds() && !this.over) await new Promise<void>((resolve) => this.waiters.add(resolve));
  }

  private wake(): void {
    const waiters = [...this.waiters];
    this.waiters.clear();
    for (const waiter of waiters) waiter();
  }
}

function wordsOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 2_000);
}

const ENDED: Failure = { code: "host_died", message: "The session's host ended as soon as it was there." };
const DYING: Failure = { code: "host_died", message: "The session's host keeps dying; it is started again." };
