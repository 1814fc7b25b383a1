import {
  ENDINGS,
  isTerminal,
  MAX_RESUME_ATTEMPTS,
  type ResumeReason,
  type SessionFacts,
  sessionStatus,
} from "@reprise/protocol";
import type { SessionCore } from "./state.ts";

/** What the session tells of itself: D1, lists and pages derive from this and nothing else. */
export function factsOf(s: SessionCore): SessionFacts {
  return {
    session_id: s.session_id,
    task_id: s.task_id,
    version: s.version,
    title: s.title,
    created_at: s.created_at,
    state: s.state,
    since: s.since,
    end_reason: s.end_reason,
    ended_at: s.ended_at,
    agent_profile_id: s.profile_id,
    profile_exists: s.profile_exists,
    agent_kind: s.spec.agent_kind,
    agent_name: s.spec.agent_name,
    driver: s.spec.driver,
    auto_resume: s.auto_resume,
    node_id: s.node_id,
    runtime: s.runtime,
    container_id: s.container_id,
    container_missing: s.container_missing,
    workspace_path: s.workspace.cwd,
    worktree_path: s.workspace.worktree?.path ?? null,
    worktree_branch: s.workspace.worktree?.branch ?? null,
    executor: s.executor,
    execution: s.execution && {
      execution_id: s.execution.execution_id,
      phase: s.execution.phase,
      how: s.execution.how,
      automatic: s.execution.automatic,
      started_at: s.execution.started_at,
    },
    last_execution_id: s.last_execution_id,
    exit_code: s.exit_code,
    supports_session_resume: s.supports_session_resume,
    agent_capabilities: s.agent_capabilities,
    supports_workspace_only: true,
    resume_token: s.resume_token,
    prompted: s.prompted,
    workspace_exists: s.workspace_exists,
    resume_failure: s.resume_failure,
    unverified: s.unverified,
    turn: s.turn && {
      turn_id: s.turn.turn_id,
      outcome: s.turn.end?.outcome ?? null,
      message: s.turn.end?.message ?? null,
      started_at: s.turn.started_at,
      ended_at: s.turn.end?.ended_at ?? null,
    },
    pending_approvals: s.approvals.filter((a) => a.answer === null).length,
    queued_prompts: s.prompts.filter((p) => p.state === "queued" || p.state === "sent").length,
    queue_held: s.queue_held,
    unknown_since: s.lost?.since ?? null,
    stop_requested_at: s.stop?.requested_at ?? null,
    recovery: s.recovery && { attempt: s.recovery.attempt, max: MAX_RESUME_ATTEMPTS, retry_at: s.recovery.retry_at },
    attention: s.attention,
    error: s.error,
    dismissed: s.dismissed,
    last_line: s.last_line,
    last_event_at: s.last_event_at,
    last_event_type: s.last_event_type,
    listed: !s.removed,
    archived_at: s.archived_at,
  };
}

/** The token to resume with, where what is stored lets it be resumed; presence never enters (design §3). */
export function tokenToResume(s: SessionCore): string | null {
  const can =
    (s.end_reason === null || ENDINGS[s.end_reason].resumable === "facts") &&
    s.supports_session_resume === true &&
    s.workspace_exists &&
    s.prompted &&
    s.resume_failure?.code !== "conversation_gone" &&
    !s.container_missing &&
    !s.removed;
  return can ? s.resume_token : null;
}

/**
 * Over, with nothing on its way: a node's hello need not tell it anything. One that was told that its machine can't be
 * reached has yet to hear that it can.
 */
export function isSettled(s: SessionCore): boolean {
  const unreachable = s.executor.failure?.code === "node_unreachable";
  return isTerminal(s.state) && s.execution === null && s.recovery === null && !unreachable;
}

/** The reason as lists say it, were the machine there: for the answer of a refused resume. */
export function currentReason(s: SessionCore): ResumeReason {
  return sessionStatus({
    facts: factsOf(s),
    node: {
      id: s.node_id,
      name: s.node.name,
      kind: s.node.kind,
      presence: "online",
      since: s.since,
      reason: null,
      heard_at: s.since,
      as_of: s.since,
      entry: null,
    },
    attached: false,
    now: s.since,
  }).resume_reason;
}
