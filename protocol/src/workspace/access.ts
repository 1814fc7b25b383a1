import type { SessionStatus } from "../status/status.ts";

/** Whether a session's workspace (shell, files, git) can be used now, and if not, what a person is told (X3, T4). */
export type WorkspaceAccess =
  | { kind: "open" }
  | { kind: "starting"; message: string }
  /** The machine is silent: what was seen last stays, marked so. */
  | { kind: "silent"; message: string }
  /** Checking again helps. */
  | { kind: "error"; code: string; message: string }
  | { kind: "closed"; message: string };

/**
 * The one answer to "may the workspace be used": by its executor alone, whatever became of the agent. A `stopped` executor
 * is open: its host is started again on demand (X6).
 */
export function workspaceAccess(s: SessionStatus): WorkspaceAccess {
  if (s.node.presence !== "online")
    return { kind: "silent", message: `${s.node.name} is silent. The workspace opens again when it is back.` };
  switch (s.executor_status) {
    case "starting":
      return { kind: "starting", message: `${s.node.name} is getting the workspace ready.` };
    case "error":
      return { kind: "error", ...executorError(s) };
    case "ready":
    case "stopped":
      if (!s.supports_workspace_only && !s.is_agent_running)
        return {
          kind: "closed",
          message: `${s.node.name} serves this workspace only while its agent runs. Resume the session to open it.`,
        };
      return { kind: "open" };
  }
}

/** Codes that tell of the executor; others, which stand there too, tell of the agent. */
const OF_THE_EXECUTOR: ReadonlySet<string> = new Set([
  "host_start_failed",
  "workspace_missing",
  "path_not_allowed",
  "worktree_failed",
  "runtime_unavailable",
  "container_missing",
  "node_unreachable",
]);

function executorError(s: SessionStatus): { code: string; message: string } {
  const machine = s.node.name;
  if (s.error_code !== null && s.error_message !== null && OF_THE_EXECUTOR.has(s.error_code))
    return { code: s.error_code, message: s.error_message };
  switch (s.resume_reason) {
    case "workspace_missing":
      return { code: s.resume_reason, message: `The folder ${s.workspace_path} is gone from ${machine}.` };
    case "container_missing":
      return { code: s.resume_reason, message: `The container of this session is gone from ${machine}.` };
    case "runtime_unavailable":
      return { code: s.resume_reason, message: `Docker does not answer on ${machine}.` };
    default:
      return { code: "internal", message: `${machine} can't serve this workspace right now.` };
  }
}
