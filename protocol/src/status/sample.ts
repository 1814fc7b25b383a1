import type { AgentCapabilities } from "../agents/profile.ts";
import type { NodeView, SessionFacts } from "./facts.ts";
import { type SessionStatus, sessionStatus } from "./status.ts";

/** For tests: what an agent that can load, and nothing beside, says of itself. */
export const CAPABILITIES: AgentCapabilities = {
  load_session: true,
  resume_session: false,
  list_sessions: false,
  close_session: false,
  prompt_image: false,
  prompt_embedded_context: false,
};

/** For tests: a session of Claude Code on `mini` that died under us, and how it changes. */
export const FACTS: SessionFacts = {
  session_id: "ses_000001",
  task_id: "tsk_000001",
  version: 3,
  title: "Fix the test",
  created_at: 0,
  state: "ERROR",
  since: 100_000,
  end_reason: "interrupted",
  ended_at: 100_000,
  profile_exists: true,
  agent_profile_id: "claude-code",
  agent_kind: "claude-code",
  agent_name: "Claude Code",
  driver: "acp",
  auto_resume: "interrupted",
  node_id: "nod_000001",
  runtime: "standalone",
  container_id: null,
  container_missing: false,
  workspace_path: "/w",
  worktree_path: null,
  worktree_branch: null,
  executor: { status: "ready", since: 0, failure: null, retry_at: null },
  execution: null,
  last_execution_id: "exe_000001",
  exit_code: null,
  supports_session_resume: true,
  agent_capabilities: null,
  supports_workspace_only: true,
  resume_token: "tok",
  prompted: true,
  workspace_exists: true,
  resume_failure: null,
  unverified: false,
  turn: null,
  pending_approvals: 0,
  queued_prompts: 0,
  queue_held: false,
  unknown_since: null,
  stop_requested_at: null,
  recovery: null,
  attention: null,
  error: null,
  dismissed: null,
  last_line: null,
  last_event_at: null,
  last_event_type: null,
  listed: true,
  archived_at: null,
};

export const NODE: NodeView = {
  id: "nod_000001",
  name: "mini",
  kind: "local",
  presence: "online",
  since: 0,
  reason: null,
  heard_at: 0,
  as_of: 0,
  entry: null,
};

export const RUNNING: Partial<SessionFacts> = {
  state: "RUNNING",
  end_reason: null,
  ended_at: null,
  last_execution_id: null,
  execution: { execution_id: "exe_000001", phase: "running", how: "new", automatic: false, started_at: 0 },
  turn: { turn_id: "trn_000001", outcome: null, message: null, started_at: 50_000, ended_at: null },
};

export function statusOf(
  facts: Partial<SessionFacts> = {},
  node: Partial<NodeView> = {},
  profile_exists = true,
): SessionStatus {
  return sessionStatus({
    facts: { ...FACTS, profile_exists, ...facts },
    node: { ...NODE, ...node },
    attached: false,
    now: 280_000,
  });
}
