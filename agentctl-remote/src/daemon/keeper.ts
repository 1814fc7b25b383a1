import {
  type CommandOf,
  type Failure,
  type InventoryEntry,
  PROTOCOL_VERSION,
  type Runtime,
  type Want,
} from "@reprise/protocol";
import type { Executors, Removed } from "../executors/executor.ts";
import type { HostLink } from "../host/client.ts";
import { sessionPaths } from "../host/paths.ts";
import type { SessionFile } from "../host/spawn.ts";
import type { HostState } from "../host/wire.ts";
import { type PassedDown, SessionSocket } from "../link/session.ts";
import type { Dial } from "../link/wire.ts";
import type { Log } from "../log.ts";
import { type EndCommand, Endings, type EndResult, elsewhere, NO_HOST } from "./endings.ts";
import { inventoryEntry } from "./entry.ts";
import type { Gate } from "./gate.ts";
import { type HostFramePorts, onHostFrame } from "./host-frames.ts";
import { HostSeat } from "./host-seat.ts";
import { type Known, knownOfHost, knownOfSpool, leavesWork, needsSocket, readSessionFile } from "./known.ts";
import { Launches, type LaunchesPorts } from "./launches.ts";
import { terminalSupport } from "./terminal-support.ts";
import { Writes } from "./writes.ts";

type Launch = CommandOf<"launch">;

export interface KeeperPorts extends LaunchesPorts {
  sessionId: string;
  dir: string;
  executors: Executors;
  /** To the session's own door, the way that the control link goes now. */
  dial(): Dial;
  log: Log;
  /** May people open a shell here (S4)? */
  shell: boolean;
  hostStarts: Gate;
  /** Something that the inventory tells may have changed. */
  changed(): void;
}

/** Keeps one session on this node: its host, its socket, and the launches that wait for them. */
export class Keeper {
  readonly sessionId: string;
  private readonly ports: KeeperPorts;
  private readonly log: Log;
  private readonly socket: SessionSocket;
  private readonly seat: HostSeat;
  private known: Known | null = null;
  private file: SessionFile | null;
  private wants: readonly Want["reasons"][number][] = [];
  private readonly launches: Launches;
  private readonly endings = new Endings();
  /** Input for terminals that nobody need have attached (B1). */
  readonly writes = new Writes(() => ({ host: this.host, silent: this.hostSilent }));
  private readonly frames: HostFramePorts;
  /** Before `start`, hosts are only adopted and no socket is opened. */
  private started = false;
  private held = false;
  private retired = false;
  /** Torn down, or the daemon ends: nothing is started or told any more. */
  private over = false;

  constructor(ports: KeeperPorts) {
    this.ports = ports;
    this.launches = new Launches(ports);
    this.sessionId = ports.sessionId;
    this.log = ports.log.child({ session_id: ports.sessionId });
    const paths = sessionPaths(ports.dir);
    this.file = readSessionFile(paths);
    this.socket = new SessionSocket({
      dial: () => ports.dial(),
      log: this.log,
      hello: () => ({
        type: "session.hello",
        protocol_version: PROTOCOL_VERSION,
        spool_id: this.known?.spool?.spool_id ?? null,
        last_seq: this.known?.spool?.last_seq ?? 0,
        execution_id: this.known?.execution?.state === "alive" ? this.known.execution.execution_id : null,
        permit_pending: this.known?.permit_pending ?? null,
        terminals: terminalSupport(ports.shell, this.known),
      }),
      onWelcome: (acked, watched) => this.onWelcome(acked, watched),
      onFrame: (frame) => this.onDown(frame),
      onDown: () => this.host?.send({ type: "unfollow" }),
      onDrain: () => this.host?.resume(),
    });
    this.frames = {
      socket: this.socket,
      log: this.log,
      pause: () => this.host?.pause(),
      learn: (state) => {
        this.learn(state);
        this.reconsider();
      },
      sawEvent: (seq) => {
        if (this.known?.spool && seq > this.known.spool.last_seq) this.known.spool.last_seq = seq;
      },
      settled: (executionId) => this.launches.settle(executionId),
      startOver: (executionId) => this.ports.startOver(executionId),
      ended: (commandId, failure) => this.ended(commandId, failure),
      written: (requestId, outcome) => this.writes.answered(requestId, outcome),
    };
    this.seat = new HostSeat({
      paths,
      executors: ports.executors,
      hostStarts: ports.hostStarts,
      log: this.log,
      session: () => this.file,
      work: () => this.hasWork() || this.isAsked(),
      onFrame: (frame) => onHostFrame(frame, this.frames),
      onAdopted: (link) => this.learn(link.hello),
      onReady: () => this.handOver(),
      onLeft: () => this.socket.close(),
      onDead: (spool) => {
        // Somebody writes it: what was known of it last stands.
        if (spool.state !== "locked" || this.known === null)
          this.known = knownOfSpool(spool, this.file?.workspace ?? "");
      },
      changed: () => ports.changed(),
    });
  }

