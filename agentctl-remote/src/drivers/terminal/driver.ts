import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { type Failure, newId, type PromptBlocks, promptText } from "@reprise/protocol";
import { ensureHooks } from "../../hooks/hooks.ts";
import type { AgentEnd } from "../../host/core/verdict.ts";
import type { SessionPaths } from "../../host/paths.ts";
import { bootId, familyOf, startTimeOf } from "../../host/process.ts";
import {
  AGENT_SETTLE_MS,
  AGENT_SPEAK_MS,
  AGENT_WRAPPER_MS,
  HANG_UP_MS,
  KILL_GRACE_MS,
  ORPHAN_GRACE_MS,
} from "../../limits.ts";
import type { Terminals } from "../../terminal/terminals.ts";
import type { Driver, DriverPorts } from "../driver.ts";
import { saysGone } from "../gone.ts";
import { AgentTerminal } from "./agent-terminal.ts";
import { type AgentInput, type AgentOutput, type AgentState, orderedAgent, stepAgent } from "./core/agent.ts";
import type { LastEnd } from "./core/found.ts";
import type { Report } from "./core/report.ts";
import type { Said } from "./core/said.ts";
import { endAgents } from "./end.ts";
import { failureOf } from "./failure.ts";
import { findToken } from "./find-token.ts";
import { agentEnv, discard, prepare } from "./prepare.ts";
import { Timers } from "./timers.ts";
import { Watch } from "./watch.ts";

/** What a terminal's agents share, one after the other. */
export interface Seat {
  paths: SessionPaths;
  terminals: Terminals;
  /** The terminal's present life. */
  terminal(): AgentTerminal | null;
  /** A new one has begun. */
  moved(terminal: AgentTerminal): void;
  /** Take the reports that lie there now. */
  look(): void;
  /** What was held back of them is on disk. */
  release(): void;
  over(last: LastEnd): void;
}

/** A word of an agent, who called its hook, and when. */
export interface Heard {
  said: Said;
  chain: readonly number[];
  at: number;
}

const nothing = (): void => undefined;

/** One terminal agent: in the session's terminal, under its person's shell. */
export class TerminalDriver implements Driver {
  private readonly ports: DriverPorts;
  private readonly seat: Seat;
  private agent: AgentState;
  private terminal: AgentTerminal | null = null;
  private go: string | null = null;
  private readonly outputs: AgentOutput[] = [];
  private held = false;
  private killing = false;
  private end: AgentEnd | null = null;
  private words = "";
  private readonly begun: Promise<void>;
  private ending: Promise<void> = Promise.resolve();
  private readonly timers = new Timers();
  private readonly watcher = new Watch({ gone: () => this.gone(), token: () => this.lookForToken() });

  /** @param adopt the process of an agent that its person started; null: it is to be started */
  constructor(ports: DriverPorts, seat: Seat, adopt: number | null) {
    this.ports = ports;
    this.seat = seat;
    this.agent = orderedAgent(ports.launch);
    // Nothing is told before whoever starts it has it.
    if (adopt === null) this.begun = Promise.resolve().then(() => this.begin());
    else {
      this.begun = Promise.resolve();
      this.have(seat.terminal());
      this.wrapped(adopt);
    }
    this.begun.catch((error: unknown) => {
      this.fail({ code: "agent_start_failed", message: `The agent could not be started: ${String(error)}` });
    });
  }

  get execution_id(): string {
    return this.ports.launch.command_id;
  }

  /** The disk is full: what is told is not written yet (P5). */
  get paused(): boolean {
    return this.held;
  }

  hear({ said, chain, at }: Heard): void {
    this.feed({ type: "said", said, chain, at, turn_id: newId("turn", (n) => randomBytes(n)) });
  }

  /** Its wrapper's words. */
  report(report: Extract<Report, { type: "start" | "exit" }>, at: number): void {
    if (report.type === "start") this.wrapped(report.pid);
    else this.exited({ how: "exited", status: report.status, hung_up: report.hung_up, at });
  }

