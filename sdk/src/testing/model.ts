import { type LogRow, rowFrameType, rowId, type SessionStatus, type ViewerDown } from "@reprise/protocol";

export const SESSION = "ses_00000000000000000000";
export const TASK = "tsk_00000000000000000000";
export const EXECUTION = "exe_00000000000000000000";
export const about = { session_id: SESSION, task_id: TASK };

export function status(version: number, over: Partial<SessionStatus> = {}): SessionStatus {
  return {
    ...about,
    version,
    title: "A session",
    created_at: 1,
    state: "RUNNING",
    since: 1,
    end_reason: null,
    ended_at: null,
    agent_profile_id: "prf_00000000000000000000",
    agent_kind: "claude-code",
    agent_name: "Claude Code",
    auto_resume: "interrupted",
    executor_status: "ready",
    executor_type: "local_standalone",
    runtime: "standalone",
    agent_execution_id: EXECUTION,
    is_agent_running: true,
    is_resumable: false,
    needs_resume: false,
    resume_reason: "agent_running",
    requires_new_session: false,
    supports_session_resume: true,
    supports_workspace_only: true,
    node: { id: "nod_00000000000000000000", name: "mini", kind: "local", presence: "online", since: 1, reason: null },
    attempt: 0,
    max_attempts: 0,
    retry_at: null,
    turn: null,
    pending_approvals: 0,
    queued_prompts: 0,
    queue_held: false,
    stop_requested_at: null,
    workspace_path: "/w",
    worktree_path: null,
    worktree_branch: null,
    unverified: false,
    dismissed: false,
    prompted: true,
    error_code: null,
    error_message: null,
    attached: true,
    exit_code: null,
    last_line: null,
    last_event_at: null,
    archived_at: null,
    as_of: 1,
    ...over,
  };
}

export function textRow(item: string, pos: number, seq: number, text: string, state: "open" | "done"): LogRow {
  return {
    id: rowId.message(EXECUTION, item),
    pos,
    seq,
    execution_id: EXECUTION,
    body: {
      kind: "message",
      turn_id: null,
      item: { item_id: item, started_at: 1, status: state, kind: "text", text },
    },
  };
}

export function preview(item: string, offset: number, text: string): ViewerDown {
  const frame = { execution_id: EXECUTION, turn_id: null, item_id: item, kind: "text", offset, text } as const;
  return { type: "session.preview", ...about, ...frame };
}

export function rowFrame(row: LogRow, added: boolean): ViewerDown {
  return { type: rowFrameType(row, added), ...about, seq: row.seq, row };
}

/** A session's log as the server keeps it: rows by id, a change keeps `pos` and takes a new `seq`. */
export class ModelLog {
  log_id = "log_0001";
  seq = 0;
  rows = new Map<string, LogRow>();

  write(item: number, done: boolean): { row: LogRow; added: boolean } {
    const id = `itm_${item}`;
    const known = this.rows.get(rowId.message(EXECUTION, id));
    this.seq += 1;
    const row = textRow(id, known?.pos ?? this.rows.size + 1, this.seq, `text ${this.seq}`, done ? "done" : "open");
    this.rows.set(row.id, row);
    return { row, added: known === undefined };
  }

  above(seq: number): LogRow[] {
    return [...this.rows.values()].filter((row) => row.seq > seq).sort((a, b) => a.seq - b.seq);
  }

  snapshot(why: "first" | "slow", newest: number): Extract<ViewerDown, { type: "session.snapshot" }> {
    const all = [...this.rows.values()].sort((a, b) => a.pos - b.pos);
    const rows = all.slice(-newest);
    const from_pos = rows.length === all.length ? 0 : (rows[0]?.pos ?? 0);
    const { log_id, seq } = this;
    return { type: "session.snapshot", ...about, log_id, cursor: seq, from_pos, why, rows, status: status(seq) };
  }

  /** The catch-up from a cursor, in pieces of so many rows. */
  catchup(since: number, piece: number): ViewerDown[] {
    const rows = this.above(since);
    const frames: ViewerDown[] = [];
    for (let i = 0; i < rows.length || i === 0; i += piece) {
      const part = rows.slice(i, i + piece);
      const live = i + piece >= rows.length;
      const cursor = live ? this.seq : (part.at(-1)?.seq ?? since);
      const { log_id } = this;
      frames.push({ type: "session.catchup", ...about, log_id, cursor, rows: part, live, status: status(this.seq) });
    }
    return frames;
  }

  older(before: number, limit: number) {
    const rows = [...this.rows.values()].filter((row) => row.pos < before).sort((a, b) => b.pos - a.pos);
    const page = rows.slice(0, limit);
    const from_pos = page.length === rows.length ? 0 : (page.at(-1)?.pos ?? 0);
    return { log_id: this.log_id, cursor: this.seq, from_pos, rows: page };
  }
}
