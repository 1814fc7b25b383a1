import { type ApprovalAsk, rowId } from "@reprise/protocol";
import type { Result } from "../../result.ts";
import { type Draft, OK, owe, refuse } from "./draft.ts";
import type { OpenApproval } from "./state.ts";

/** P3: a stored row, seen by every viewer, bound to its execution, its request and what was offered. */
export function approvalAsked(d: Draft, execution_id: string, ask: ApprovalAsk, at: number): void {
  const { s } = d;
  if (find(d, execution_id, ask.request_id)) return;
  s.approvals.push({
    execution_id,
    request_id: ask.request_id,
    turn_id: ask.turn_id,
    option_ids: ask.options.map((o) => o.option_id),
    answer: null,
  });
  d.effects.push({
    type: "row.put",
    id: rowId.permission(execution_id, ask.request_id),
    execution_id,
    body: {
      kind: "permission",
      approval: { ...ask, execution_id, state: "pending", option_id: null, asked_at: at, settled_at: null },
    },
  });
}

/** A person's answer: stored, then sent; only the host's word makes it `answered`. */
export function answerApproval(
  d: Draft,
  a: { request_id: string; execution_id: string; option_id: string | null },
): Result {
  const open = find(d, a.execution_id, a.request_id);
  // Whether it was ever asked is in the log; the object tells "unknown" from "over" by the row.
  if (!open) return refuse("approval_expired");
  if (open.answer !== null) {
    return open.answer.option_id === a.option_id ? OK : refuse("approval_answered");
  }
  if (a.option_id !== null && !open.option_ids.includes(a.option_id)) {
    return refuse("invalid_field", "option_id: not one of the offered options", { field: "option_id" });
  }
  open.answer = { option_id: a.option_id, answered_at: d.ctx.now };
  d.effects.push({
    type: "row.approval",
    execution_id: a.execution_id,
    request_id: a.request_id,
    state: "answering",
    option_id: a.option_id,
    at: d.ctx.now,
  });
  sendAnswer(d, open);
  return OK;
}

export function sendAnswer(d: Draft, open: OpenApproval): void {
  if (open.answer === null) return;
  d.effects.push({
    type: "send",
    frame: {
      type: "approval.answer",
      execution_id: open.execution_id,
      request_id: open.request_id,
      option_id: open.answer.option_id,
    },
  });
  owe(d, { type: "want", reason: "answer" });
}

/** The host's word: given to the agent, or over. */
export function approvalSettled(
  d: Draft,
  execution_id: string,
  request_id: string,
  outcome: "selected" | "cancelled" | "expired",
  option_id: string | null,
): void {
  const open = find(d, execution_id, request_id);
  if (!open) return;
  drop(d, open);
  const dismissed = outcome === "cancelled" && open.answer !== null && open.answer.option_id === null;
  d.effects.push({
    type: "row.approval",
    execution_id,
    request_id,
    state: outcome === "selected" || dismissed ? "answered" : "expired",
    option_id: outcome === "selected" ? option_id : null,
    at: d.ctx.now,
  });
}

/** Its turn or execution is over: nothing that is pressed now can reach the agent (C22). */
export function expireApprovals(d: Draft, which: (a: OpenApproval) => boolean): void {
  for (const open of d.s.approvals.filter(which)) {
    drop(d, open);
    d.effects.push({
      type: "row.approval",
      execution_id: open.execution_id,
      request_id: open.request_id,
      state: "expired",
      option_id: null,
      at: d.ctx.now,
    });
  }
}

function find(d: Draft, execution_id: string, request_id: string): OpenApproval | undefined {
  return d.s.approvals.find((a) => a.execution_id === execution_id && a.request_id === request_id);
}

function drop(d: Draft, open: OpenApproval): void {
  d.s.approvals = d.s.approvals.filter((a) => a !== open);
}
