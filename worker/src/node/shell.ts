import { CLOSE, type NodeDown } from "@reprise/protocol";
import type { Env } from "../env.ts";
import { type Limits, limitsOf, TELL_CONCURRENCY, TELL_GRACE_MS } from "../limits.ts";
import { addressProblem } from "./address.ts";
import { callDue } from "./core/call.ts";
import type { Live, NodeCtx, NodeEffect, NodeEvent } from "./core/event.ts";
import { dueOutgoing, outboxDue } from "./core/outbox.ts";
import { presenceDue } from "./core/presence.ts";
import type { NodeState } from "./core/state.ts";
import { step } from "./core/step.ts";
import { knockSecretOf } from "./knock-secret.ts";
import { newNonce } from "./nonce.ts";
import { callMachine } from "./outbound.ts";
import { PendingRequests } from "./requests.ts";
import { NodeSockets } from "./sockets.ts";
import { createTables, loadState, saveChanges } from "./storage.ts";
import { tellOne } from "./telling.ts";

/** What would have gone over a socket that the connection hasn't (N3): its POST's answer carries it. */
export interface Caught {
  readonly conn_id: string;
  readonly frames: NodeDown[];
  close: number | null;
}

/** Runs the core for its object: stores each new state, then lets its effects out; keeps the alarm right. */
export class NodeShell {
  readonly sockets: NodeSockets;
  readonly requests = new PendingRequests();
  readonly limits: Limits;
  readonly #platform: DurableObjectState;
  readonly #env: Env;
  readonly #wokeAt = Date.now();
  #state: NodeState;
  #telling = false;

  constructor(platform: DurableObjectState, env: Env) {
    this.#platform = platform;
    this.#env = env;
    this.limits = limitsOf(env.LIMITS);
    this.sockets = new NodeSockets(platform);
    createTables(platform.storage.sql);
    this.#state = loadState(platform.storage.sql);
  }

  get state(): NodeState {
    return this.#state;
  }

  #live(): Live {
    const connId = this.#state.link?.conn_id;
    const last_answer = connId === undefined ? null : this.sockets.lastAnswer(connId);
    return last_answer === null ? { found: false, missing_since: this.#wokeAt } : { found: true, last_answer };
  }

  /** What the core needs to know of the world. */
  ctx(): NodeCtx {
    return { now: Date.now(), nonce: newNonce, random: Math.random, limits: this.limits, live: this.#live() };
  }

  /** One event: the new state is stored before its effects are seen by anyone. */
  async step(event: NodeEvent, caught?: Caught): Promise<number | boolean | undefined> {
    const before = this.#state;
    const stepped = step(before, event, this.ctx());
    if (stepped.state !== before) {
      this.#platform.storage.transactionSync(() => saveChanges(this.#platform.storage.sql, before, stepped.state));
      this.#state = stepped.state;
    }
    for (const effect of stepped.effects) this.#run(effect, caught);
    if (event.type !== "alarm" && event.type !== "told") {
      await this.arm();
      this.#platform.waitUntil(this.tell());
    }
    return stepped.answer;
  }

  #run(effect: NodeEffect, caught?: Caught): void {
    switch (effect.type) {
      case "send":
        if (caught?.conn_id === effect.conn_id) caught.frames.push(effect.frame);
        else this.sockets.send(effect.conn_id, effect.frame);
        return;
      case "close":
        if (caught?.conn_id === effect.conn_id) caught.close = CLOSE[effect.why];
        else this.sockets.close(effect.conn_id, effect.why);
        return;
      case "close_all":
        this.sockets.closeAll(effect.why);
        return;
      case "welcomed":
        this.sockets.welcomed(effect.conn_id);
        return;
      case "warn":
        console.warn(effect.message, { node_id: this.#state.identity?.node_id, ...effect.details });
        return;
      case "answer":
        this.requests.answer(effect.request_id, effect.result);
        return;
    }
  }

  /** Deliver what is due, a few at a time; what fails waits for the alarm. */
  async tell(): Promise<void> {
    if (this.#telling) return;
    this.#telling = true;
    try {
      for (;;) {
        const due = dueOutgoing(this.#state, Date.now(), TELL_CONCURRENCY);
        if (due.length === 0) return;
        const results = await Promise.all(
          due.map(async ([key, { gen, what }]) => {
            try {
              return { key, gen, ok: await tellOne(this.#env, this.#state, what, this.ctx()) };
            } catch (error) {
              console.error("telling failed", { node_id: this.#state.identity?.node_id, key, error: String(error) });
              return { key, gen, ok: false };
            }
          }),
        );
        await this.step({ type: "told", results });
      }
    } finally {
      this.#telling = false;
      await this.arm();
    }
  }

  /** Outbound calls run in the alarm alone (N7). */
  async callIfDue(): Promise<void> {
    const due = callDue(this.#state, this.ctx());
    const url = this.#state.address?.url;
    if (due === null || url === undefined || due > Date.now()) return;
    const problem = addressProblem(url, this.#env.PRIVATE_ADDRESSES === "allowed");
    const result = problem
      ? { ok: false as const, code: "call_refused" as const, message: problem }
      : await callMachine(url, await knockSecretOf(this.#env, this.#state.identity?.node_id ?? ""));
    await this.step({ type: "called", url, result });
  }

  /** The one alarm, at the earliest thing that is due. */
  async arm(): Promise<void> {
    const silent = this.sockets.oldestSilent();
    const outbox = outboxDue(this.#state);
    const times = [
      presenceDue(this.#state, this.limits),
      callDue(this.#state, this.ctx()),
      // What is due is being told right now; the alarm is for when that fails half-way.
      outbox === null ? null : outbox + TELL_GRACE_MS,
      silent === null ? null : silent + this.limits.hello_ms,
    ].filter((time) => time !== null);
    const armed = await this.#platform.storage.getAlarm();
    const due = times.length === 0 ? null : Math.min(...times);
    if (due === armed) return;
    if (due === null) await this.#platform.storage.deleteAlarm();
    else await this.#platform.storage.setAlarm(due);
  }
}
