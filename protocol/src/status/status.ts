import { z } from "zod";
import { Driver } from "../agents/profile.ts";
import {
  AutoResume,
  EndReason,
  ExecutorStatus,
  ExecutorType,
  executorType,
  NodeKind,
  Presence,
  ResumeReason,
  Runtime,
  SessionState,
  TurnOutcome,
} from "../states.ts";
import { ENDINGS } from "./endings.ts";
import { NodeCall, type NodeView, type SessionFacts } from "./facts.ts";

/** `task.session.status` (design §3), with what lists and pages show beside it. */
export const SessionStatus = z.object({
  session_id: z.string(),
  task_id: z.string(),
  version: z.number().int(),
  title: z.string(),
  created_at: z.number(),
  state: SessionState,
  since: z.number(),
  end_reason: EndReason.nullable(),
  ended_at: z.number().nullable(),
  agent_profile_id: z.string(),
  agent_kind: z.string(),
  agent_name: z.string(),
  driver: Driver,
  auto_resume: AutoResume,
  executor_status: ExecutorStatus,
  executor_type: ExecutorType,
  runtime: Runtime,
  agent_execution_id: z.string().nullable(),
  /** An agent process of this very session is alive, by the last inventory and everything heard since. */
  is_agent_running: z.boolean(),
  is_resumable: z.boolean(),
  needs_resume: z.boolean(),
  resume_reason: ResumeReason,
  requires_new_session: z.boolean(),
  supports_session_resume: z.boolean(),
  supports_workspace_only: z.boolean(),
  node: z.object({
    id: z.string(),
    name: z.string(),
    kind: NodeKind,
    presence: Presence,
    since: z.number(),
    reason: z.string().nullable(),
    /** How it stands with calling it at its registered address, while it is away (N7). */
    call: NodeCall.nullable(),
  }),
  attempt: z.number().int(),
  max_attempts: z.number().int(),
  retry_at: z.number().nullable(),
  turn: z
    .object({ id: z.string(), outcome: TurnOutcome.nullable(), message: z.string().nullable(), started_at: z.number() })
    .nullable(),
  pending_approvals: z.number().int(),
  /** What a terminal agent asks in its terminal. */
  attention: z.string().nullable(),
  queued_prompts: z.number().int(),
  queue_held: z.boolean(),
  /** Since then its machine can't tell of its agent; all that is said is what was last known (T3). */
  unknown_since: z.number().nullable().default(null),
  stop_requested_at: z.number().nullable(),
  workspace_path: z.string(),
  worktree_path: z.string().nullable(),
  worktree_branch: z.string().nullable(),
  unverified: z.boolean(),
  dismissed: z.boolean(),
  prompted: z.boolean(),
  error_code: z.string().nullable(),
  error_message: z.string().nullable(),
  attached: z.boolean(),
  exit_code: z.number().nullable(),
  last_line: z.string().nullable(),
  last_event_at: z.number().nullable(),
  archived_at: z.number().nullable(),
  as_of: z.number(),
});
export type SessionStatus = z.infer<typeof SessionStatus>;

export interface StatusInput {
  facts: SessionFacts;
  node: NodeView;
  /** Viewers are attached right now. */
  attached: boolean;
  /** The session itself did not answer: what is stored of it may be behind. */
  stale?: boolean;
  now: number;
}

/**
 * The one answer to "how is this session" (T1). Facts are the SessionObject's; the node's view adds presence and its
 * last word on the process. A silent machine changes nothing but the words (T3).
 */