  /** Look for a host at the daemon's start. */
  async scan(): Promise<void> {
    await this.seat.scan();
  }

  /** From now on (after scan and hello) see to what dead hosts left, and open sockets. */
  start(): void {
    this.started = true;
    this.seat.settle();
    this.handOver();
  }

  /** While held, no socket is opened: another daemon has our place, or we are refused. */
  hold(held: boolean): void {
    this.held = held;
    if (held) this.socket.close();
    this.reconsider();
  }

  /** Make sure that a host serves the session. @param where and in what, when none ever did */
  async ensure(where: { workspace: string; runtime: Runtime } | null, urgent: boolean): Promise<EndResult> {
    if (where !== null) {
      // An agent in a container can write its session's folder: it must not get out by saying that it runs outside (S4).
      if (this.file !== null && this.file.runtime !== where.runtime)
        return { ok: false, failure: elsewhere(this.file.runtime) };
      this.file = { session_id: this.sessionId, runtime: where.runtime, workspace: where.workspace };
    }
    return await this.seat.ensure(urgent);
  }

  /** Ask what doesn't answer at once. */
  tryNow(): void {
    if (this.away) this.seat.need(true);
  }

  /** No more tries by itself of what doesn't answer, until somebody asks again. */
  stopTrying(): void {
    this.seat.stopTrying();
  }

  /** Its host has ended: what that ran in goes, too. */
  remove(): Promise<Removed> {
    return this.seat.remove();
  }

  /** What it ran in is gone for good: nothing is run there any more. */
  get gone(): Failure | null {
    return this.seat.supervision.gone;
  }

  /** What it runs in doesn't answer. */
  get away(): boolean {
    return this.seat.supervision.host === "away";
  }

  /** Hand a launch to the host, now and to each later one until it is known to have begun (R3). */
  launch(command: Launch): void {
    this.launches.add(command);
    this.host?.send({ type: "launch", command });
    this.reconsider();
  }

  /** Forget a launch that has not begun. */
  withdraw(executionId: string): void {
    this.launches.withdraw(executionId);
  }

  /** Waits until a host answers or is known to be none. @returns false when the daemon ends first */
  hostHeard(): Promise<boolean> {
    return this.seat.heard();
  }

  /** Waits until no host of this session is alive or may be. @returns false when the daemon ends first */
  hostGone(): Promise<boolean> {
    return this.seat.gone();
  }

  /** Tell the host to end something, and wait until it is proven. */
  async end(command: EndCommand): Promise<EndResult> {
    return this.host ? await this.endings.ask(this.host, command) : { ok: false, failure: NO_HOST };
  }

  /** On its way out: nothing is started for it but what ends it. */
  retire(): void {
    this.retired = true;
  }

  setWants(reasons: readonly Want["reasons"][number][]): void {
    this.wants = reasons;
    this.reconsider();
  }

  /** The control plane is there (again). */
  nudge(): void {
    this.socket.nudge();
  }

