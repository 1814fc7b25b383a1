import { isTerminalDown, type SpoolEventBody } from "@reprise/protocol";
import type { HostLink } from "../../../agentctl-remote/src/host/client.ts";
import type { SessionPaths } from "../../../agentctl-remote/src/host/paths.ts";
import { Runner } from "../../../agentctl-remote/src/host/runner.ts";
import type { SessionFile } from "../../../agentctl-remote/src/host/spawn.ts";
import { type NewEvent, Spool } from "../../../agentctl-remote/src/host/spool.ts";
import { hostState } from "../../../agentctl-remote/src/host/state.ts";
import { HOST_PROTOCOL, type HostDown, type HostState, type HostUp } from "../../../agentctl-remote/src/host/wire.ts";
import { startScriptedAgent } from "./agent.ts";
import type { TrueSession } from "./orders.ts";
import type { World } from "./world.ts";

type OnFrame = (frame: HostUp) => void;

/** The real spool on disk; each event that it takes becomes a line of the truth. */
class TrueSpool extends Spool {
  truth: TrueSession | null = null;

  override append(events: readonly NewEvent[], at: number): void {
    super.append(events, at);
    for (const { body } of events) this.#note(body, at);
    if (this.truth) this.truth.pending_approvals = this.facts.execution?.pending_approvals.length ?? 0;
  }

  #note(body: SpoolEventBody, at: number): void {
    const state = stateAfter(body);
    if (state) this.truth?.timeline.push({ at, ...state });
  }
}

function stateAfter(body: SpoolEventBody): Omit<TrueSession["timeline"][number], "at"> | null {
  switch (body.type) {
    case "execution.opened":
      return { state: "STARTING", end_reason: null };
    case "agent.ready":
    case "turn.ended":
      return { state: "WAITING_FOR_INPUT", end_reason: null };
    case "turn.started":
      return { state: "RUNNING", end_reason: null };
    case "execution.ended": {
      const { end_reason } = body;
      if (end_reason === "completed" || end_reason === "agent_exit") return { state: "COMPLETED", end_reason };
      return { state: end_reason === "stopped" ? "CANCELLED" : "ERROR", end_reason };
    }
    default:
      return null;
  }
}

/** One session's host within the process that plays its machine: the real core, runner and spool, the agent scripted. */
export class SimulatedHost {
  readonly pid: number;
  readonly #session: SessionFile;
  readonly #spool: TrueSpool;
  readonly #runner: Runner;
  readonly #truth: TrueSession;
  readonly #world: World;
  #daemon: { onFrame: OnFrame; next: number | null; paused: boolean; held: HostUp[]; end(): void } | null = null;
  #told = "";

  /** @param found how what a dead host left open was found to be over (R6) */
  constructor(paths: SessionPaths, session: SessionFile, found: "live" | "scan", world: World, onEnd: () => void) {
    this.#session = session;
    this.#world = world;
    this.pid = world.pid();
    this.#truth = world.session(session.session_id);
    this.#spool = new TrueSpool(paths.spool, paths.reserve);
    this.#spool.truth = this.#truth;
    this.#closeOpenExecution(found);
    this.#truth.host_alive = true;
    this.#runner = new Runner({
      spool: this.#spool,
      log: () => undefined,
      now: Date.now,
      startDriver: (ports) => startScriptedAgent(ports, world),
      agentEnv: () => ({}),
      tell: (frame) => {
        if (this.#daemon?.next !== null) this.#say(frame);
      },
      reply: (frame) => this.#say(frame),
      changed: () => this.#changed(),
      leave: () => {
        this.#truth.host_alive = false;
        this.#daemon?.end();
        this.#spool.close();
        onEnd();
      },
    });
  }

  /** The one daemon, as over the host's socket: frames pass one after the other, never within a call. */
  connect(onFrame: OnFrame): HostLink {
    let end: () => void = () => undefined;
    const closed = new Promise<void>((resolve) => {
      end = resolve;
    });
    const daemon = { onFrame, next: null, paused: false, held: [], end };
    this.#daemon = daemon;
    return {
      hello: { type: "hello", host_protocol: HOST_PROTOCOL, proof: "", ...this.#state() },
      send: (frame) => {
        setImmediate(() => this.#onFrame(frame));
        return true;
      },
      pause: () => {
        daemon.paused = true;
      },
      resume: () => {
        daemon.paused = false;
        this.#changed();
      },
      close: () => {
        if (this.#daemon === daemon) this.#daemon = null;
        end();
      },
      closed,
    };
  }

  /** Of what a dead host left open, nothing lives: the machine's process table died with it. */
  #closeOpenExecution(found: "live" | "scan"): void {
    const open = this.#spool.facts.execution;
    if (!open?.open) return;
    const body: SpoolEventBody = {
      type: "execution.ended",
      end_reason: "interrupted",
      failure: { code: "host_died", message: "The process that served this session died, and its agent with it." },
      exit_code: null,
      signal: null,
      died: "host",
      found,
      group_dead: true,
    };
    this.#spool.append([{ execution_id: open.execution_id, body }], Date.now());
  }

  #say(frame: HostUp): void {
    const daemon = this.#daemon;
    if (!daemon) return;
    daemon.held.push(frame);
    setImmediate(() => {
      while (!daemon.paused && daemon.held.length > 0) {
        const next = daemon.held.shift();
        if (next) daemon.onFrame(next);
      }
    });
  }

  #changed(): void {
    this.#pump();
    const state = this.#state();
    const key = JSON.stringify({ ...state, last_seq: state.last_seq > state.acked, acked: null });
    if (key === this.#told) return;
    this.#told = key;
    this.#say({ type: "state", state });
  }

  #pump(): void {
    const daemon = this.#daemon;
    while (daemon && daemon.next !== null && !daemon.paused && daemon.next <= this.#spool.last_seq) {
      const events = this.#spool.read(daemon.next);
      const last = events.at(-1);
      daemon.next = (last?.seq ?? this.#spool.last_seq) + 1;
      if (last) this.#say({ type: "events", spool_id: this.#spool.spool_id, events });
    }
  }

  #onFrame(frame: HostDown): void {
    // No shells are played here.
    if (isTerminalDown(frame)) return;
    switch (frame.type) {
      case "ack":
        if (frame.spool_id === this.#spool.spool_id) this.#spool.ack(frame.seq);
        this.#changed();
        return;
      case "follow":
        if (this.#daemon) this.#daemon.next = frame.from_seq;
        this.#pump();
        this.#runner.dispatch({ type: "followed" });
        return;
      case "unfollow":
        if (this.#daemon) this.#daemon.next = null;
        return;
      case "terminal.write": {
        const { request_id } = frame;
        this.#say({ type: "terminal.written", request_id, outcome: "not_found" });
        return;
      }
      case "watch":
      case "preview.whole":
      case "hello":
      case "ping":
      case "session.welcome":
      case "idle.ok":
      case "error":
        return;
      case "launch":
        this.#world.handed.set(frame.command.command_id, Date.now());
        this.#runner.dispatch(frame);
        return;
      default:
        this.#runner.dispatch(frame);
    }
  }

  #state(): HostState {
    return hostState(this.#session, this.#spool, this.#runner, {
      boot_id: "simulated",
      pid: this.pid,
      start_time: "1",
    });
  }
}
