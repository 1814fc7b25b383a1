import {
  AgentCapabilities,
  AutoResume,
  EndReason,
  ExecutorStatus,
  Failure,
  LaunchSpec,
  NodeCall,
  NodeKind,
  Presence,
  Runtime,
  SessionState,
  TurnOutcome,
  WorkspaceSpec,
} from "@reprise/protocol";
import { z } from "zod";
import { OutboxItem } from "./outbox.ts";

/** What an undone claim goes back to. */
const Prior = z.object({
  state: SessionState,
  since: z.number(),
  end_reason: EndReason.nullable(),
  ended_at: z.number().nullable(),
  exit_code: z.number().nullable().default(null),
  error: Failure.nullable().default(null),
  queue_held: z.boolean().default(false),
});
export type Prior = z.infer<typeof Prior>;

/** Of a terminal agent: the queued prompt that its launch brings along, and the turn that it becomes (P1). */
const LaunchPrompt = z.object({
  prompt_id: z.string(),
  turn_id: z.string(),
  /** The control plane's own "continue": it goes with the claim, should that be undone. */
  ours: z.boolean(),
});
export type LaunchPrompt = z.infer<typeof LaunchPrompt>;

const executionBase = {
  execution_id: z.string(),
  /** `found`: a person started it in the session's terminal; nobody had claimed it. */
  how: z.enum(["new", "resume", "found"]),
  automatic: z.boolean(),
  started_at: z.number(),
  /** The launch command's number at the node; null until the node's object took it. Of a found one: that of the last launch. */
  command_seq: z.number().nullable(),
  /** Sent as the first prompt once the agent is ready (mode `retry`). */
  then_prompt: z.string().nullable(),
  /** Until its host has told its turn, or that the agent is ready without. */
  launch_prompt: LaunchPrompt.nullable().default(null),
};

/** The present claim on, or life of, an agent (R3). Each phase carries what only it has. */
const Execution = z.discriminatedUnion("phase", [
  z.object({ ...executionBase, phase: z.literal("claimed"), expires_at: z.number(), prior: Prior }),
  /** The permit went to this spool: no other spool may use it. */
  z.object({
    ...executionBase,
    phase: z.literal("permitted"),
    spool_id: z.string(),
    /** The spool has told of it. */
    used: z.boolean().default(false),
  }),
  z.object({ ...executionBase, phase: z.literal("running"), spool_id: z.string(), ready: z.boolean() }),
]);

/** A prompt that isn't settled yet; its words are in the log's row. */
const PromptEntry = z.discriminatedUnion("state", [
  z.object({ prompt_id: z.string(), state: z.literal("queued"), note: z.string().nullable() }),
  z.object({
    prompt_id: z.string(),
    state: z.literal("sent"),
    turn_id: z.string(),
    execution_id: z.string(),
    sent_at: z.number(),
  }),
  z.object({ prompt_id: z.string(), state: z.literal("accepted"), turn_id: z.string(), execution_id: z.string() }),
  z.object({ prompt_id: z.string(), state: z.literal("indeterminate") }),
]);
export type PromptEntry = z.infer<typeof PromptEntry>;

const Turn = z.object({
  turn_id: z.string(),
  prompt_id: z.string().nullable(),
  execution_id: z.string(),
  started_at: z.number(),
  /** The agent answered anything in it: then the prompt surely arrived (P1). */
  heard: z.boolean(),
  /** It came with its launch: it was on disk before the agent ran, so that it says nothing of the agent. */
  with_launch: z.boolean().default(false),
  cancel_requested_at: z.number().nullable(),
  end: z.object({ outcome: TurnOutcome, message: z.string().nullable(), ended_at: z.number() }).nullable(),
});

const OpenApproval = z.object({
  execution_id: z.string(),
  request_id: z.string(),
  turn_id: z.string().nullable(),
  option_ids: z.array(z.string()),
  answer: z.object({ option_id: z.string().nullable(), answered_at: z.number() }).nullable(),
});
export type OpenApproval = z.infer<typeof OpenApproval>;

