import {
  ENDINGS,
  type EndReason,
  type Failure,
  MAX_RESUME_ATTEMPTS,
  resumeDelay,
  rowId,
  type SpoolEventBody,
} from "@reprise/protocol";
import { expireApprovals } from "./approvals.ts";
import { type Draft, owe, setState } from "./draft.ts";
import { executionRow } from "./execution-row.ts";
import { tokenToResume } from "./facts.ts";
import { claimResume, worthAnotherTry } from "./launch.ts";
import { doubt, requeue, sayAgain } from "./prompts.ts";
import type { SessionCore } from "./state.ts";
import { endTurn, hasReached, settleTurn } from "./turns.ts";

type Ended = Extract<SpoolEventBody, { type: "execution.ended" }>;
type End = Pick<Ended, "end_reason" | "failure" | "exit_code" | "signal" | "died" | "found">;

/** Evidence ended an execution: what follows is design §3's table, and nothing else. */
export function executionEnded(d: Draft, execution_id: string, end: End, at: number): void {
  const { s } = d;
  const e = s.execution;
  if (!e || e.execution_id !== execution_id) {
    // An end that stands is not overwritten by a later one.
    return;
  }
  if (end.failure?.code === "container_missing") s.container_missing = true;
  // Intent wins over every later report (T5).
  const end_reason: EndReason = s.stop?.execution_id === execution_id ? s.stop.end_reason : believed(d, end.end_reason);
  const ending = ENDINGS[end_reason];
  const wasReady = e.phase === "running" && e.ready;
  const worked = s.state === "RUNNING" || s.state === "WAITING_FOR_INPUT";

  closeTurn(d, execution_id, end, end_reason, at);
  expireApprovals(d, (a) => a.execution_id === execution_id);
  for (const id of s.open_items) d.effects.push({ type: "row.item_interrupted", id });
  s.open_items = [];
  settleLaunchTurn(d, e, end_reason);
  settleUnaccepted(d, e, end);
  if (isDeclaredLost(end) && s.stop?.execution_id !== execution_id) endThere(d, execution_id);

  // From here on its node's present folder is the one that knows of it.
  s.state_id = s.lost?.state_id ?? s.state_id;
  s.lost = null;
  s.execution = null;
  s.permit_waiting = null;
  s.last_execution_id = execution_id;
  s.stop = null;
  s.unsaid = null;
  s.attention = null;
  s.end_reason = end_reason;
  s.ended_at = at;
  s.exit_code = end.exit_code;
  s.pid = null;
  s.error = end_reason === "interrupted" || end_reason === "failed" ? end.failure : null;
  if (ending.state !== null) setState(d, ending.state);
  d.effects.push({
    type: "row.put",
    id: rowId.executionEnd(execution_id),
    execution_id,
    body: {
      kind: "execution_end",
      end_reason,
      code: end.failure?.code ?? null,
      message: end.failure?.message ?? null,
      exit_code: end.exit_code,
      signal: end.signal,
      ended_at: at,
    },
  });
  const { exit_code, signal } = end;
  const { last_event_type, last_event_at } = s;
  d.effects.push(executionRow(s, e, { at, end_reason, exit_code, signal, last_event_type, last_event_at }));

  if (ending.deliberate) {
    s.recovery = null;
    return;
  }
  if (!wasReady && e.how === "resume") {
    resumeFailed(d, end.failure ?? { code: "resume_failed", message: "The agent ended before it was ready." });
    return;
  }
  const token = tokenToResume(s);
  if (end_reason !== "interrupted" || !worked || token === null || !mayResumeByItself(d, end)) return;
  if (e.automatic && !didSomething(s, execution_id)) {
    // It came back by itself and died before it did anything: the next attempt waits (X5).
    resumeFailed(d, end.failure ?? { code: "agent_died", message: "The agent died." });
    return;
  }
  s.recovery = { attempt: 0, retry_at: null };
  claimResume(d, token, "resume", true, null);
}