  private async begin(): Promise<void> {
    const { launch } = this.ports;
    const tells_turns = this.hooks();
    const prepared = prepare(launch, this.seat.paths);
    if (!prepared)
      return this.fail({ code: "not_resumable", message: "This profile has no arguments to resume a conversation." });
    if (this.killing) return;
    this.agent = { ...this.agent, tells_turns, unsaid: prepared.unsaid };
    this.go = prepared.go;
    const terminal = new AgentTerminal();
    const ran = await terminal.run(this.seat.terminals, prepared.program);
    if (!ran.ok) return this.fail({ code: "agent_start_failed", message: ran.message });
    this.seat.moved(terminal);
    this.have(terminal);
    this.timers.set("wrapper", AGENT_WRAPPER_MS, () => {
      const message = `The shell did not start the agent within ${AGENT_WRAPPER_MS / 1_000} s. Its terminal shows why.`;
      this.fail({ code: "agent_start_failed", message });
    });
    if (ran.kept === null) return;
    const text = `Something still runs in the shell of the agent before. It goes on in the terminal ${ran.kept}.`;
    this.ports.tell({ type: "notice", level: "info", code: "terminal_kept", text, terminal_id: ran.kept });
  }

  /** @returns whether the agent's hooks tell of its turns. Without them it runs all the same. */
  private hooks(): boolean {
    const { launch } = this.ports;
    const result = ensureHooks(launch.spec.agent_kind, agentEnv(launch, this.seat.paths));
    if (result.ok) return result.reports === "turns";
    const text = `Only the agent's end will be known, not what it does. ${result.message}`.slice(0, 4_000);
    this.ports.tell({ type: "notice", level: "warning", code: "hooks_not_installed", text });
    return false;
  }

  private have(terminal: AgentTerminal | null): void {
    this.terminal = terminal;
    terminal?.give({
      title: (title) => {
        if (this.agent.phase !== "ordered") this.ports.tell({ type: "agent.title", title });
      },
      typed: (submitted) => this.feed({ type: "typed", submitted }),
      refused: () => this.feed({ type: "refused" }),
      stirs: () => this.watcher.stir(),
      rests: () => this.feed({ type: "rests" }),
      ended: () => this.hungUp(),
    });
  }

  private wrapped(pid: number): void {
    if (this.agent.phase !== "ordered") return;
    this.timers.clear("wrapper");
    const who = { pid, start_time: startTimeOf(pid), boot_id: bootId() };
    this.watcher.begin(who);
    this.feed({ type: "wrapped", who });
  }

  private feed(input: AgentInput): void {
    const { state, outputs } = stepAgent(this.agent, input);
    this.agent = state;
    this.outputs.push(...outputs);
    this.drain();
  }

  private drain(): void {
    for (
      let next = this.held ? undefined : this.outputs.shift();
      next;
      next = this.held ? undefined : this.outputs.shift()
    )
      this.carryOut(next);
  }

  private carryOut(output: AgentOutput): void {
    switch (output.type) {
      case "tell":
        this.ports.tell(output.event);
        return;
      case "go":
        if (this.go !== null) writeFileSync(this.go, "", { mode: 0o600 });
        this.timers.set("settle", AGENT_SETTLE_MS, () => this.settled());
        this.timers.set("speak", AGENT_SPEAK_MS, () => this.feed({ type: "mute" }));
        return;
      case "type":
        if (this.end === null && !this.killing) this.terminal?.type(output.text);
        return;
      case "escape":
        this.terminal?.escape();
        return;
    }
  }

  private settled(): void {
    this.lookForToken();
    this.feed({ type: "settled" });
  }

