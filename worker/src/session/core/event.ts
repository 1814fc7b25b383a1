import type {
  EndReason,
  Failure,
  IdKind,
  LaunchSpec,
  NodeView,
  PromptBlocks,
  PromptState,
  ResumeBody,
  RowBody,
  SessionDown,
  SpoolEvent,
  TurnOutcome,
} from "@reprise/protocol";
import type { NodeEvidence, RecoveryAction, SettingsChange } from "../rpc.ts";
import type { OutboxResult } from "./outbox.ts";

/** Everything that can happen to a session. */
export type SessionEvent =
  | { type: "prompt"; prompt_id: string; blocks: PromptBlocks }
  | { type: "prompt.edit"; prompt_id: string; blocks: PromptBlocks }
  | { type: "prompt.remove"; prompt_id: string }
  | { type: "cancel" }
  | { type: "stop"; end_reason: "stopped" | "completed" }
  | { type: "stop.undo" }
  | { type: "resume"; body: ResumeBody }
  | { type: "answer"; request_id: string; execution_id: string; option_id: string | null }
  | { type: "recovery"; action: RecoveryAction; spec?: LaunchSpec | null }
  | { type: "rename"; title: string }
  | ({ type: "settings" } & SettingsChange)
  | { type: "profile.gone"; profile_id: string }
  | { type: "profile.back"; profile_id: string }
  /** Another session is to go on with this conversation of the agent's. */
  | { type: "token.release"; token: string }
  | { type: "archive"; on: boolean }
  | { type: "remove"; remove_worktree: boolean }
  | { type: "link.hello"; spool_id: string | null }
  | { type: "link.events"; spool_id: string; events: readonly SpoolEvent[] }
  | { type: "link.permit_request"; execution_id: string; spool_id: string; head_seq: number }
  | { type: "link.prompt_refused"; prompt_id: string; code: string; message: string }
  | { type: "link.approval_unknown"; execution_id: string; request_id: string }
  | { type: "node.evidence"; evidence: NodeEvidence }
  | { type: "node.presence"; node: Omit<NodeView, "entry" | "as_of"> }
  | { type: "node.command_failed"; command_id: string; failure: Failure; retry_at: number | null }
  | { type: "outbox.done"; key: string; result: OutboxResult }
  | { type: "tick" };

/** What the object does after a step, in this order, the rows in the same transaction as the state. */
export type Effect =
  | { type: "row.put"; id: string; execution_id: string | null; body: RowBody }
  /** A turn's row takes its words from the prompt's. */
  | { type: "row.turn"; turn_id: string; prompt_id: string | null; execution_id: string; started_at: number }
  | {
      type: "row.prompt";
      prompt_id: string;
      state: PromptState;
      outcome?: TurnOutcome;
      note: string | null;
      blocks?: PromptBlocks;
    }
  /** Another prompt of the same words. */
  | { type: "row.prompt_again"; prompt_id: string; as: string; created_at: number }
  | {
      type: "row.approval";
      execution_id: string;
      request_id: string;
      state: "answering" | "answered" | "expired";
      option_id: string | null;
      at: number;
    }
  | { type: "row.item_interrupted"; id: string }
  /** An execution's own row: it is kept, however it ended (design §3). */
  | {
      type: "execution";
      execution_id: string;
      node_id: string;
      /** The terminal that its agent ran in. */
      terminal: string | null;
      token: string | null;
      started_at: number;
      ended: ExecutionEnd | null;
    }
  | { type: "execution.token"; execution_id: string; token: string }
  /** Over the node's socket if it is there; a prompt takes its words from its row. Lost frames are said again at hello. */
  | { type: "send"; frame: Exclude<SessionDown, { type: "prompt" }> }
  | { type: "send.prompt"; prompt_id: string; turn_id: string; execution_id: string }
  | { type: "warn"; message: string; details: Record<string, unknown> };

export interface ExecutionEnd {
  at: number;
  end_reason: EndReason;
  exit_code: number | null;
  signal: string | null;
  /** The last that was heard of it before this end. */
  last_event_type: string | null;
  last_event_at: number | null;
}

export interface Ctx {
  now: number;
  newId(kind: IdKind): string;
  /** In [0, 1). */
  random(): number;
  limits: SessionLimits;
}

/** The named waits of a session, in milliseconds (their reasons: worker/src/limits.ts). */
export interface SessionLimits {
  claim_expiry_ms: number;
  prompt_resend_ms: number;
  auto_resume_window_ms: number;
  resume_step_ms: number;
}
