import { type LogRow, type RowBody, rowId, type SessionStatus, type Task } from "@reprise/protocol";
import { statusOf } from "@reprise/protocol/testing";

/** For tests: a session of Claude Code on mini that waits for its person. */
export function status(part: Partial<SessionStatus> = {}): SessionStatus {
  return {
    ...statusOf(),
    version: 1,
    state: "WAITING_FOR_INPUT",
    since: 1_000,
    end_reason: null,
    ended_at: null,
    agent_execution_id: "exe_000001",
    is_agent_running: true,
    needs_resume: false,
    resume_reason: "agent_running",
    max_attempts: 5,
    as_of: 5_000,
    ...part,
  };
}

/** One that was interrupted and can be resumed. */
export function interrupted(part: Partial<SessionStatus> = {}): SessionStatus {
  return status({
    state: "ERROR",
    end_reason: "interrupted",
    ended_at: 1_000,
    is_agent_running: false,
    needs_resume: true,
    resume_reason: "agent_not_running",
    ...part,
  });
}

export function task(part: Partial<Task> = {}): Task {
  return {
    id: "tsk_000001",
    title: "Fix the test",
    state: "REVIEW",
    created_at: 0,
    updated_at: 0,
    archived_at: null,
    session_ids: [],
    ...part,
  };
}

type Item = Extract<RowBody, { kind: "message" }>["item"];
type Tool = Extract<Item, { kind: "tool_call" }>;

/** Rows in their order, each with the next place. */
export function rowsOf(...bodies: readonly RowBody[]): LogRow[] {
  return bodies.map((body, index) => ({
    id: body.kind === "message" ? rowId.message("exe_000001", body.item.item_id) : `${body.kind}:${index}`,
    pos: index + 1,
    seq: index + 1,
    execution_id: "exe_000001",
    body,
  }));
}

export function message(item: Item): RowBody {
  return { kind: "message", turn_id: "trn_000001", item };
}

export function text(id: string, words: string): Item {
  return { kind: "text", item_id: id, started_at: 0, status: "done", text: words };
}

export function tool(id: string, part: Partial<Tool> = {}): Tool {
  return {
    kind: "tool_call",
    item_id: id,
    started_at: 0,
    status: "done",
    tool_call_id: id,
    title: id,
    tool_kind: "read",
    tool_status: "completed",
    locations: [],
    content: [],
    input: null,
    ended_at: 400,
    ...part,
  };
}
