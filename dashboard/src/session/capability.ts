import type { SessionStatus } from "@reprise/protocol";

/** Whether its agent can resume earlier sessions, in words; nobody can say so yet of one that never came up (R1). */
export function whetherItResumes(status: SessionStatus): string {
  if (status.supports_session_resume) return "This agent can resume earlier sessions";
  if (!status.prompted && !status.is_agent_running) return "Not known before the agent has run";
  return "This agent can't resume earlier sessions";
}
