import type { Limits } from "../../limits.ts";
import type { NodeState, Outgoing, What } from "./state.ts";

function keyOf(what: What): string {
  switch (what.kind) {
    case "evidence":
      return `e:${what.session_id}`;
    case "presence":
      return `p:${what.session_id}`;
    case "command_failed":
      return `c:${what.command_id}`;
    case "cut":
      return `x:${what.session_id}`;
    case "row":
      return "row";
  }
}

/** See to it that this is told. Told again before it was: once is enough, in its newest form. */
export function tell(state: NodeState, news: readonly What[], now: number): NodeState {
  if (news.length === 0) return state;
  let gen = state.counters.told;
  const outbox = { ...state.outbox };
  for (const what of news) {
    gen += 1;
    outbox[keyOf(what)] = { gen, attempts: 0, due_at: now, what };
  }
  return { ...state, outbox, counters: { ...state.counters, told: gen } };
}

export function rowChanged(state: NodeState, now: number): NodeState {
  return tell(state, [{ kind: "row" }], now);
}

/** Presence concerns sessions that aren't over; a removal concerns all, so that their sockets are cut (K2). */
export function tellPresence(state: NodeState, now: number): NodeState {
  const concerned = [...state.pushes.values()].filter((push) => state.revoked || !push.settled);
  return tell(
    state,
    concerned.map(({ session_id }) => ({ kind: "presence" as const, session_id })),
    now,
  );
}

/** What is due, oldest first. */
export function dueOutgoing(state: NodeState, now: number, most: number): [string, Outgoing][] {
  return Object.entries(state.outbox)
    .filter(([, outgoing]) => outgoing.due_at <= now)
    .sort(([, a], [, b]) => a.gen - b.gen)
    .slice(0, most);
}

/** Take out what was told, unless there is newer news; what failed waits, longer each time. */
export function settleOutgoing(
  state: NodeState,
  results: readonly { key: string; gen: number; ok: boolean }[],
  now: number,
  limits: Limits,
): NodeState {
  const outbox = { ...state.outbox };
  for (const { key, gen, ok } of results) {
    const waiting = outbox[key];
    if (!waiting || waiting.gen !== gen) continue;
    if (ok) delete outbox[key];
    else {
      const wait = Math.min(limits.tell_retry_max_ms, limits.tell_retry_ms * 2 ** Math.min(waiting.attempts, 20));
      outbox[key] = { ...waiting, attempts: waiting.attempts + 1, due_at: now + wait };
    }
  }
  return { ...state, outbox };
}

/** When the next undelivered piece is due. */
export function outboxDue(state: NodeState): number | null {
  const due = Object.values(state.outbox).map((outgoing) => outgoing.due_at);
  return due.length === 0 ? null : Math.min(...due);
}
