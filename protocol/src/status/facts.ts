import { z } from "zod";
import { AgentCapabilities, Driver } from "../agents/profile.ts";
import { Failure } from "../errors.ts";
import { ExecutionId, NodeId, SessionId, TaskId, TurnId } from "../ids.ts";
import {
  AutoResume,
  EndReason,
  ExecutorStatus,
  NodeKind,
  Presence,
  Runtime,
  SessionState,
  TurnOutcome,
} from "../states.ts";
import { InventoryEntry } from "../wire/inventory.ts";

/** What the SessionObject knows of itself, as it tells it to D1 and to whoever asks. Rebuilt from its state at each commit. */
export const SessionFacts = z.object({
  session_id: SessionId,
  task_id: TaskId,
  /** Grows with each commit that changes facts: guards every copy (D1, node, page). */
  version: z.number().int(),
  title: z.string(),
  created_at: z.number(),
  state: SessionState,
  /** When `state` took its value. */
  since: z.number(),
  end_reason: EndReason.nullable(),
  ended_at: z.number().nullable(),
  agent_profile_id: z.string(),
  /** Whether that profile is still there. Facts stored before this was told had theirs. */
  profile_exists: z.boolean().default(true),
  agent_kind: z.string(),
  agent_name: z.string(),
  driver: Driver,
  auto_resume: AutoResume,
  node_id: NodeId,
  runtime: Runtime,
  /** In Docker: the container that its host runs in, once the machine has told it. */
  container_id: z.string().nullable().default(null),
  /** That container is gone for good, and the conversation with it. */
  container_missing: z.boolean().default(false),
  workspace_path: z.string(),
  worktree_path: z.string().nullable(),
  worktree_branch: z.string().nullable(),
  executor: z.object({
    status: ExecutorStatus,
    since: z.number(),
    failure: Failure.nullable(),
    retry_at: z.number().nullable(),
  }),
  /** The present execution, if one is claimed, permitted or running. */
  execution: z
    .object({
      execution_id: ExecutionId,
      phase: z.enum(["claimed", "permitted", "running"]),
      /** `found`: a person started it in its terminal. */
      how: z.enum(["new", "resume", "found"]),
      automatic: z.boolean(),
      started_at: z.number(),
    })
    .nullable(),
  last_execution_id: ExecutionId.nullable(),
  exit_code: z.number().nullable(),
  /** null: not asked yet. */
  supports_session_resume: z.boolean().nullable(),
  /** In its own words at its last start (R1). */
  agent_capabilities: AgentCapabilities.nullable().default(null),
  supports_workspace_only: z.boolean(),
  resume_token: z.string().nullable(),
  /** A prompt once reached the agent. */
  prompted: z.boolean(),
  workspace_exists: z.boolean(),
  /** Set by a failed resume until one succeeds. */
  resume_failure: Failure.nullable(),
  /** Resumed, but a load showed nothing of the conversation (R4). */
  unverified: z.boolean(),
  turn: z
    .object({
      turn_id: TurnId,
      outcome: TurnOutcome.nullable(),
      message: z.string().nullable(),
      started_at: z.number(),
      ended_at: z.number().nullable(),
    })
    .nullable(),
  pending_approvals: z.number().int(),
  queued_prompts: z.number().int(),
  /** An interrupted turn holds the queue until a person acts (P2). */
  queue_held: z.boolean(),
  /** Its node came back without what it knew of the execution: how it is since then, nobody can tell (T3). */
  unknown_since: z.number().nullable().default(null),
  stop_requested_at: z.number().nullable(),
  /** Automatic attempts to bring it back (X5). */
  recovery: z.object({ attempt: z.number().int(), max: z.number().int(), retry_at: z.number().nullable() }).nullable(),
  /** What its terminal agent asks in its terminal, where only a person at it can answer. */
  attention: z.string().nullable().default(null),
  error: Failure.nullable(),
  /** The execution whose banner a person dismissed. */
  dismissed: ExecutionId.nullable(),
  /** The last line that the agent said, for lists. */
  last_line: z.string().nullable(),
  last_event_at: z.number().nullable(),
  last_event_type: z.string().nullable(),
  listed: z.boolean(),
  archived_at: z.number().nullable(),
});
export type SessionFacts = z.infer<typeof SessionFacts>;

/** Why a machine's address could not help (N7). */
export const CallCode = z.enum(["call_refused", "call_redirected", "call_timeout", "call_unreachable", "call_unheard"]);
export type CallCode = z.infer<typeof CallCode>;

/** How it stands with calling a machine that isn't there, at the address that it registered. */
export const NodeCall = z.object({
  attempt: z.number().int(),
  /** null: no further call is due by itself. */
  retry_at: z.number().nullable(),
  code: CallCode.nullable(),
  message: z.string().nullable(),
});
export type NodeCall = z.infer<typeof NodeCall>;

/** What its node's object adds: presence, and the last inventory's word on this session. */
export const NodeView = z.object({
  id: NodeId,
  name: z.string(),
  kind: NodeKind,
  presence: Presence,
  since: z.number(),
  reason: z.string().nullable(),
  /** Its last sign of life that is known of. A silence is seen later than it began: what is known is as of this (T2). */
  heard_at: z.number(),
  /** When the inventory that `entry` is from was received. */
  as_of: z.number(),
  entry: InventoryEntry.nullable(),
  /** Where it can be called, as its owner approved (N7). */
  agentctl_url: z.string().nullish(),
  call: NodeCall.nullish(),
});
export type NodeView = z.infer<typeof NodeView>;
