import type {
  AgentProfile,
  AutoResume,
  CloseName,
  EventsPage,
  ExchangeAnswer,
  ExchangeBody,
  Failure,
  InventoryEntry,
  LaunchSpec,
  NodeView,
  PromptBlocks,
  ResumeAnswer,
  ResumeBody,
  Runtime,
  SessionFacts,
  WorkspaceSpec,
} from "@reprise/protocol";
import type { Result } from "../result.ts";

/** All that a session begins with; the Worker has checked it and written the birth row. */
export interface Birth {
  session_id: string;
  task_id: string;
  title: string;
  title_given: boolean;
  node_id: string;
  node_kind: "local" | "remote";
  state_id: string;
  runtime: Runtime;
  profile_id: string;
  auto_resume: AutoResume;
  spec: LaunchSpec;
  workspace: WorkspaceSpec;
  /** null only with `token`. */
  prompt: { prompt_id: string; blocks: PromptBlocks } | null;
  /** The agent's own session id to start from. */
  token: string | null;
  /** The session that has let go of it. */
  token_from: string | null;
  /** What the profile's agent, or the machine's probe of it, last said; null: neither has been asked. */
  can_resume: boolean | null;
  created_at: number;
}

/** What a node says of one session: at its hello, or when it changed. */
export interface NodeEvidence {
  node_id: string;
  state_id: string;
  entry: InventoryEntry | null;
  /** Only a complete inventory makes an absent entry evidence (T3). */
  complete: boolean;
  last_command_seq: number;
}

/** What the page and T1 need of a session. */
export interface SessionView {
  facts: SessionFacts;
  attached: boolean;
}

export type RecoveryAction =
  | "try_now"
  | "cancel"
  | "check_again"
  | "dismiss"
  | "declare_lost"
  | "release"
  | "continue"
  | "verified"
  | "start_again";

/** `profile`: another one of the same agent takes the place of the session's own; how it was started stays (R2). */
export interface SettingsChange {
  mode?: string | undefined;
  model?: string | undefined;
  profile?: Pick<AgentProfile, "id" | "agent_kind" | "driver" | "auto_resume"> | undefined;
}

/** The SessionObject's RPC. A session that was never created answers `session_not_found` (or null). */
export interface SessionRpc {
  create(birth: Birth): Promise<Result<{ facts: SessionFacts }>>;
  facts(): Promise<SessionView | null>;
  page(): Promise<(SessionView & { events: EventsPage }) | null>;
  events(query: { before?: number; since?: number; limit: number }): Promise<EventsPage | null>;
  resume(body: ResumeBody): Promise<Result<{ answer: ResumeAnswer }>>;
  prompt(prompt: { prompt_id: string; blocks: PromptBlocks }): Promise<Result<{ state: string }>>;
  editPrompt(promptId: string, blocks: PromptBlocks): Promise<Result>;
  removePrompt(promptId: string): Promise<Result>;
  cancel(): Promise<Result>;
  stop(endReason: "stopped" | "completed"): Promise<Result>;
  undoStop(): Promise<Result>;
  answer(requestId: string, body: { execution_id: string; option_id: string | null }): Promise<Result>;
  /** @param spec of `start_again`: how the profile starts its agent now; null where it is gone. */
  recovery(action: RecoveryAction, spec?: LaunchSpec | null): Promise<Result>;
  rename(title: string): Promise<Result>;
  settings(change: SettingsChange): Promise<Result>;
  /** Another session is to go on with this conversation. @returns `token_in_use` where this one does, or can */
  releaseToken(token: string): Promise<Result>;
  archive(on: boolean): Promise<Result>;
  /** Tombstone: the session is over for good; its node tears it down, whenever it is back (T7). */
  remove(opts: { remove_worktree: boolean }): Promise<Result>;

  nodeEvidence(evidence: NodeEvidence): Promise<void>;
  /** @param cut the node was removed, or its place taken: its socket is ended, saying that (K2) */
  nodePresence(node: Omit<NodeView, "entry" | "as_of">, cut: CloseName | null): Promise<void>;
  /** The profile that it was started by was deleted, or is there again. */
  profileIs(is: "gone" | "back", profileId: string): Promise<void>;
  /** N3: what its socket would have carried, by plain HTTP. */
  exchange(nodeId: string, body: ExchangeBody): Promise<Result<ExchangeAnswer>>;
  /** A command could not be carried out; of a launch: nothing was started. */
  commandFailed(commandId: string, failure: Failure, retryAt: number | null): Promise<void>;
}
