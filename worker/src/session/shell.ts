import { ERRORS, newId, type ViewerDown } from "@reprise/protocol";
import type { Env } from "../env.ts";
import { type Limits, limitsOf } from "../limits.ts";
import type { Result } from "../result.ts";
import { type Draft, refuse } from "./core/draft.ts";
import type { Ctx, Effect, SessionEvent } from "./core/event.ts";
import { type Reduced, reduce, step } from "./core/reduce.ts";
import type { SessionCore } from "./core/state.ts";
import { nextDue } from "./core/timers.ts";
import { Debts } from "./debts.ts";
import { SessionStore } from "./log.ts";
import { NodeLink } from "./node-link.ts";
import { Previews } from "./previews.ts";
import { TerminalRelay } from "./terminals.ts";
import { rowFrame, statusFrames } from "./viewer-frames.ts";
import { Viewers } from "./viewers.ts";

/**
 * Runs one session's steps: reduce, store rows and state in one transaction, then tell viewers, node, D1 and the alarm.
 * The object around it only opens doors.
 */
export class SessionShell {
  readonly store: SessionStore;
  readonly viewers: Viewers;
  readonly link: NodeLink;
  readonly previews = new Previews();
  readonly terminals: TerminalRelay;
  readonly debts: Debts;
  readonly #ctx: DurableObjectState;
  readonly #limits: Limits;
  #core: SessionCore | null;
  #alarmAt: number | null = null;

  constructor(ctx: DurableObjectState, env: Env) {
    this.#ctx = ctx;
    this.#limits = limitsOf(env.LIMITS);
    this.store = new SessionStore(ctx.storage.sql);
    this.viewers = new Viewers(ctx);
    this.link = new NodeLink(ctx);
    const loaded = this.store.load();
    this.#core = loaded?.core ?? null;
    this.debts = new Debts(env, this.#limits, loaded?.projected ?? 0, {
      core: () => this.#core,
      attached: () => this.viewers.count > 0,
      blocksOf: (promptId) => this.store.blocksOf(promptId),
      linked: () => this.link.greeted,
      done: (key, result) => void this.event({ type: "outbox.done", key, result }),
      projected: (version) => this.store.saveProjected(version),
    });
    this.terminals = new TerminalRelay({
      viewers: this.viewers,
      link: this.link,
      want: (core) => this.#later("want failed", this.debts.want(core)),
      now: Date.now,
    });
    if (this.#core === null) return;
    void ctx.blockConcurrencyWhile(async () => {
      this.#alarmAt = await ctx.storage.getAlarm();
      this.#arm();
    });
  }

  get core(): SessionCore | null {
    return this.#core;
  }

  event(event: SessionEvent): Result<object> {
    return this.#run((core) => reduce(core, event, this.stepCtx()));
  }
  rule<A extends object>(rule: (d: Draft) => Result<A>): Result<A> {
    return this.#run((core) => step(core, this.stepCtx(), rule));
  }
  #run<A extends object>(run: (core: SessionCore) => Reduced<A>): Result<A> {
    const before = this.#core;
    if (before === null) return refuse("session_not_found");
    const { state, effects, answer } = run(before);
    if (answer.ok) this.commit(before, state, effects);
    return answer;
  }

  /** Rows and state in one transaction; then, and only then, the world is told. */
  commit(before: SessionCore | null, after: SessionCore, effects: readonly Effect[]): void {
    const frames: ViewerDown[] = [];
    this.#ctx.storage.transactionSync(() => {
      for (const effect of effects) {
        const changed = this.store.apply(effect);
        if (changed) frames.push(rowFrame(after, changed.row, changed.added));
      }
      this.store.saveCore(after);
    });
    this.#core = after;
    for (const frame of [...frames, ...statusFrames(before, after, Date.now())]) {
      if ("row" in frame) this.previews.settle(frame.row);
      this.viewers.broadcast(frame);
    }
    for (const effect of effects) this.#tell(effect);
    if (after.removed && !before?.removed) this.#over();
    this.#arm();
    if (this.debts.owed) this.#ctx.waitUntil(this.debts.settle(Date.now).then(() => this.#arm()));
  }

  /** It was deleted: whoever looks is told so, and nobody is served any more (T7). */
  #over(): void {
    const [, message] = ERRORS.session_over;
    this.viewers.end({ type: "error", code: "session_over", message, retry: "never" }, "forbidden");
    this.link.cut("forbidden");
  }

  #tell(effect: Effect): void {
    if (effect.type === "send") this.link.send(effect.frame);
    if (effect.type === "send.prompt") {
      const blocks = this.store.blocksOf(effect.prompt_id);
      const { prompt_id, turn_id, execution_id } = effect;
      if (blocks) this.link.send({ type: "prompt", execution_id, prompt_id, turn_id, blocks });
    }
    if (effect.type === "warn") console.warn({ session_id: this.#core?.session_id, ...effect });
  }

  /** Re-arms whenever work is due and no alarm, or only a later one, is set. */
  #arm(): void {
    if (this.#core === null) return;
    const due = nextDue(this.#core, this.#limits);
    const owed = this.debts.owed ? (this.debts.retryAt ?? Date.now() + this.#limits.outbox_retry_ms) : null;
    const at = [due, owed].filter((t) => t !== null).sort((a, b) => a - b)[0];
    if (at === undefined || (this.#alarmAt !== null && this.#alarmAt <= at)) return;
    this.#alarmAt = at;
    void this.#ctx.storage.setAlarm(at);
  }

  /** Everything that is due, and what is still owed. Never throws: the platform drops an alarm that does. */
  async alarm(): Promise<void> {
    try {
      // First of all the next one: an alarm that failed must not be the last (design §2).
      this.#alarmAt = Date.now() + this.#limits.outbox_retry_max_ms;
      await this.#ctx.storage.setAlarm(this.#alarmAt);
      this.event({ type: "tick" });
      await this.debts.settle(Date.now);
      await this.#ctx.storage.deleteAlarm();
      this.#alarmAt = null;
      this.#arm();
    } catch (error) {
      console.error({ message: "alarm failed", session_id: this.#core?.session_id, error: String(error) });
    }
  }

  /** Viewers came or went. */
  watchersChanged(leaving?: WebSocket): void {
    const core = this.#core;
    if (core === null || core.removed) return;
    const attached = this.viewers.others(leaving) > 0;
    this.link.send({ type: "watch", on: attached });
    this.#later("push failed", this.debts.push(core, attached));
  }

  /** Told to the node's object in passing: what asked for it asks again. */
  #later(failed: string, telling: Promise<void>): void {
    this.#ctx.waitUntil(
      telling.catch((error: unknown) => {
        console.warn({ message: failed, session_id: this.#core?.session_id, error: String(error) });
      }),
    );
  }

  stepCtx(): Ctx {
    const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes));
    return { now: Date.now(), newId: (kind) => newId(kind, random), random: Math.random, limits: this.#limits };
  }
}
