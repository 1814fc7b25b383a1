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
      return {
        kind: "error",
        code: s.error_code ?? "internal",
        message: s.error_message ?? `The workspace on ${s.node.name} can't be used.`,
      };
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
