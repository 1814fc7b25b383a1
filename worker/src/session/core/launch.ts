import { type Failure, type ResumeAnswer, rowId } from "@reprise/protocol";
import type { Result } from "../../result.ts";
import { type Draft, OK, owe, setState } from "./draft.ts";
import { executionRow } from "./execution-row.ts";
import { leaveBehind, takeAlong } from "./launch-prompt.ts";
import { deliverNext, queueFirst } from "./prompts.ts";
import type { Prior } from "./state.ts";
import { tellToken } from "./token.ts";
import { settleTurn } from "./turns.ts";

export interface ClaimOptions {
  /** A resume is of one conversation, by its token: without one there is nothing that it could fall back to (R4). */
  how: { type: "new" } | { type: "resume"; token: string };
  automatic: boolean;
  then_prompt: string | null;
}

/**
 * Reserve the right to start an agent and order its launch (R3): the one way that create, resume and recovery start
 * anything. @returns the execution's id, which is also the command's.
 */
export function claim(d: Draft, options: ClaimOptions): string {
  const { s, ctx } = d;
  const execution_id = ctx.newId("execution");
  const { state, since, end_reason, ended_at, exit_code, error, queue_held } = s;
  const prior: Prior = { state, since, end_reason, ended_at, exit_code, error, queue_held };
  const launch_prompt = takeAlong(d, options.then_prompt);
  s.execution = {
    phase: "claimed",
    execution_id,
    how: options.how.type,
    automatic: options.automatic,
    started_at: ctx.now,
    command_seq: null,
    then_prompt: launch_prompt?.ours ? null : options.then_prompt,
    launch_prompt,
    expires_at: ctx.now + ctx.limits.claim_expiry_ms,
    prior,
  };
  s.end_reason = null;
  s.ended_at = null;
  s.exit_code = null;
  s.error = null;
  s.dismissed = null;
  if (s.recovery) s.recovery = { attempt: s.recovery.attempt, retry_at: null };
  setState(d, "STARTING");
  owe(d, {
    type: "enqueue",
    command: {
      type: "launch",
      command_id: execution_id,
      session_id: s.session_id,
      task_id: s.task_id,
      runtime: s.runtime,
      spec: s.spec,
      workspace: s.workspace,
      how:
        options.how.type === "new"
          ? { type: "new" }
          : { type: "resume", token: options.how.token, had_turns: s.prompted },
      automatic: options.automatic,
      title: s.title,
    },
  });
  return execution_id;
}

/** The order of a start that never began was lost: it is ordered anew, and the old one may not come to anything (R3). */
export function claimAgain(d: Draft): void {
  const { s } = d;
  if (s.execution?.phase !== "claimed") return;
  const { how, automatic, then_prompt, launch_prompt, prior } = s.execution;
  const token = s.resume_token;
  takeBack(d, s.execution.execution_id);
  claim(d, {
    how: how === "new" || token === null ? { type: "new" } : { type: "resume", token },
    automatic,
    then_prompt,
  });
  if (s.execution.phase !== "claimed") return;
  s.execution.prior = prior;
  const along = s.execution.launch_prompt;
  if (along && launch_prompt?.prompt_id === along.prompt_id) along.ours = launch_prompt.ours;
}

/** Claim, and the one `session_resumed` of it. @param token of the conversation that is resumed */
export function claimResume(
  d: Draft,
  token: string,
  mode: "resume" | "retry",
  automatic: boolean,
  then_prompt: string | null,
): ResumeAnswer {
  const prior_state = d.s.state;
  const execution_id = claim(d, { how: { type: "resume", token }, automatic, then_prompt });
  d.effects.push({
    type: "row.put",
    id: rowId.resumed(execution_id),
    execution_id,
    body: { kind: "resumed", mode, strategy: "native", prior_state, automatic, at: d.ctx.now },
  });
  return { status: "resumed", mode, prior_state, execution_id };
}

/** A person took the claim back, or nobody picked it up: as if it had not been made (R3). */
export function undoClaim(d: Draft, into: Prior | "stopped" | "completed"): void {
  const { s, ctx } = d;
  if (s.execution?.phase !== "claimed") return;
  leaveBehind(d, s.execution.prior.queue_held);
  takeBack(d, s.execution.execution_id);
  s.execution = null;
  if (into === "stopped" || into === "completed") {
    s.end_reason = into;
    s.ended_at = ctx.now;
    setState(d, into === "stopped" ? "CANCELLED" : "COMPLETED");
    return;
  }
  if (into.state === "CREATED") {
    // It never began: a session may not wait for ever in a state that nobody acts on (T4).
    s.end_reason = "failed";
    s.ended_at = ctx.now;
    s.error = { code: "claim_expired", message: "The machine did not pick up the start." };
    setState(d, "ERROR");
    return;
  }
  s.recovery = null;
  s.end_reason = into.end_reason;
  s.ended_at = into.ended_at;
  s.exit_code = into.exit_code;
  s.error = into.error;
  s.state = into.state;
  s.since = into.since;
}

