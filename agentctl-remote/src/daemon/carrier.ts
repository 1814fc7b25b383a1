import { existsSync } from "node:fs";
import {
  type Command,
  type CommandOf,
  type Failure,
  type NodeUp,
  type NumberedCommand,
  type Runtime,
  TERMINAL_REFUSALS,
} from "@reprise/protocol";
import { endMarked } from "../host/recover.ts";
import { RESULT_REPEAT_MS, TEARDOWN_TRIES } from "../limits.ts";
import type { Log } from "../log.ts";
import { ensureWorkspace, removeWorktree } from "../workspace/ensure.ts";
import type { Roots } from "../workspace/roots.ts";
import { Again } from "./again.ts";
import { crashPoint } from "./crash-point.ts";
import type { EndResult } from "./endings.ts";
import type { Journal, JournalEntry } from "./journal.ts";
import type { Keepers } from "./keepers.ts";
import { type StatePaths, sessionDir } from "./paths.ts";
import type { Slots } from "./slot-timer.ts";
import { readTombstone, readWorkspace, removeSessionDir, writeTombstone, writeWorkspace } from "./tombstone.ts";

export interface CarrierPorts {
  paths: StatePaths;
  journal: Journal;
  keepers: Keepers;
  slots: Slots;
  roots: Roots;
  /** What the machine's owner allows (S4). */
  runtimes: readonly Runtime[];
  shell: boolean;
  log: Log;
  send(frame: NodeUp): void;
  /** The session is no more on this node. */
  gone(sessionId: string): void;
  /** `last_command_seq` may have moved. */
  moved(sessionId: string): void;
}

const OK: EndResult = { ok: true };
const NO_TERMINALS: Failure = {
  code: "agent_start_failed",
  message: `${TERMINAL_REFUSALS.shell_off} An agent in its own terminal needs one.`,
};
const TAKEN_BACK: Failure = { code: "claim_revoked", message: "This start was taken back before it began." };

/** Carries commands out, each once: what is in the journal is not begun again, what it left open is gone on with. */
export class Carrier {
  private readonly ports: CarrierPorts;
  /** Commands of one session follow each other. */
  private readonly chains = new Map<string, Promise<void>>();
  /** Teardowns that failed, until their next try. */
  private readonly again = new Again();
  private over = false;

  constructor(ports: CarrierPorts) {
    this.ports = ports;
  }

  /** The daemon ends: what is under way is gone on with after the next start. */
  close(): void {
    this.over = true;
    this.again.close();
  }

  /** One delivery; the same command again is the same command. */
  deliver({ seq, command }: NumberedCommand): void {
    const { journal, send, log } = this.ports;
    const isNew = journal.receive(seq, command, Date.now());
    crashPoint("after_received");
    send({ type: "command.received", command_id: command.command_id });
    if (isNew) {
      log.info({ command_id: command.command_id, command: command.type, session_id: command.session_id }, "command");
      this.enqueue(command);
      return;
    }
    const entry = journal.get(command.command_id);
    if (entry && (entry.state === "done" || entry.state === "failed")) this.tell(entry);
  }

  /** After the daemon's start: go on with what was left open. @param torn sessions whose teardown was begun */
  resume(torn: readonly string[]): void {
    const open = this.ports.journal.open();
    for (const entry of open) this.enqueue(entry.command);
    for (const sessionId of torn) {
      if (open.some(({ command }) => command.session_id === sessionId && command.type === "teardown")) continue;
      const tombstone = readTombstone(sessionDir(this.ports.paths, sessionId));
      this.enqueue({ type: "teardown", session_id: sessionId, ...tombstone });
    }
  }

  /** After a reconnect: nobody acknowledges results, so the recent ones are told again. */
  repeatResults(now: number): void {
    for (const entry of this.ports.journal.resultsSince(now - RESULT_REPEAT_MS)) this.tell(entry);
  }

  /** What the keeper learned of a launch. */
  launchSettled(executionId: string, failure: Failure | null): void {
    const entry = this.ports.journal.get(executionId);
    if (entry && entry.state !== "done" && entry.state !== "failed") this.finish(entry.command, failure);
  }

  private enqueue(command: Command): void {
    // What a person says of an engine that is away must not wait behind a launch that waits for that engine.
    const keeper = this.ports.keepers.get(command.session_id);
    if (command.type === "ensure_host") keeper?.tryNow();
    if (command.type === "stop_trying") {
      keeper?.stopTrying();
      this.finish(command, null);
      return;
    }
    const before = this.chains.get(command.session_id) ?? Promise.resolve();
    const after = before.then(() => this.carry(command));
    this.chains.set(command.session_id, after);
    void after.then(() => {
      if (this.chains.get(command.session_id) === after) this.chains.delete(command.session_id);
    });
  }

