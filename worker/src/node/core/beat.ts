import { handOut } from "./commands.ts";
import type { NodeCtx, NodeEffect, Stepped } from "./event.ts";
import { presenceAt } from "./presence.ts";
import type { NodeState } from "./state.ts";
import { activeWants } from "./wants.ts";

/**
 * A POST of a node whose network breaks WebSockets (N3): a sign of life, answered with what waits for it. Commands are
 * handed out until the node says that it has them; the same one twice is one.
 */
export function onBeat(state: NodeState, conn_id: string, ctx: NodeCtx): Stepped<NodeState> {
  const { link } = state;
  if (link?.conn_id !== conn_id || link.via !== "http") {
    const held = link !== null && presenceAt(state, ctx).value === "online";
    return { state, effects: [{ type: "close", conn_id, why: held ? "replaced" : "stale" }] };
  }
  const handed = handOut(signOfLife(state, ctx));
  const effects: NodeEffect[] = handed.commands.map((numbered) => ({
    type: "send",
    conn_id,
    frame: { type: "command", numbered },
  }));
  effects.push({ type: "send", conn_id, frame: { type: "wants", wants: activeWants(handed.state, ctx.now) } });
  return { state: handed.state, effects };
}

/** Stored a few times a lease, not with each POST: rows written are the bill. */
function signOfLife(state: NodeState, { now, limits }: NodeCtx): NodeState {
  const { link } = state;
  if (link === null || now - link.last_answer < limits.lease_ms / LOOKS_A_LEASE) return state;
  return { ...state, link: { ...link, last_answer: now } };
}

const LOOKS_A_LEASE = 6;
