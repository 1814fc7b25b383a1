import { z } from "zod";

/** Design §3: separate facts, never one enum. */
export const SessionState = z.enum([
  "CREATED",
  "STARTING",
  "RUNNING",
  "WAITING_FOR_INPUT",
  "COMPLETED",
  "CANCELLED",
  "ERROR",
]);
export type SessionState = z.infer<typeof SessionState>;

export const EndReason = z.enum([
  "interrupted",
  "failed",
  "completed",
  "stopped",
  "agent_exit",
  "disposed",
  "superseded",
]);
export type EndReason = z.infer<typeof EndReason>;

export const ExecutorStatus = z.enum(["starting", "ready", "error", "stopped"]);
export type ExecutorStatus = z.infer<typeof ExecutorStatus>;

export const Runtime = z.enum(["standalone", "docker"]);
export type Runtime = z.infer<typeof Runtime>;

export const ExecutorType = z.enum(["local_standalone", "local_docker", "remote"]);
export type ExecutorType = z.infer<typeof ExecutorType>;

export const NodeKind = z.enum(["local", "remote"]);
export type NodeKind = z.infer<typeof NodeKind>;

export const Presence = z.enum(["online", "reconnecting", "offline"]);
export type Presence = z.infer<typeof Presence>;

export const TaskState = z.enum(["TODO", "IN_PROGRESS", "REVIEW", "DONE", "CANCELLED"]);
export type TaskState = z.infer<typeof TaskState>;

export const TurnOutcome = z.enum(["done", "cancelled", "failed", "timed_out", "interrupted"]);
export type TurnOutcome = z.infer<typeof TurnOutcome>;

export const PromptState = z.enum(["queued", "sent", "accepted", "done", "cancelled", "indeterminate"]);
export type PromptState = z.infer<typeof PromptState>;

export const ApprovalState = z.enum(["pending", "answering", "answered", "expired"]);
export type ApprovalState = z.infer<typeof ApprovalState>;

export const AutoResume = z.enum(["interrupted", "never", "always"]);
export type AutoResume = z.infer<typeof AutoResume>;

/** In this order: the first that holds is the one that is said (design §3). */
export const ResumeReason = z.enum([
  "agent_running",
  "deliberate_stop",
  "agent_exit",
  "node_reconnecting",
  "node_offline",
  "runtime_unavailable",
  "container_missing",
  "workspace_missing",
  "profile_missing",
  "never_prompted",
  "not_resumable",
  "missing_resume_token",
  "conversation_gone",
  "resume_failed",
  "agent_not_running",
]);
export type ResumeReason = z.infer<typeof ResumeReason>;

/** `executor_type` is derived, never stored as a fact of its own. */
export function executorType(kind: NodeKind, runtime: Runtime): ExecutorType {
  if (kind === "remote") return "remote";
  return runtime === "docker" ? "local_docker" : "local_standalone";
}

export function isTerminal(state: SessionState): boolean {
  return state === "COMPLETED" || state === "CANCELLED" || state === "ERROR";
}