  private async carry(command: Command): Promise<void> {
    try {
      const result = await this.begin(command);
      if (result && !this.over) this.finish(command, result.ok ? null : result.failure);
    } catch (error) {
      const { command_id, session_id } = command;
      this.ports.log.error({ err: error, command_id, session_id }, "a command could not be carried out");
      if (this.over) return;
      const message = error instanceof Error ? error.message : String(error);
      this.finish(command, { code: "internal", message: message.slice(0, 2_000) });
    }
  }

  /** @returns null for a launch on its way: its host tells what became of it */
  private async begin(command: Command): Promise<EndResult | null> {
    switch (command.type) {
      case "launch":
        return this.launch(command);
      case "stop":
        return this.stop(command);
      case "teardown":
        return this.teardown(command);
      case "ensure_host":
        return this.prepare(command, true);
      case "stop_trying":
        return OK;
      default:
        return command satisfies never;
    }
  }

  private async launch(command: CommandOf<"launch">): Promise<EndResult | null> {
    const id = command.command_id;
    if (!(await this.heard(command))) return null;
    // Begun before a restart of ours: the spool tells the rest.
    if (this.ports.keepers.get(command.session_id)?.lastExecution === id) return OK;
    this.giveWay(command);
    // S4: its terminal is its person's shell, and nobody could look at it.
    if (command.spec.driver === "terminal" && !this.ports.shell) return { ok: false, failure: NO_TERMINALS };
    const ready = await this.prepare(command, !command.automatic);
    if (!ready.ok || this.over) return ready;
    const state = this.ports.journal.get(id)?.state;
    // A stop took it back meanwhile.
    if (state === "done" || state === "failed") return null;
    this.ports.slots.ask(id, command.automatic, () => {
      crashPoint("before_handed");
      this.ports.journal.mark(id, "handed", null, Date.now());
      this.ports.keepers.of(command.session_id).launch(command);
      crashPoint("after_handed");
    });
    return null;
  }

  /** A silent host may run this very launch: nothing is said of it before that is known (T3). @returns false when the daemon ends first */
  private async heard({ session_id, command_id, automatic }: CommandOf<"launch">): Promise<boolean> {
    const keeper = this.ports.keepers.get(session_id);
    // That Docker doesn't answer is an answer to somebody who waits, for a launch that no host was ever handed.
    if (keeper?.away && !automatic && this.ports.journal.get(command_id)?.state === "received") return true;
    if (keeper?.hostSilent)
      this.ports.log.warn({ session_id, command_id }, "the session's host doesn't answer: its launch waits");
    return keeper ? await keeper.hostHeard() : !this.over;
  }

  /** A session has one claim at a time (R3): a newer launch means that an older one which never began is void. */
  private giveWay(command: CommandOf<"launch">): void {
    const begun = this.ports.keepers.get(command.session_id)?.lastExecution;
    for (const { id, command: other } of this.ports.journal.open()) {
      if (id === command.command_id) break;
      if (other.type === "launch" && other.session_id === command.session_id && id !== begun)
        this.takeBack(command.session_id, id);
    }
  }

  /** A launch that has not begun is not wanted any more. */
  private takeBack(sessionId: string, executionId: string): void {
    const { keepers, slots, journal } = this.ports;
    slots.done(executionId);
    keepers.get(sessionId)?.withdraw(executionId);
    const state = journal.get(executionId)?.state;
    if (state === "received" || state === "handed") journal.mark(executionId, "done", null, Date.now());
  }

  /** Folder and host: what launch and ensure_host have in common. */
  private async prepare(command: CommandOf<"launch" | "ensure_host">, urgent: boolean): Promise<EndResult> {
    const { keepers, journal, paths, roots, runtimes } = this.ports;
    const no = (code: Failure["code"], message: string): EndResult => ({ ok: false, failure: { code, message } });
    if (journal.tornDown(command.session_id)) return no("claim_revoked", "This session was removed from this machine.");
    const { runtime } = command;
    if (!runtimes.includes(runtime))
      return no(
        "runtime_unavailable",
        `This machine's owner doesn't allow sessions in ${runtime} (runtimes in config.json).`,
      );
    const workspace = await ensureWorkspace(command.workspace, roots);
    if (!workspace.ok) return workspace;
    const keeper = keepers.of(command.session_id);
    writeWorkspace(sessionDir(paths, command.session_id), command.workspace);
    const ready = await keeper.ensure({ workspace: workspace.path, runtime }, urgent);
    // Whoever answers then only closes what is left.
    return keeper.gone ? { ok: false, failure: keeper.gone } : ready;
  }

  private async stop(command: CommandOf<"stop">): Promise<EndResult | null> {
    const { execution_id, session_id } = command;
    this.takeBack(session_id, execution_id);
    const ended = await this.endExecution(command);
    if (ended?.ok) this.tellNeverBegan(session_id, execution_id);
    return ended;
  }

