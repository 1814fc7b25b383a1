import type { NodeHello } from "@reprise/protocol";
import type { NodeCtx, NodeEffect, Stepped } from "./event.ts";
import { rowChanged } from "./outbox.ts";
import { presenceAt } from "./presence.ts";
import type { NodeState } from "./state.ts";

/** The clone's notice is stored at most this often, however often the clone asks: rows written are the bill. */
const NOTICE_STEP_MS = 10 * 60_000;

/** One life of a daemon: the same one that calls again is no rival of itself. */
export function processOf({ boot_id, daemon }: NodeHello): string {
  return `${boot_id} ${daemon.pid} ${daemon.started_at}`;
}

export type Judged =
  /** Nobody alive is in its way. */
  | { type: "free" }
  /** Nobody knows yet whether the one that holds the place lives. */
  | { type: "doubt"; stepped: Stepped<NodeState> }
  /** The holder has just proven that it lives: this one is a copy. */
  | { type: "clone" };

/**
 * Another process comes with this node's identity and a nonce that counts, while one seems to be connected: the daemon
 * after a crash, whose old connection nobody saw end, or a copy of the machine (T3). The holder is asked. Until it
 * answers, the newcomer is told to call again: if it stays silent, the newest wins (N6); if it speaks, it stays.
 */
export function judge(state: NodeState, conn_id: string, hello: NodeHello, ctx: NodeCtx): Judged {
  const { link, doubt } = state;
  const held = link !== null && link.conn_id !== conn_id && presenceAt(state, ctx).value === "online";
  if (!held || link.process === null || link.process === processOf(hello)) return { type: "free" };
  const asked = doubt?.holder === link.conn_id && ctx.now - doubt.asked_at < ctx.limits.doubt_ms ? doubt : null;
  if (asked?.answered) return { type: "clone" };
  if (asked && ctx.now - asked.asked_at >= ctx.limits.doubt_answer_ms) return { type: "free" };
  const effects: NodeEffect[] = [{ type: "close", conn_id, why: "stale" }];
  if (asked) return { type: "doubt", stepped: { state, effects } };
  effects.unshift({
    type: "send",
    conn_id: link.conn_id,
    // Every version of the daemon answers this at once; what it answers doesn't matter.
    frame: { type: "request", request_id: "alive", request: { op: "complete_path", prefix: "/" } },
  });
  const next = { ...state, doubt: { holder: link.conn_id, asked_at: ctx.now, answered: false } };
  return { type: "doubt", stepped: { state: next, effects } };
}

/** Whatever the holder says proves that it lives. */
export function heard(state: NodeState, conn_id: string): NodeState {
  const { doubt } = state;
  if (doubt === null || doubt.answered || doubt.holder !== conn_id) return state;
  return { ...state, doubt: { ...doubt, answered: true } };
}

/** A copy was refused: kept, so that the machine's page can say so (T4). */
export function noteClone(state: NodeState, hello: NodeHello, now: number): NodeState {
  if (state.cloned_at !== null && now - state.cloned_at < NOTICE_STEP_MS) return state;
  return rowChanged({ ...state, cloned_at: now, cloned_from: hello.hostname }, now);
}
