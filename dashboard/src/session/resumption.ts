import {
  type Banner,
  type BannerAction,
  banner,
  type SessionStatus,
  type Words,
  type WorkspaceAccess,
  workspaceAccess,
} from "@reprise/protocol";
import { whyItWaits } from "./prompts.ts";

/** What a session's page offers, as it follows from its status. */
export interface Resumption {
  /** `resuming`: on its way, or to be tried again by itself. `idle`: ended on purpose, or its machine is silent. */
  readonly phase: "running" | "resuming" | "idle" | "error";
  readonly banner: Banner | null;
  /** What one click can mean; null where nothing needs to be done. */
  readonly primary: BannerAction | null;
  readonly requires_new_session: boolean;
  /** Whether the shell, the files and git can be used: by the executor alone (X3). */
  readonly workspace: WorkspaceAccess;
  /** Why a prompt written now would wait; null where it goes straight to the agent. */
  readonly waits: string | null;
}

/** The one place that turns `task.session.status` into what the page offers. Nothing of it is kept: it is worked out anew. */
export function resumptionOf(status: SessionStatus, time: Words): Resumption {
  const shown = banner(status, time);
  const first = shown?.buttons.find((button) => button.disabled !== true);
  return {
    phase: phaseOf(status),
    banner: shown,
    primary: first?.action ?? null,
    requires_new_session: status.requires_new_session,
    workspace: workspaceAccess(status),
    waits: whyItWaits(status),
  };
}

function phaseOf(status: SessionStatus): Resumption["phase"] {
  if (status.is_agent_running) return "running";
  switch (status.state) {
    case "CREATED":
    case "STARTING":
      return "resuming";
    case "RUNNING":
    case "WAITING_FOR_INPUT":
    case "COMPLETED":
    case "CANCELLED":
      return "idle";
    case "ERROR":
      return status.retry_at !== null && status.attempt > 0 ? "resuming" : "error";
  }
}