  /** Only a spool tells of an end. Of a start that was taken back before its spool knew it, this must be told (R3). */
  private tellNeverBegan(sessionId: string, executionId: string): void {
    if (this.ports.keepers.get(sessionId)?.lastExecution === executionId) return;
    const launch = this.ports.journal.get(executionId);
    if (launch?.command.type === "launch" && launch.state !== "failed") this.finish(launch.command, TAKEN_BACK);
  }

  /** @returns null when the daemon ends first */
  private async endExecution(command: CommandOf<"stop">): Promise<EndResult | null> {
    const { execution_id, session_id, command_id, end_reason } = command;
    const keeper = this.ports.keepers.get(session_id);
    // Launched from a state folder that is lost, its agent may live with nobody to serve it (T3, R3).
    const unserved = () => endMarked(execution_id, (message) => this.ports.log.warn({ execution_id }, message));
    if (!keeper) {
      await unserved();
      return OK;
    }
    // A silent host may have the agent: the order waits for it, also over a restart of ours (T3, T5).
    while (await keeper.hostHeard()) {
      // What a dead host left open has to be proven dead by a new one before anything is said of it.
      if (!keeper.hasHost && keeper.openExecution === execution_id) {
        const there = await keeper.ensure(null, true);
        if (!there.ok && !keeper.hostSilent) return there;
      }
      if (!keeper.hostSilent && keeper.lastExecution !== execution_id) await unserved();
      if (keeper.hasHost) return await keeper.end({ type: "stop", command_id, execution_id, end_reason });
      if (!keeper.hostSilent) return OK;
    }
    return null;
  }

  private async teardown(command: CommandOf<"teardown">): Promise<EndResult | null> {
    const { keepers, journal, paths, roots, gone } = this.ports;
    const { session_id, command_id, remove_worktree } = command;
    const dir = sessionDir(paths, session_id);
    writeTombstone(dir, { command_id, remove_worktree });
    crashPoint("after_tombstone");
    for (const entry of journal.open())
      if (entry.command.session_id === session_id && entry.command.type === "launch")
        this.takeBack(session_id, entry.id);
    const ended = await this.endHost(session_id, command_id);
    if (!ended?.ok) return ended;
    const emptied = (await keepers.get(session_id)?.remove()) ?? OK;
    if (!emptied.ok) return emptied;
    keepers.drop(session_id);
    const worktree = readWorkspace(dir)?.worktree;
    const removed = remove_worktree && worktree ? await removeWorktree(worktree, roots) : OK;
    await removeSessionDir(dir);
    gone(session_id);
    return removed.ok ? OK : removed;
  }

  /**
   * End a session's host; one that died over it is started again until its agent is proven dead (X6), one that is silent
   * is waited for, or its agent would outlive its folder. @returns null when the daemon ends first
   */
  private async endHost(sessionId: string, commandId: string): Promise<EndResult | null> {
    const keeper = this.ports.keepers.get(sessionId);
    if (!keeper) return OK;
    keeper.retire();
    let tries = 0;
    while (await keeper.hostHeard()) {
      if (!keeper.hasHost && keeper.openExecution !== null) await keeper.ensure(null, true);
      if (keeper.hostSilent) continue;
      const ended = keeper.hasHost ? await keeper.end({ type: "teardown", command_id: commandId }) : OK;
      if (ended.ok && !(await keeper.hostGone())) return null;
      if (ended.ok && keeper.openExecution === null) return OK;
      const alive: Failure = { code: "internal", message: "The session's agent could not be proven dead." };
      tries += 1;
      if (tries >= TEARDOWN_TRIES) return ended.ok ? { ok: false, failure: alive } : ended;
    }
    return null;
  }

  private finish(command: Command, failure: Failure | null): void {
    const { journal, slots, log, moved } = this.ports;
    const { command_id, session_id } = command;
    if (failure) log.warn({ command_id, session_id, command: command.type, failure }, "command failed");
    if (command.type === "teardown") this.repeat(command, failure);
    if (command.type === "launch" && failure) slots.done(command.command_id);
    journal.mark(command.command_id, failure ? "failed" : "done", failure, Date.now());
    const entry = journal.get(command.command_id);
    if (entry) this.tell(entry);
    moved(command.session_id);
  }

  /** A teardown is over when the session's folder is gone, and its tombstone with it; until then it is tried again (T5). */
  private repeat(command: CommandOf<"teardown">, failure: Failure | null): void {
    if (failure && existsSync(sessionDir(this.ports.paths, command.session_id)))
      this.again.later(command.command_id, () => this.enqueue(command));
    else this.again.forget(command.command_id);
  }

  private tell(entry: JournalEntry): void {
    const { command, failure } = entry;
    if (entry.state === "failed" && failure)
      this.ports.send({
        type: "command.failed",
        command_id: entry.id,
        session_id: command.session_id,
        failure,
        retry_at: this.again.at(entry.id),
      });
    // A launch is never done: its spool tells.
    else if (entry.state === "done" && command.type !== "launch")
      this.ports.send({ type: "command.done", command_id: entry.id });
  }
}