  /** Where no hook says which conversation it is, an open file of the agent's may. */
  private lookForToken(): void {
    const { reporter, spec } = this.agent;
    if (reporter.id !== null || reporter.root === null) return;
    const token = findToken(spec.agent_kind, familyOf(reporter.root));
    if (token !== null) this.feed({ type: "token", token });
  }

  private gone(): void {
    // Its wrapper may have told it just before.
    this.seat.look();
    this.exited({ how: "unknown", at: this.ports.now() });
  }

  /** Its shell is gone, and the agent hears of it: it may say some last words. */
  private hungUp(): void {
    if (this.agent.phase === "ordered") {
      this.fail({ code: "agent_start_failed", message: "The shell ended before it started the agent." });
      return;
    }
    const at = this.ports.now();
    this.timers.set("hang_up", HANG_UP_MS, () => {
      this.seat.look();
      this.exited({ how: "unknown", at });
    });
  }

  private exited(end: AgentEnd): void {
    if (this.end !== null) return;
    this.end = end;
    this.terminal?.hush();
    this.watcher.stop();
    this.timers.clearAll();
    this.ending = this.conclude(end).catch((error: unknown) =>
      this.ports.log("The agent's end could not be told.", { error: String(error) }),
    );
  }

  private async conclude(end: AgentEnd): Promise<void> {
    const failure = await this.failure(end);
    this.feed({ type: "over" });
    this.ports.tell({ type: "ended", end });
    if (failure) this.ports.tell({ type: "failed", failure });
    this.seat.release();
  }

  /** Why it came to nothing, if it did: it was not ready yet, or counted as that only because it said nothing. */
  private async failure(end: AgentEnd): Promise<Failure | null> {
    const { phase, reporter, prompted, spec, resumes } = this.agent;
    const unready = phase === "ordered" || phase === "starting";
    const erred = end.how === "exited" && !end.hung_up && end.status > 0 && end.status < 128 && !prompted;
    if (!unready && !erred) return null;
    this.words = (await this.terminal?.lastWords()) ?? "";
    const gone = resumes !== null && saysGone(this.words);
    if (!unready && reporter.id !== null && !gone) return null;
    return failureOf(end, this.words, { command: spec.command, resumes: resumes !== null });
  }

  private fail(failure: Failure): void {
    const { code, message } = failure;
    this.ports.tell({ type: "failed", failure: { code, message: message.slice(0, 2_000) } });
  }

  prompt(turnId: string, blocks: PromptBlocks): void {
    this.feed({ type: "prompt", turn_id: turnId, text: promptText(blocks) });
  }

  cancel(): void {
    this.feed({ type: "cancel" });
  }

  /** What it asks is answered in its terminal; so are modes and models chosen there, and nothing of it is an item. */
  readonly answer = nothing;
  readonly setMode = nothing;
  readonly setModel = nothing;
  readonly watch = nothing;
  readonly whole = nothing;

  pauseReading(): void {
    this.held = true;
  }

  resumeReading(): void {
    this.held = false;
    this.drain();
    this.seat.release();
  }

  kill(): void {
    if (this.killing) return;
    this.killing = true;
    this.terminal?.hush();
    this.finish().catch((error: unknown) => this.ports.log("The end failed.", { error: String(error) }));
  }

  private async finish(): Promise<void> {
    // Not before its shell is there: what that was told to run would come after.
    await this.begun.catch(() => undefined);
    const root = this.agent.reporter.root;
    const agents = { execution_id: this.execution_id, root, shell: this.terminal?.shell ?? null };
    discard(this.ports.launch, this.seat.paths);
    await endAgents(agents, this.end === null ? KILL_GRACE_MS : ORPHAN_GRACE_MS, this.ports.log);
    this.seat.look();
    await this.ending;
    this.timers.clearAll();
    this.watcher.stop();
    this.feed({ type: "over" });
    this.terminal?.give(null);
    this.seat.over({ token: this.agent.token, root, at: this.ports.now() });
    this.ports.tell({ type: "dead", stderr: this.words });
  }
}
