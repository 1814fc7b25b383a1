import { AGENT_TERMINAL } from "@reprise/protocol";
import type { Effect, ExecutionEnd } from "./event.ts";
import type { SessionCore } from "./state.ts";

/** What is kept of an execution for good (design §3). */
export function executionRow(
  s: SessionCore,
  e: NonNullable<SessionCore["execution"]>,
  ended: ExecutionEnd | null,
): Extract<Effect, { type: "execution" }> {
  return {
    type: "execution",
    execution_id: e.execution_id,
    node_id: s.node_id,
    terminal: terminalOf(s),
    // Another conversation's is noted once it has been claimed.
    token: e.how === "resume" ? s.resume_token : null,
    started_at: e.started_at,
    ended,
  };
}

/** The terminal that the session's agent runs in; null where it has none. */
export function terminalOf(s: Pick<SessionCore, "spec">): string | null {
  return s.spec.driver === "terminal" ? AGENT_TERMINAL : null;
}
