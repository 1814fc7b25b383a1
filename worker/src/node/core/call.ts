import { type CapabilitiesAnswer, resumeDelay } from "@reprise/protocol";
import type { NodeCtx, Stepped } from "./event.ts";
import { rowChanged, tellPresence } from "./outbox.ts";
import { presenceAt, REASONS } from "./presence.ts";
import type { NodeState } from "./state.ts";

/** What a call at a machine's address came to. */
export type CallResult =
  | { ok: true; capabilities: CapabilitiesAnswer }
  | { ok: false; code: "call_refused" | "call_redirected" | "call_timeout" | "call_unreachable"; message: string };

type Ctx = Pick<NodeCtx, "now" | "limits" | "live">;

/** A hello says where its machine can be called. Another address than before needs the owner's word again (N7). */
export function registerAddress(state: NodeState, url: string | null | undefined, now: number): NodeState {
  if ((url ?? null) === (state.address?.url ?? null)) return state;
  return rowChanged({ ...state, address: url ? { url, approved_at: null } : null, call: null }, now);
}

/** The owner's word on that very address; of another one it says nothing. @returns whether it was that one. */
export function approveAddress(
  state: NodeState,
  event: { url: string; approved: boolean },
  now: number,
): Stepped<NodeState> & { answer: boolean } {
  if (state.address?.url !== event.url) return { state, effects: [], answer: false };
  const address = { url: event.url, approved_at: event.approved ? now : null };
  return { state: told({ ...state, address, call: null }, now), effects: [], answer: true };
}

/** A person asks for a call now: the count starts afresh (X5). @returns whether there is whom to call. */
export function callNow(state: NodeState, ctx: Ctx): Stepped<NodeState> & { answer: boolean } {
  const may = mayCall(state, ctx);
  if (!may) return { state, effects: [], answer: false };
  const call = { attempt: 0, retry_at: ctx.now, failure: state.call?.failure ?? null };
  return { state: told({ ...state, call }, ctx.now), effects: [], answer: true };
}

/** When the machine is to be called next; null when it isn't (any more): then it is a person's turn, or its own. */
export function callDue(state: NodeState, ctx: Ctx): number | null {
  if (!mayCall(state, ctx)) return null;
  if (state.call) return state.call.retry_at;
  const { since, reason } = presenceAt(state, ctx);
  // It was stopped there on purpose: nobody would answer.
  return reason === REASONS.stopped ? null : since + ctx.limits.call_first_ms;
}

/** A call is over. Unless the machine has come meanwhile, the next one is due later each time, five times (X5). */
export function called(
  state: NodeState,
  { url, result }: { url: string; result: CallResult },
  ctx: Ctx & { random: () => number },
): Stepped<NodeState> {
  if (!mayCall(state, ctx) || state.address?.url !== url) return { state, effects: [] };
  const attempt = (state.call?.attempt ?? 0) + 1;
  const wait = resumeDelay(attempt, ctx.random());
  const failure = result.ok
    ? { code: "call_unheard" as const, message: "It was asked to call, and hasn't yet." }
    : { code: result.code, message: result.message };
  const call = { attempt, retry_at: wait === null ? null : ctx.now + wait, failure };
  const capabilities = result.ok ? { as_of: ctx.now, ...result.capabilities } : state.capabilities;
  return { state: told({ ...state, call, capabilities }, ctx.now), effects: [] };
}

function mayCall(state: NodeState, ctx: Ctx): boolean {
  const approved = state.address !== null && state.address.approved_at !== null;
  return approved && !state.revoked && presenceAt(state, ctx).value !== "online";
}

/** The schedule is part of what is said of a machine that isn't there (T4). */
function told(state: NodeState, now: number): NodeState {
  return rowChanged(tellPresence(state, now), now);
}
