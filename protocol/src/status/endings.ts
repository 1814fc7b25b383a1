import type { EndReason, SessionState } from "../states.ts";

/** What an end of an execution makes of its session (design §3, "How an execution ends, and what follows"). */
export interface Ending {
  /** null: the session's state stays as it was. */
  state: SessionState | null;
  /** `facts`: by token, capability, workspace. `no`: never. */
  resumable: "facts" | "no";
  /** Whether the page asks for a resume by a banner. */
  needs_resume: boolean;
  /** The agent's conversation was ended on purpose: nothing brings it back by itself. */
  deliberate: boolean;
}

export const ENDINGS: Readonly<Record<EndReason, Ending>> = {
  interrupted: { state: "ERROR", resumable: "facts", needs_resume: true, deliberate: false },
  failed: { state: "ERROR", resumable: "facts", needs_resume: true, deliberate: false },
  completed: { state: "COMPLETED", resumable: "facts", needs_resume: false, deliberate: true },
  stopped: { state: "CANCELLED", resumable: "facts", needs_resume: false, deliberate: true },
  agent_exit: { state: "COMPLETED", resumable: "no", needs_resume: false, deliberate: false },
  disposed: { state: null, resumable: "no", needs_resume: false, deliberate: true },
  superseded: { state: null, resumable: "facts", needs_resume: false, deliberate: false },
};
