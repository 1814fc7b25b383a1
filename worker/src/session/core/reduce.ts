import type { Result } from "../../result.ts";
import * as acts from "./acts.ts";
import { answerApproval, approvalSettled, sendAnswer } from "./approvals.ts";
import { type Draft, OK, refuse } from "./draft.ts";
import type { Ctx, Effect, SessionEvent } from "./event.ts";
import { commandFailed, nodeEvidence, nodePresence } from "./evidence.ts";
import { factsOf } from "./facts.ts";
import { permitRequested } from "./launch.ts";
import { addPrompt, promptRefused, sendPrompt } from "./prompts.ts";
import { editPrompt, removePrompt } from "./queue.ts";
import { resume } from "./resume.ts";
import { spoolEvents } from "./spool.ts";
import type { SessionCore } from "./state.ts";
import { tick } from "./timers.ts";
import { releaseToken, tokenClaimed } from "./token.ts";

export interface Reduced<A extends object = object> {
  state: SessionCore;
  effects: Effect[];
  answer: Result<A>;
}

/**
 * One step of a session: `(state, event, ctx) -> { state, effects, answer }`. Pure: the clock, ids and randomness come
 * with `ctx`. A refused event changes nothing. `version` grows when the facts did.
 */
export function reduce(state: SessionCore, event: SessionEvent, ctx: Ctx): Reduced {
  return step(state, ctx, (d) => apply(d, event));
}

/** The same for one rule with an answer of its own kind. */
export function step<A extends object>(state: SessionCore, ctx: Ctx, rule: (d: Draft) => Result<A>): Reduced<A> {
  const d: Draft = { s: structuredClone(state), effects: [], ctx };
  const answer = rule(d);
  if (!answer.ok) return { state, effects: [], answer };
  if (projected(d.s) !== projected(state)) d.s.version = state.version + 1;
  return { state: d.s, effects: d.effects, answer };
}

/** What a change of is worth a version, so a write to D1: not every event that passes (design §2, "storage is the bill"). */
function projected(s: SessionCore): string {
  return JSON.stringify({
    ...factsOf(s),
    last_line: null,
    last_event_at: null,
    last_event_type: null,
    url: s.node.agentctl_url,
  });
}

function apply(d: Draft, event: SessionEvent): Result<object> {
  switch (event.type) {
    case "prompt":
      return addPrompt(d, event);
    case "prompt.edit":
      return editPrompt(d, event);
    case "prompt.remove":
      return removePrompt(d, event.prompt_id);
    case "cancel":
      return acts.cancel(d);
    case "stop":
      return acts.stop(d, event.end_reason);
    case "stop.undo":
      return acts.undoStop(d);
    case "resume":
      return resume(d, event.body);
    case "answer":
      return answerApproval(d, event);
    case "recovery":
      return acts.recovery(d, event.action, event.spec ?? null);
    case "rename":
      d.s.title = event.title;
      d.s.title_given = true;
      return OK;
    case "settings":
      return acts.settings(d, event);
    case "profile.gone":
    case "profile.back":
      if (d.s.profile_id === event.profile_id) d.s.profile_exists = event.type === "profile.back";
      return OK;
    case "token.release":
      return releaseToken(d, event.token);
    case "archive":
      d.s.archived_at = event.on ? (d.s.archived_at ?? d.ctx.now) : null;
      return OK;
    case "remove":
      return acts.remove(d, event.remove_worktree);
    case "link.hello":
      return linkHello(d, event.spool_id);
    case "link.events":
      return spoolEvents(d, event.spool_id, event.events);
    case "link.permit_request":
      return permitRequested(d, event);
    case "link.prompt_refused":
      return promptRefused(d, event.prompt_id, event.code, event.message);
    case "link.approval_unknown":
      approvalSettled(d, event.execution_id, event.request_id, "expired", null);
      return OK;
    case "node.evidence":
      return nodeEvidence(d, event.evidence);
    case "node.presence":
      return nodePresence(d, event.node);
    case "node.command_failed":
      return commandFailed(d, event.command_id, event.failure, event.retry_at);
    case "outbox.done":
      return outboxDone(d, event.key, event.result);
    case "tick":
      return tick(d);
    default:
      return refuse("bad_request", `unknown event ${JSON.stringify(event satisfies never)}`);
  }
}

/** A fresh socket: say again all that may have been lost with the last one. Each is harmless when heard twice. */
function linkHello(d: Draft, spool_id: string | null): Result {
  const { s } = d;
  if (spool_id !== null) s.spool_id = spool_id;
  for (const p of s.prompts) sendPrompt(d, p.prompt_id);
  for (const a of s.approvals) sendAnswer(d, a);
  acts.sendCancel(d);
  acts.sendSettings(d);
  return OK;
}

function outboxDone(d: Draft, key: string, result: Extract<SessionEvent, { type: "outbox.done" }>["result"]): Result {
  const { s } = d;
  const item = s.outbox.find((o) => o.key === key);
  if (!item) return OK;
  s.outbox = s.outbox.filter((o) => o !== item);
  if (item.type === "claim_token" && result.type === "claim_token") {
    tokenClaimed(d, item.execution_id, item.token, result.granted);
  }
  if (item.type === "enqueue" && result.type === "enqueue" && s.execution?.execution_id === item.command.command_id) {
    s.execution.command_seq = result.seq;
    s.launch_seq = result.seq;
  }
  return OK;
}
