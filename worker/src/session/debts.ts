import { type Command, MAX_PROMPT_CHARS, type PromptBlocks, promptText } from "@reprise/protocol";
import { openDb } from "../db/db.ts";
import { projectSession } from "../db/projection.ts";
import type { Env } from "../env.ts";
import { feed } from "../env.ts";
import type { Limits } from "../limits.ts";
import { factsOf, isSettled } from "./core/facts.ts";
import type { OutboxItem, OutboxResult } from "./core/outbox.ts";
import type { SessionCore } from "./core/state.ts";

/** What the payer needs of its object. */
export interface Debtor {
  core(): SessionCore | null;
  attached(): boolean;
  /** A prompt's words, as they are now. */
  blocksOf(promptId: string): PromptBlocks | null;
  /** A greeted node socket is there: a want would say what it already has. */
  linked(): boolean;
  done(key: string, result: OutboxResult): void;
  projected(version: number): void;
}

/**
 * Tells other objects and D1 what a session owes them: at once after each commit, again by the alarm where that failed.
 * Orders first; projections are only copies.
 */
export class Debts {
  readonly #env: Env;
  readonly #limits: Limits;
  readonly #of: Debtor;
  #projected: number;
  #running = false;
  #failures = 0;
  retryAt: number | null = null;

  constructor(env: Env, limits: Limits, projected: number, of: Debtor) {
    this.#env = env;
    this.#limits = limits;
    this.#projected = projected;
    this.#of = of;
  }

  get owed(): boolean {
    const core = this.#of.core();
    return core !== null && (core.outbox.length > 0 || this.#projected < core.version);
  }

  /** Pay until nothing is owed; never throws. A call while one runs is served by that one. */
  async settle(now: () => number): Promise<void> {
    if (this.#running) return;
    this.#running = true;
    try {
      while (this.owed) {
        const core = this.#of.core();
        if (core === null) break;
        const item = core.outbox[0];
        if (item) this.#of.done(item.key, await this.#pay(core, item));
        else await this.#project(core, now());
      }
      this.#failures = 0;
      this.retryAt = null;
    } catch (error) {
      this.#failures += 1;
      const wait = Math.min(this.#limits.outbox_retry_ms * 2 ** (this.#failures - 1), this.#limits.outbox_retry_max_ms);
      this.retryAt = now() + wait;
      console.warn({
        message: "could not tell what is owed",
        session_id: this.#of.core()?.session_id,
        error: String(error),
        wait,
      });
    } finally {
      this.#running = false;
    }
  }

  /** A viewer needs the session's socket, and a host behind it, now (K1); who looks on asks again when it lapses. */
  async want(core: SessionCore): Promise<void> {
    await this.#node(core).want(core.session_id, "fetch", this.#limits.want_ttl_ms);
  }

  /** Viewers came or went: the node's object must know whose presence changes are seen. */
  async push(core: SessionCore, attached: boolean): Promise<void> {
    await this.#node(core).push({
      session_id: core.session_id,
      version: core.version,
      settled: isSettled(core) && !attached,
      spool_id: core.spool_id,
      acked: core.spool_id === null ? 0 : (core.marks[core.spool_id] ?? 0),
      attached,
    });
  }

  async #pay(core: SessionCore, item: OutboxItem): Promise<OutboxResult> {
    const node = this.#node(core);
    switch (item.type) {
      case "enqueue":
        return { type: "enqueue", seq: await node.enqueue(this.#withPrompt(core, item.command)) };
      case "dequeue":
        await node.dequeue(item.command_id);
        return { type: "dequeue" };
      case "claim_token": {
        const claim = { agent_kind: core.spec.agent_kind, token: item.token, session_id: core.session_id, from: null };
        return { type: "claim_token", granted: (await node.claimToken(claim)) === "granted" };
      }
      case "want":
        if (!this.#of.linked()) await node.want(core.session_id, item.reason, this.#limits.want_ttl_ms);
        return { type: "want" };
      case "call_node":
        await node.callNow();
        return { type: "call_node" };
      case "forget":
        await node.forget(core.session_id);
        return { type: "forget" };
    }
  }

  /** What a terminal agent's launch brings along: its words lie in the log alone, and can be changed until now. */
  #withPrompt({ execution }: SessionCore, command: Command): Command {
    if (command.type !== "launch" || execution?.execution_id !== command.command_id) return command;
    const { launch_prompt } = execution;
    const blocks = launch_prompt && this.#of.blocksOf(launch_prompt.prompt_id);
    if (!launch_prompt || !blocks) return command;
    const { prompt_id, turn_id } = launch_prompt;
    const text = promptText(blocks);
    // One that is too long for a command comes by itself, once the agent is ready.
    return text.length > MAX_PROMPT_CHARS ? command : { ...command, prompt: { prompt_id, turn_id, text } };
  }

  async #project(core: SessionCore, now: number): Promise<void> {
    const { version } = core;
    const facts = factsOf(core);
    const { task_changed } = await projectSession(openDb(this.#env.DB), facts, {
      node_kind: core.node.kind,
      // A number of its container's own would be somebody else's outside it (X7).
      pid: core.runtime === "standalone" ? core.pid : null,
      agentctl_url: core.node.agentctl_url ?? null,
      last_seen_at: core.last_event_at,
      now,
    });
    if (!core.removed) await this.push(core, this.#of.attached());
    const { session_id, task_id } = core;
    await feed(this.#env).changed([
      { type: "session.changed", session_id, task_id, version },
      ...(task_changed ? [{ type: "task.changed" as const, task_id }] : []),
    ]);
    this.#projected = version;
    this.#of.projected(version);
  }

  #node(core: SessionCore) {
    return this.#env.NODES.getByName(core.node_id);
  }
}