/** This start may come to nothing any more. */
export function takeBack(d: Draft, execution_id: string): void {
  d.s.permit_waiting = null;
  owe(d, { type: "dequeue", command_id: execution_id });
  d.effects.push({ type: "send", frame: refusal(execution_id) });
}

function refusal(execution_id: string) {
  return {
    type: "permit.refused",
    execution_id,
    code: "claim_revoked",
    message: "This start was taken back; nothing is to be launched.",
  } as const;
}

/** The host asks for leave to start this one execution's agent (R3). */
export function permitRequested(
  d: Draft,
  request: { execution_id: string; spool_id: string; head_seq: number },
): Result {
  const { s } = d;
  const e = s.execution;
  if (!e || e.execution_id !== request.execution_id || s.removed) {
    d.effects.push({ type: "send", frame: refusal(request.execution_id) });
    return OK;
  }
  switch (e.phase) {
    case "running":
      d.effects.push({ type: "send", frame: refusal(request.execution_id) });
      return OK;
    case "permitted":
      // The grant may have been lost on its way. The same spool uses it once, however often it hears it.
      d.effects.push({
        type: "send",
        frame:
          e.spool_id === request.spool_id
            ? { type: "permit.granted", execution_id: e.execution_id }
            : refusal(e.execution_id),
      });
      return OK;
    case "claimed":
      s.permit_waiting = request;
      grantIfDrained(d);
      return OK;
  }
}

/** The spool before the launch must be stored here first: its last execution's end above all (R3). */
export function grantIfDrained(d: Draft): void {
  const { s } = d;
  const waiting = s.permit_waiting;
  const e = s.execution;
  if (!waiting || e?.phase !== "claimed" || e.execution_id !== waiting.execution_id) return;
  if ((s.marks[waiting.spool_id] ?? 0) < waiting.head_seq) return;
  s.permit_waiting = null;
  const { expires_at: _e, prior: _p, ...base } = e;
  s.execution = { ...base, phase: "permitted", spool_id: waiting.spool_id, used: false };
  d.effects.push(executionRow(s, s.execution, null));
  d.effects.push({ type: "send", frame: { type: "permit.granted", execution_id: e.execution_id } });
}

/** The agent answered and takes prompts: the end of every way of starting. */
export function agentReady(d: Draft, body: { token: string | null; verified: boolean }): void {
  const { s } = d;
  if (s.execution?.phase !== "running") return;
  tellToken(d, s.execution.execution_id, body.token);
  // It becomes ready once: told again in the middle of a turn, that turn goes on.
  if (s.execution.ready) return;
  const then = s.execution.then_prompt;
  // A host that took the launch's prompt has told its turn by now.
  s.execution = { ...s.execution, ready: true, then_prompt: null, launch_prompt: null };
  // One that came back by itself has to do something first, else one that dies at once would be started for ever (X5).
  if (!s.execution.automatic) s.recovery = null;
  s.resume_failure = null;
  s.error = null;
  s.unverified = !body.verified;
  const works = s.turn?.end === null;
  const along = s.turn?.with_launch === true && s.turn.execution_id === s.execution.execution_id;
  // What its launch brought has reached the agent by now.
  if (along) s.prompted = true;
  if (along && !works) settleTurn(d);
  setState(d, works ? "RUNNING" : "WAITING_FOR_INPUT");
  if (then !== null) {
    s.queue_held = false;
    queueFirst(d, then);
  }
  deliverNext(d);
}

/** Failures that another try can't change: a person has to act first. */
const FINAL: ReadonlySet<Failure["code"]> = new Set([
  "conversation_gone",
  "not_resumable",
  "agent_not_found",
  "agent_auth_required",
  "workspace_missing",
  "path_not_allowed",
  "worktree_failed",
  "container_missing",
  "claim_revoked",
  "declared_lost",
  "token_in_use",
]);

export function worthAnotherTry(failure: Failure): boolean {
  return !FINAL.has(failure.code);
}
