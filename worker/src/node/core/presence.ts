import type { Presence } from "@reprise/protocol";
import type { NodeCtx, NodeEffect, Stepped } from "./event.ts";
import { rowChanged, tellPresence } from "./outbox.ts";
import type { NodeState } from "./state.ts";

export const REASONS = {
  closed: "The connection to this machine closed; it will call again.",
  lost: "The connection to this machine was lost; it will call again.",
  silent: "This machine has stopped answering.",
  revoked: "This machine was removed.",
  stopped: "agentctl was stopped there. Start it again on that machine: agentctl up.",
} as const;

export interface PresenceNow {
  value: Presence;
  since: number;
  reason: string | null;
  /** Its last sign of life, where one is known. */
  heard_at: number | null;
}

/**
 * Presence as it is now, read without writing (N2): the current connection with a fresh answer, and nothing else.
 * A socket that is gone without having said so (the control plane was killed) counts as lost when it is seen.
 */
export function presenceAt(state: NodeState, ctx: Pick<NodeCtx, "now" | "limits" | "live">): PresenceNow {
  const { link, presence } = state;
  const heard_at = link ? lastAnswer(state, ctx.live) : presence.heard_at;
  return aged(broken(state, ctx) ?? { ...presence, heard_at }, ctx);
}

/** Why the link that state holds is none (any more); null when it is good, or there is none. */
function broken(state: NodeState, { now, limits, live }: Pick<NodeCtx, "now" | "limits" | "live">): PresenceNow | null {
  const { link } = state;
  if (link === null) return null;
  const heard_at = lastAnswer(state, live);
  if (link.via === "socket" && !live.found) {
    return { value: "reconnecting", since: live.missing_since, reason: REASONS.lost, heard_at };
  }
  if (now - heard_at < limits.lease_ms) return null;
  return { value: "reconnecting", since: heard_at + limits.lease_ms, reason: REASONS.silent, heard_at };
}

/** The link's last sign of life. */
export function lastAnswer(state: NodeState, live: NodeCtx["live"]): number {
  const stored = state.link?.last_answer ?? 0;
  return state.link?.via === "socket" && live.found ? Math.max(stored, live.last_answer) : stored;
}

/** `reconnecting` for long enough is `offline`, since the same loss. */
function aged(presence: PresenceNow, { now, limits }: Pick<NodeCtx, "now" | "limits">): PresenceNow {
  if (presence.value !== "reconnecting" || now - presence.since < limits.offline_after_ms) return presence;
  return { ...presence, value: "offline" };
}

/** Store a new presence and see to it that those whom it matters to are told. */
export function withPresence(state: NodeState, next: PresenceNow, now: number): NodeState {
  const same =
    next.value === state.presence.value && next.reason === state.presence.reason && next.since === state.presence.since;
  if (same) return state;
  return rowChanged(tellPresence({ ...state, presence: next }, now), now);
}

/** The lease's alarm: store the last answer, or give the link up. */
export function checkLease(state: NodeState, ctx: NodeCtx): Stepped<NodeState> {
  const lost = broken(state, ctx);
  const effects: NodeEffect[] = [];
  if (lost && state.link) {
    effects.push({ type: "close", conn_id: state.link.conn_id, why: "stale" });
    return gone({ ...state, link: null }, aged(lost, ctx), ctx, effects);
  }
  if (state.link) {
    const last_answer = lastAnswer(state, ctx.live);
    return {
      state: last_answer === state.link.last_answer ? state : { ...state, link: { ...state.link, last_answer } },
      effects,
    };
  }
  return gone(state, aged(state.presence, ctx), ctx, effects);
}

/** Nobody answers there. A sweep that finds nobody to ask marks nothing, and warns once (T3). */
function gone(state: NodeState, presence: PresenceNow, ctx: NodeCtx, effects: NodeEffect[]): Stepped<NodeState> {
  const sessions = [...state.pushes.values()].filter((push) => !push.settled).length;
  if (presence.value === "offline" && state.presence.value !== "offline" && sessions > 0) {
    const details = { node: state.identity?.name, sessions };
    effects.push({ type: "warn", message: "no daemon answers: its sessions stay as last known", details });
  }
  return { state: withPresence(state, presence, ctx.now), effects };
}

/** When the lease has to be looked at next; null when nothing about presence changes by itself. */
export function presenceDue(state: NodeState, limits: NodeCtx["limits"]): number | null {
  if (state.link) return state.link.last_answer + limits.lease_check_ms;
  return state.presence.value === "reconnecting" ? state.presence.since + limits.offline_after_ms : null;
}
