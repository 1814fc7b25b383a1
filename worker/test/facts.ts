import type { SessionFacts } from "@reprise/protocol";
import { FACTS } from "@reprise/protocol/testing";

/** A session's facts as its object would tell them, with what a test is about changed. */
export function factsOf(session_id: string, change: Partial<SessionFacts> = {}): SessionFacts {
  return {
    ...FACTS,
    session_id,
    task_id: "tsk_aaaa",
    version: 1,
    title: "Fix it",
    created_at: 1,
    state: "WAITING_FOR_INPUT",
    since: 1,
    end_reason: null,
    ended_at: null,
    agent_profile_id: "prf_claudecode",
    node_id: "nod_aaaa",
    workspace_path: "/x",
    last_execution_id: "exe_aaaa",
    resume_token: "token-1",
    last_event_at: 1,
    ...change,
  };
}