/** A turn of its own; what its launch brought along counts once the agent has answered to it. */
function didSomething({ turn }: SessionCore, execution_id: string): boolean {
  return turn?.execution_id === execution_id && (!turn.with_launch || turn.heard || turn.end?.outcome === "done");
}

/**
 * What only this session orders is an accident where it did not: nothing took over here, and nobody deleted it. Else it
 * would stand as working for ever, with no agent.
 */
function believed(d: Draft, told: EndReason): EndReason {
  const foreign = told === "superseded" || (told === "disposed" && !d.s.removed);
  return foreign ? "interrupted" : told;
}

/** A turn that its execution's end cut short. A stop, or a cancel that had to kill, is no accident. */
function closeTurn(d: Draft, execution_id: string, end: End, end_reason: EndReason, at: number): void {
  if (d.s.turn?.execution_id !== execution_id) return;
  const accident = end_reason === "interrupted" && end.failure?.code !== "cancel_ignored";
  const outcome = accident ? "interrupted" : end_reason === "failed" ? "failed" : "cancelled";
  endTurn(d, outcome, end.failure?.message ?? null, at);
}

/** The turn that an agent was started with, and that it never came up for: where it could not start, nothing was begun (P1). */
function settleLaunchTurn(d: Draft, e: NonNullable<SessionCore["execution"]>, end_reason: EndReason): void {
  const { s } = d;
  const { turn } = s;
  if (turn?.execution_id !== e.execution_id || !turn.with_launch || turn.end === null || hasReached(s)) return;
  if (end_reason === "failed" && turn.prompt_id !== null) sayAgain(d, turn.prompt_id);
  else settleTurn(d);
}

/**
 * A spool is told in order: what it never accepted before this end, it never will. An end that another told than the
 * spool says nothing of what stands in it unread: then the prompt may have arrived (P1).
 */
function settleUnaccepted(d: Draft, e: NonNullable<SessionCore["execution"]>, end: End): void {
  const unread = isDeclaredLost(end) || end.failure?.code === "spool_lost";
  for (const p of d.s.prompts) {
    const sent = p.state === "sent" && p.execution_id === e.execution_id;
    const along = p.state === "queued" && e.phase !== "claimed" && e.launch_prompt?.prompt_id === p.prompt_id;
    if (unread && (sent || along))
      doubt(d, p.prompt_id, "The machine was lost while this was on its way. It may or may not have arrived.");
    else if (sent) requeue(d, p.prompt_id, null);
  }
}

function isDeclaredLost(end: End): boolean {
  return end.failure?.code === "declared_lost";
}

/** The machine may come back with the agent still alive; by then it is nobody's, and another start must not meet it (T7). */
function endThere(d: Draft, execution_id: string): void {
  const { session_id } = d.s;
  const command_id = d.ctx.newId("command");
  owe(d, { type: "enqueue", command: { type: "stop", command_id, session_id, execution_id, end_reason: "stopped" } });
}

/** R6: by profile, only in recovery, only where it was active lately and a person had said something. */
function mayResumeByItself(d: Draft, end: End): boolean {
  const { s, ctx } = d;
  if (isDeclaredLost(end)) return false;
  if ((s.last_event_at ?? 0) < ctx.now - ctx.limits.auto_resume_window_ms) return false;
  switch (s.auto_resume) {
    case "never":
      return false;
    case "always":
      return true;
    case "interrupted":
      return end.found === "scan" && (end.died === "host" || end.died === "machine");
  }
}

/** X5: a failed attempt is followed by another, later and later, then by a person (C10). The token stays. */
export function resumeFailed(d: Draft, failure: Failure): void {
  const { s, ctx } = d;
  s.resume_failure = failure;
  s.error = failure;
  if (!worthAnotherTry(failure)) {
    s.recovery = null;
    return;
  }
  const attempt = (s.recovery?.attempt ?? 0) + 1;
  const delay = attempt > MAX_RESUME_ATTEMPTS ? null : resumeDelay(attempt, ctx.random(), ctx.limits.resume_step_ms);
  s.recovery = delay === null ? null : { attempt, retry_at: ctx.now + delay };
}
