import { type Command, type InventoryEntry, type NodeHello, type NodeUp, ONLY_STANDALONE } from "@reprise/protocol";
import { LIMITS_DEFAULT } from "../../limits.ts";
import type { NodeIdentity, SessionPush } from "../rpc.ts";
import type { Live, NodeCtx, NodeEffect, NodeEvent } from "./event.ts";
import { dueOutgoing } from "./outbox.ts";
import { reportOf } from "./report.ts";
import { emptyState, type NodeState } from "./state.ts";
import { step } from "./step.ts";

/** For tests: a node's core with a clock in hand. */
export const identity: NodeIdentity = {
  node_id: "nod_aaaa",
  name: "box",
  kind: "remote",
  machine_id: "m",
  state_id: "s",
  created_at: 1,
};

export function entryOf(session_id: string, change: Partial<InventoryEntry> = {}): InventoryEntry {
  return {
    session_id,
    runtime: "standalone",
    spool: { spool_id: "spl_aaaa", last_seq: 1 },
    host: { state: "alive", pid: 2, container_id: null },
    executor: { status: "ready", failure: null, retry_at: null },
    execution: null,
    workspace: { path: "/x", exists: true },
    ...change,
  };
}

export function launch(n: number): Command {
  return {
    type: "stop",
    command_id: `cmd_${n}`,
    session_id: "ses_aaaa",
    execution_id: "exe_aaaa",
    end_reason: "stopped",
  };
}

class Rig {
  now = 1_000_000;
  state: NodeState = emptyState();
  #nonces = 0;
  #live: Live = { found: false, missing_since: 0 };

  constructor() {
    this.step({ type: "init", identity });
  }

  get ctx(): NodeCtx {
    return {
      now: this.now,
      limits: LIMITS_DEFAULT,
      live: this.#live,
      random: () => 0.5,
      nonce: () => {
        this.#nonces += 1;
        return `n${this.#nonces}`;
      },
    };
  }

  step(event: NodeEvent): NodeEffect[] {
    const stepped = step(this.state, event, this.ctx);
    this.state = stepped.state;
    for (const effect of stepped.effects) {
      if (effect.type === "welcomed") this.#live = { found: true, last_answer: this.now };
    }
    return stepped.effects;
  }

  answer(event: NodeEvent): number | boolean | undefined {
    const stepped = step(this.state, event, this.ctx);
    this.state = stepped.state;
    return stepped.answer;
  }

  hello(
    conn_id: string,
    change: Partial<NodeHello> = {},
    entries: InventoryEntry[] = [],
    complete = true,
    via: "socket" | "http" = "socket",
  ): NodeEffect[] {
    const hello: NodeHello = {
      type: "hello",
      protocol_version: 1,
      machine_id: "m",
      state_id: "s",
      boot_id: "b",
      nonce: null,
      after_yield: false,
      daemon: { version: "1", pid: 1, started_at: 1 },
      hostname: "box",
      platform: "linux",
      home: "/home/me",
      agents: [],
      runtimes: [...ONLY_STANDALONE],
      inventory: { complete, last_command_seq: 0, entries },
      ...change,
    };
    return this.step({ type: "hello", conn_id, via, hello });
  }

  frame(conn_id: string, frame: Exclude<NodeUp, { type: "hello" }>): NodeEffect[] {
    return this.step({ type: "frame", conn_id, frame });
  }

  push(session_id: string, change: Partial<SessionPush>): void {
    this.step({
      type: "push",
      push: { session_id, version: 1, settled: false, spool_id: "spl_aaaa", acked: 1, attached: false, ...change },
    });
  }

  pass(ms: number): void {
    this.now += ms;
  }

  /** A heartbeat: the platform answered it now. */
  answered(): void {
    this.#live = { found: true, last_answer: this.now };
  }

  /** The control plane was killed and is back: no socket is left, and none said so. */
  crash(): void {
    this.#live = { found: false, missing_since: this.now };
  }

  report() {
    return reportOf(this.state, null, this.ctx);
  }

  due() {
    return dueOutgoing(this.state, Number.POSITIVE_INFINITY, 1_000);
  }

  /** Everything that waits is told, with that outcome. */
  settle(how: { ok: boolean } = { ok: true }): void {
    this.step({ type: "told", results: this.due().map(([key, { gen }]) => ({ key, gen, ...how })) });
  }
}

export function rig(): Rig {
  return new Rig();
}
