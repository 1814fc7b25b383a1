import { type LogRow, rowFrameType, rowId, type SessionStatus, type ViewerDown } from "@reprise/protocol";
import { RUNNING, statusOf } from "@reprise/protocol/testing";

export const SESSION = "ses_00000000000000000000";
export const TASK = "tsk_00000000000000000000";
export const EXECUTION = "exe_00000000000000000000";
export const about = { session_id: SESSION, task_id: TASK };

export function status(version: number, over: Partial<SessionStatus> = {}): SessionStatus {
  return {
    ...statusOf(RUNNING),
    ...about,
    version,
    agent_execution_id: EXECUTION,
    attached: true,
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