  /** The control link goes another way now, and its session with it (N3). */
  reroute(): void {
    this.socket.reopen();
  }

  woke(): void {
    this.socket.woke();
  }

  /** Let go of everything but the host itself, which lives on. */
  close(): void {
    this.over = true;
    this.socket.close();
    this.seat.close();
  }

  get hasHost(): boolean {
    return this.host !== null;
  }

  /** A host is there, or may be, and doesn't answer. */
  get hostSilent(): boolean {
    return this.seat.silent;
  }

  /** The execution that is (or may be) open in the spool. */
  get openExecution(): string | null {
    const execution = this.known?.execution;
    return execution && execution.state !== "dead" ? execution.execution_id : null;
  }

  /** The execution that the spool has open, or had last. */
  get lastExecution(): string | null {
    return this.known?.execution?.execution_id ?? null;
  }

  /** What the inventory tells of this session. */
  entry(): InventoryEntry {
    return inventoryEntry({
      session_id: this.sessionId,
      file: this.file,
      supervision: this.seat.supervision,
      known: this.known,
      pid: this.host?.hello.pid ?? null,
      container_id: this.seat.containerId,
      work: this.hasWork(),
    });
  }

  private get host(): HostLink | null {
    return this.seat.link;
  }

  private hasWork(): boolean {
    return !this.retired && (leavesWork(this.known) || this.launches.size > 0);
  }

  /** Does the control plane want what only a host can give (K1)? */
  private isAsked(): boolean {
    return !this.retired && !this.gone && this.wants.some((reason) => reason !== "viewer");
  }

  /** Ask for what is needed now: a host where work waits, a socket where something is to be said (K1). */
  private reconsider(): void {
    if (this.over || !this.started) return;
    if (this.gone) this.launches.failAll(this.gone, this.lastExecution);
    if ((this.hasWork() || this.isAsked()) && this.file) this.seat.need(false);
    const says = needsSocket(this.known) || this.launches.size > 0 || this.wants.length > 0;
    this.socket.want(this.host !== null && !this.held && says);
    this.ports.changed();
  }

  /** A host is there: what waits for one goes to it. */
  private handOver(): void {
    for (const command of this.launches.list()) this.host?.send({ type: "launch", command });
    this.reconsider();
  }

  private onWelcome(acked: number, watched: boolean): void {
    const spool = this.known?.spool;
    if (spool && acked > 0) this.host?.send({ type: "ack", spool_id: spool.spool_id, seq: acked });
    this.host?.send({ type: "follow", from_seq: acked + 1 });
    this.host?.send({ type: "watch", on: watched });
    this.acked(acked);
  }

  private onDown(frame: PassedDown): void {
    if (frame.type === "ack" && frame.spool_id === this.known?.spool?.spool_id) this.acked(frame.seq);
    if (frame.type === "permit.refused") {
      this.log.info({ execution_id: frame.execution_id, code: frame.code }, "permit refused");
      this.launches.settle(frame.execution_id);
      this.ports.startOver(frame.execution_id);
    }
    // The hello said that there are none; whoever asks all the same gets none.
    if (!this.ports.shell && frame.type.startsWith("terminal.")) return;
    this.host?.send(frame);
  }

  private acked(seq: number): void {
    if (this.known?.spool && seq > this.known.spool.acked) this.known.spool.acked = seq;
    this.reconsider();
  }

  private learn(state: HostState): void {
    this.known = knownOfHost(state);
    this.file ??= { session_id: state.session_id, runtime: state.runtime, workspace: state.workspace.path };
    const execution = state.execution;
    if (!execution) return;
    this.launches.settle(execution.execution_id);
    if (execution.state === "dead" || execution.open_turn !== null) this.ports.startOver(execution.execution_id);
  }

  private ended(commandId: string, failure: Failure | null): void {
    this.endings.answered(commandId, failure);
    if (failure) this.launches.fail(commandId, failure);
  }
}