export function sessionStatus({ facts, node, attached, stale = false, now }: StatusInput): SessionStatus {
  const dead = deathInInventory(facts, node);
  // Intent wins over every later report (T5): how a stop ended is the session's to say, when its spool has told it.
  const evidence = dead && facts.stop_requested_at === null;
  const end_reason = evidence ? "interrupted" : facts.end_reason;
  const state = evidence ? "ERROR" : facts.state;
  const code = facts.executor.failure?.code ?? null;
  // What doesn't answer is not known to run; its state stays as it was last known (T3).
  const away = code === "runtime_unavailable" && facts.executor.status === "error";
  const running = !dead && !away && facts.execution?.phase === "running" && end_reason === null;
  const ending = end_reason === null ? null : ENDINGS[end_reason];
  const gone = facts.resume_failure?.code === "conversation_gone";
  const supports = facts.supports_session_resume ?? false;
  const is_resumable =
    supports &&
    facts.resume_token !== null &&
    facts.workspace_exists &&
    facts.prompted &&
    !gone &&
    // Its conversation went with it.
    !isContainerGone(facts) &&
    ending?.resumable !== "no";
  const executor = evidence
    ? {
        status: node.entry?.executor.status ?? facts.executor.status,
        failure: node.entry?.executor.failure ?? null,
        retry_at: null,
      }
    : facts.executor;
  const error = evidence
    ? { code: "host_died", message: "The agent was found dead." }
    : (facts.error ?? executor.failure);
  const resume_reason = resumeReason({
    facts,
    node,
    running,
    end_reason,
    supports,
    gone,
    executor_code: executor.failure?.code ?? null,
  });
  return {
    session_id: facts.session_id,
    task_id: facts.task_id,
    version: facts.version,
    title: facts.title,
    created_at: facts.created_at,
    state,
    since: evidence ? node.as_of : facts.since,
    end_reason,
    ended_at: evidence ? node.as_of : facts.ended_at,
    agent_profile_id: facts.agent_profile_id,
    agent_kind: facts.agent_kind,
    agent_name: facts.agent_name,
    driver: facts.driver,
    auto_resume: facts.auto_resume,
    executor_status: executor.status,
    executor_type: executorType(node.kind, facts.runtime),
    runtime: facts.runtime,
    agent_execution_id: facts.execution?.execution_id ?? facts.last_execution_id,
    is_agent_running: running,
    is_resumable,
    needs_resume: is_resumable && !running && facts.execution === null && (ending?.needs_resume ?? false),
    resume_reason,
    requires_new_session: !supports,
    supports_session_resume: supports,
    supports_workspace_only: facts.supports_workspace_only,
    node: {
      id: node.id,
      name: node.name,
      kind: node.kind,
      presence: node.presence,
      since: node.since,
      reason: node.reason,
      call: node.presence === "online" ? null : (node.call ?? null),
    },
    attempt: facts.recovery?.attempt ?? 0,
    max_attempts: facts.recovery?.max ?? 0,
    retry_at: facts.recovery?.retry_at ?? executor.retry_at ?? null,
    turn: facts.turn && {
      id: facts.turn.turn_id,
      outcome: evidence && facts.turn.outcome === null ? "interrupted" : facts.turn.outcome,
      message: facts.turn.message,
      started_at: facts.turn.started_at,
    },
    pending_approvals: evidence ? 0 : facts.pending_approvals,
    attention: running ? facts.attention : null,
    queued_prompts: facts.queued_prompts,
    queue_held: facts.queue_held,
    unknown_since: facts.unknown_since,
    stop_requested_at: facts.stop_requested_at,
    workspace_path: facts.workspace_path,
    worktree_path: facts.worktree_path,
    worktree_branch: facts.worktree_branch,
    unverified: facts.unverified,
    dismissed: facts.dismissed !== null && facts.dismissed === facts.last_execution_id,
    prompted: facts.prompted,
    error_code: error?.code ?? null,
    error_message: error?.message ?? null,
    attached,
    exit_code: facts.exit_code,
    last_line: facts.last_line,
    last_event_at: facts.last_event_at,
    archived_at: facts.archived_at,
    as_of: facts.unknown_since ?? asOf({ facts, node, stale, now }),
  };
}

function isContainerGone({ container_missing, executor }: SessionFacts): boolean {
  return container_missing || executor.failure?.code === "container_missing";
}

/** The machine says otherwise of the very execution's turn than its session: what came to be is on its way in the spool. */
function turnInDoubt(facts: SessionFacts, node: NodeView): boolean {
  const told = node.entry?.execution;
  if (!told || facts.execution?.phase !== "running" || told.execution_id !== facts.execution.execution_id) return false;
  const open = facts.turn !== null && facts.turn.outcome === null;
  return told.state === "alive" && (told.open_turn !== null) !== open;
}

/** What came to be since a machine fell silent, or a session's last word where it doesn't answer, is not known (T2). */
function asOf({ facts, node, stale, now }: Required<Omit<StatusInput, "attached">>): number {
  const told = Math.max(facts.since, facts.last_event_at ?? 0);
  if (stale || turnInDoubt(facts, node)) return told;
  return node.presence === "online" ? now : Math.max(told, node.heard_at);
}

/**
 * An inventory that says dead of the very execution that the facts hold as running. The end itself is on its way in the
 * spool; a list must not say "running" meanwhile.
 */
function deathInInventory(facts: SessionFacts, node: NodeView): boolean {
  const told = node.entry?.execution;
  return (
    facts.execution !== null &&
    facts.execution.phase !== "claimed" &&
    told !== null &&
    told !== undefined &&
    told.execution_id === facts.execution.execution_id &&
    told.state === "dead"
  );
}

interface ReasonInput {
  facts: SessionFacts;
  node: NodeView;
  running: boolean;
  end_reason: EndReason | null;
  supports: boolean;
  gone: boolean;
  executor_code: string | null;
}

/** The first that holds, in the closed set's order (design §3). */
function resumeReason(i: ReasonInput): ResumeReason {
  const { facts } = i;
  if (i.running) return "agent_running";
  if (facts.stop_requested_at !== null) return "deliberate_stop";
  if (i.end_reason !== null && ENDINGS[i.end_reason].deliberate) return "deliberate_stop";
  if (i.end_reason === "agent_exit") return "agent_exit";
  if (i.node.presence === "reconnecting") return "node_reconnecting";
  if (i.node.presence === "offline") return "node_offline";
  if (i.executor_code === "runtime_unavailable") return "runtime_unavailable";
  if (isContainerGone(facts)) return "container_missing";
  if (!facts.workspace_exists) return "workspace_missing";
  if (!facts.profile_exists) return "profile_missing";
  if (!facts.prompted) return "never_prompted";
  if (!i.supports) return "not_resumable";
  if (facts.resume_token === null) return "missing_resume_token";
  if (i.gone) return "conversation_gone";
  if (facts.resume_failure !== null) return "resume_failed";
  return "agent_not_running";
}
