import { existsSync } from "node:fs";
import { Readable, Writable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import * as acp from "@agentclientprotocol/sdk";
import type { Failure, PromptBlocks } from "@reprise/protocol";
import { bootId, startTimeOf } from "../../host/process.ts";
import { DRAIN_MS, EXIT_WAIT_MS, KILL_GRACE_MS, MAX_AGENT_LINE_BYTES, ORPHAN_GRACE_MS } from "../../limits.ts";
import type { Driver, DriverPorts } from "../driver.ts";
import { type AgentChild, endGroup, spawnLeader, tailOf } from "../group.ts";
import { askOf, HeldApprovals } from "./approvals.ts";
import { cut, promptContent } from "./content.ts";
import { wordsOf } from "./failure.ts";
import { gated } from "./gate.ts";
import { ItemBook } from "./items.ts";
import { ReplayBarrier } from "./replay.ts";
import { type AgentSettings, afterAnswer, afterUpdate, NO_SETTINGS } from "./settings.ts";
import { applySetting, openConversation } from "./start.ts";
import { type Answer, tapped } from "./tap.ts";
import { turnOutcome } from "./turn.ts";
import { readUpdate } from "./updates.ts";

const SESSION_METHODS: readonly string[] = ["session/new", "session/load", "session/resume"];

/** Start an ACP agent. Everything that becomes of it is told through the ports. */
export function startAcpAgent(ports: DriverPorts): Driver {
  return new AcpDriver(ports);
}

class AcpDriver implements Driver {
  private readonly ports: DriverPorts;
  private readonly book: ItemBook;
  private readonly barrier = new ReplayBarrier();
  private readonly approvals = new HeldApprovals();
  private readonly gate = gated();
  private settings: AgentSettings = NO_SETTINGS;
  private toldSettings = "";
  private title = "";
  private session: string | null = null;
  private turn: string | null = null;
  private agent: acp.ClientContext | null = null;
  private child: AgentChild | null = null;
  private outputEnded: Promise<void> = Promise.resolve();
  private stderr: () => string = () => "";
  private exited = false;
  private killing = false;
  private timer: NodeJS.Timeout | null = null;
  /** A prompt that lets the tail of a replay pass first (R5). */
  private unsent: { send: () => void; timer: NodeJS.Timeout } | null = null;

  constructor(ports: DriverPorts) {
    this.ports = ports;
    this.book = new ItemBook({ item: (item) => ports.tell({ type: "item", item }), preview: ports.preview });
    try {
      this.spawn();
    } catch (error) {
      // Arguments that no process can have are refused before there is one.
      this.neverStarted(error instanceof Error ? error : new Error(String(error)));
    }
  }

  private spawn(): void {
    const { ports } = this;
    const { spec, workspace } = ports.launch;
    const child = spawnLeader(spec.command, spec.args, { cwd: workspace.cwd, env: ports.env });
    const { pid } = child;
    child.once("error", (error) => {
      if (pid === undefined) this.neverStarted(error);
      else ports.log("The agent's process reported an error.", { error: error.message });
    });
    if (pid === undefined) return;
    this.stderr = tailOf(child.stderr);
    this.child = child;
    ports.tell({ type: "agent.spawned", pid, start_time: startTimeOf(pid), boot_id: bootId() });
    child.once("exit", (exit_code, signal) => this.exit(exit_code, signal));
    this.connect(child);
  }

  private neverStarted(error: Error): void {
    const missing = "code" in error && error.code === "ENOENT";
    const { spec, workspace } = this.ports.launch;
    const command = spec.command;
    // The system says the same of a folder that isn't there.
    const folderGone = missing && !existsSync(workspace.cwd);
    const failure: Failure = folderGone
      ? { code: "workspace_missing", message: cut(`The folder ${workspace.cwd} isn't there (any more).`, 2_000) }
      : missing
        ? { code: "agent_not_found", message: `The command ${cut(command, 500)} isn't on this session's PATH.` }
        : { code: "agent_start_failed", message: cut(`The agent could not be started: ${error.message}`, 2_000) };
    this.ports.tell({ type: "failed", failure });
  }

  private connect(child: AgentChild): void {
    // Writing to an agent that just died fails; its exit says so.
    child.stdin.on("error", (error) => this.ports.log("The agent takes no more input.", { error: error.message }));
    const wire = acp.ndJsonStream(Writable.toWeb(child.stdin), this.gate.through(Readable.toWeb(child.stdout)), {
      maxMessageBytes: MAX_AGENT_LINE_BYTES,
    });
    const stream = tapped(wire, {
      onUpdate: (params) => this.onUpdate(params),
      onAnswer: (method, answer) => this.onAnswer(method, answer),
      onRequest: (method) => {
        if (method === "session/load" || method === "session/resume") this.barrier.begin();
      },
    });
    const connection = acp
      .client({ name: "reprise" })
      .onRequest(acp.methods.client.session.requestPermission, ({ params, requestId }) => {
        const name = this.approvals.nameOf(requestId);
        const answer = this.approvals.hold(name);
        this.ports.tell({ type: "asked", ask: askOf(name, params) });
        return answer;
      })
      .connect(stream);
    this.agent = connection.agent;
    // It closes after the last frame has passed the tap: then all that the agent said is told.
    this.outputEnded = connection.closed;
    this.quietly("The end of its output", this.afterOutput(child));
    this.quietly("The start", this.begin(connection.agent, connection.signal));
  }

  private async afterOutput(child: AgentChild): Promise<void> {
    await this.outputEnded;
    // A process that dies closes its pipe a moment before it is reaped, and only then is known what ended it.
    if (child.exitCode === null && child.signalCode === null) await delay(EXIT_WAIT_MS);
    this.exit(child.exitCode, child.signalCode);
  }

  private async begin(agent: acp.ClientContext, gone: AbortSignal): Promise<void> {
    const opened = await openConversation(agent, this.ports.launch, {
      onInitialized: (body) => this.ports.tell(body),
      replayed: () => this.barrier.replayed,
    });
    // When the process is gone, its exit is what happened, not the request that it left open.
    if (this.exited || gone.aborted) return;
    if (!opened.ok) return this.ports.tell({ type: "failed", failure: opened.failure });
    this.session = opened.token;
    const { mode, model } = this.ports.launch.spec;
    if (mode !== undefined && mode !== this.settings.body.mode) await this.set("mode", mode);
    if (model !== undefined && model !== this.settings.body.model) await this.set("model", model);
    if (this.exited || gone.aborted) return;
    this.tellSettings();
    this.ports.tell(opened.ready());
  }

  private onUpdate(params: unknown): void {
    const read = readUpdate(params);
    if (read.kind === "ignored") return;
    if (read.kind === "setting") {
      const { update } = read;
      if (update.sessionUpdate === "session_info_update") {
        const title = update.title ? cut(update.title, 200) : this.title;
        if (title !== this.title) this.ports.tell({ type: "agent.title", title });
        this.title = title;
        return;
      }
      this.settings = afterUpdate(this.settings, update);
      this.tellSettings();
      return;
    }
    // Sub-sessions of an agent are its own business.
    if (this.session !== null && read.session !== this.session) return;
    if (!this.barrier.passes(read.update)) return;
    this.book.update(read.update, this.ports.now());
    this.arm();
  }

  private onAnswer(method: string, answer: Answer): void {
    if (SESSION_METHODS.includes(method)) {
      this.barrier.answered(this.ports.now());
      if ("result" in answer) this.settings = afterAnswer(this.settings, answer.result);
    }
    if (method !== "session/prompt" || this.turn === null) return;
    const turn_id = this.turn;
    this.turn = null;
    this.book.endTurn(this.ports.now());
    this.ports.tell({ type: "turn.over", turn_id, ...turnOutcome(answer) });
  }

  private tellSettings(): void {
    const said = JSON.stringify(this.settings.body);
    if (said === this.toldSettings || this.session === null) return;
    this.toldSettings = said;
    this.ports.tell(this.settings.body);
  }

  private async set(what: "mode" | "model", value: string): Promise<void> {
    if (!this.agent || this.session === null) return;
    const setter = what === "mode" ? this.settings.setMode : this.settings.setModel;
    const problem = await applySetting(this.agent, this.session, setter, value);
    if (problem !== null) {
      const text = cut(`The agent did not take the ${what} “${value}”. ${problem}`, 4_000);
      return this.ports.tell({ type: "notice", level: "warning", code: `${what}_not_set`, text });
    }
    this.settings = { ...this.settings, body: { ...this.settings.body, [what]: value } };
    this.tellSettings();
  }

  private arm(): void {
    if (this.timer !== null) return;
    const due = this.book.due();
    if (due === null) return;
    this.timer = setTimeout(
      () => {
        this.timer = null;
        this.book.tick(this.ports.now());
        this.arm();
      },
      Math.max(1, due - this.ports.now()),
    );
  }

  private exit(exit_code: number | null, signal: string | null): void {
    if (this.exited) return;
    this.exited = true;
    this.ports.tell({ type: "exited", exit_code, signal });
  }

  /** For work whose outcome is told elsewhere: its failure is only logged. */
  private quietly(what: string, work: Promise<unknown>): void {
    work.catch((error: unknown) => this.ports.log(`${what} failed.`, { error: wordsOf(error) }));
  }

  prompt(turnId: string, blocks: PromptBlocks): void {
    this.turn = turnId;
    const send = () => {
      if (!this.agent || this.session === null) return;
      this.unsent = null;
      this.barrier.prompted();
      const prompt = promptContent(blocks);
      const { session } = acp.methods.agent;
      this.quietly("A prompt", this.agent.request(session.prompt, { sessionId: this.session, prompt }));
    };
    const wait = this.barrier.settlesAt - this.ports.now();
    if (wait <= 0) send();
    else this.unsent = { send, timer: setTimeout(send, wait) };
  }

  cancel(): void {
    if (!this.agent || this.session === null) return;
    // The prompt goes first, for only a turn that the agent knows can be cancelled.
    if (this.unsent) {
      clearTimeout(this.unsent.timer);
      this.unsent.send();
    }
    this.quietly("A cancel", this.agent.notify(acp.methods.agent.session.cancel, { sessionId: this.session }));
  }

  answer(requestId: string, optionId: string | null): void {
    this.approvals.answer(requestId, optionId);
  }

  setMode(mode: string): void {
    this.quietly("A mode", this.set("mode", mode));
  }

  setModel(model: string): void {
    this.quietly("A model", this.set("model", model));
  }

  watch(on: boolean): void {
    this.book.watch(on);
    this.arm();
  }

  whole(itemId: string): void {
    this.book.whole(itemId, this.ports.now());
  }

  pauseReading(): void {
    this.gate.close();
  }

  resumeReading(): void {
    this.gate.open();
  }

  kill(): void {
    if (this.killing) return;
    this.killing = true;
    this.quietly("The end", this.end());
  }

  private async end(): Promise<void> {
    const pid = this.child?.pid;
    if (pid !== undefined) {
      await endGroup(pid, this.ports.log, this.exited ? ORPHAN_GRACE_MS : KILL_GRACE_MS);
      // What it wrote before it died may still be in the pipe; a stray that left its group may hold that open.
      await Promise.race([this.outputEnded, delay(DRAIN_MS)]);
    }
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    this.book.flush(this.ports.now());
    this.ports.tell({ type: "dead", stderr: this.stderr() });
  }
}