/** All that a session is; stored whole in one row, beside its log. */
export const SessionCore = z.object({
  session_id: z.string(),
  task_id: z.string(),
  node_id: z.string(),
  /** The node's state folder that the session is known in: another one's silence proves nothing (T3, C12). */
  state_id: z.string(),
  /** Its node came back with this other folder while an execution was under way: nobody there can tell of it (T3). */
  lost: z.object({ since: z.number(), state_id: z.string() }).nullable().default(null),
  runtime: Runtime,
  profile_id: z.string(),
  /** Whether that profile is still there. States stored before this was kept had theirs. */
  profile_exists: z.boolean().default(true),
  auto_resume: AutoResume,
  spec: LaunchSpec,
  workspace: WorkspaceSpec,
  created_at: z.number(),
  log_id: z.string(),
  version: z.number(),
  title: z.string(),
  /** A person's, or their first prompt's. Else it is what the agent calls the conversation, as soon as it does. */
  title_given: z.boolean().default(true),
  state: SessionState,
  since: z.number(),
  end_reason: EndReason.nullable(),
  ended_at: z.number().nullable(),
  exit_code: z.number().nullable(),
  pid: z.number().nullable(),
  container_id: z.string().nullable().default(null),
  /** Terminal: nothing of it can come back (R4). */
  container_missing: z.boolean().default(false),
  executor: z.object({
    status: ExecutorStatus,
    since: z.number(),
    failure: Failure.nullable(),
    retry_at: z.number().nullable(),
  }),
  execution: Execution.nullable(),
  last_execution_id: z.string().nullable(),
  /** The number of the last launch at its node: an older look there says nothing of what came after (T3). */
  launch_seq: z.number().nullable().default(null),
  supports_session_resume: z.boolean().nullable(),
  agent_capabilities: AgentCapabilities.nullable().default(null),
  resume_token: z.string().nullable(),
  prompted: z.boolean(),
  workspace_exists: z.boolean(),
  resume_failure: Failure.nullable(),
  unverified: z.boolean(),
  attention: z.string().nullable().default(null),
  error: Failure.nullable(),
  turn: Turn.nullable(),
  prompts: z.array(PromptEntry),
  queue_held: z.boolean(),
  approvals: z.array(OpenApproval),
  /** Row ids of items that still grow. */
  open_items: z.array(z.string()),
  /** Chosen while the agent runs, and not yet confirmed by it: said again at each hello. */
  unsaid: z.object({ mode: z.string().nullable(), model: z.string().nullable() }).nullable().default(null),
  stop: z
    .object({
      requested_at: z.number(),
      end_reason: z.enum(["stopped", "completed"]),
      execution_id: z.string(),
      command_id: z.string(),
    })
    .nullable(),
  recovery: z.object({ attempt: z.number(), retry_at: z.number().nullable() }).nullable(),
  /** Stored contiguously, per spool (L1). */
  marks: z.record(z.string(), z.number()),
  spool_id: z.string().nullable(),
  /** A permit that waits until the spool before it has been drained. */
  permit_waiting: z.object({ execution_id: z.string(), spool_id: z.string(), head_seq: z.number() }).nullable(),
  dismissed: z.string().nullable(),
  last_line: z.string().nullable(),
  last_event_at: z.number().nullable(),
  last_event_type: z.string().nullable(),
  archived_at: z.number().nullable(),
  removed: z.boolean(),
  node: z.object({
    name: z.string(),
    kind: NodeKind,
    presence: Presence,
    since: z.number(),
    reason: z.string().nullable(),
    /** In states stored before this was kept, what its session told counts alone. */
    heard_at: z.number().default(0),
    agentctl_url: z.string().nullish(),
    call: NodeCall.nullish(),
  }),
  /** What other objects must still be told; drained after each commit, again by the alarm. */
  outbox: z.array(OutboxItem),
});
export type SessionCore = z.infer<typeof SessionCore>;
