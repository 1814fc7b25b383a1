import { type EventsPage, LogRow, type PromptBlocks, type RowBody, rowId } from "@reprise/protocol";
import type { Effect } from "./core/event.ts";
import { SessionCore } from "./core/state.ts";
import { ExecutionTable } from "./executions.ts";

/** A viewer that missed more than this gets a snapshot instead of a catch-up (L2). */
export const MAX_CATCHUP_ROWS = 2_000;
/** The same for one that is large: an object has 128 MB for all that it does. */
const MAX_CATCHUP_CHARS = 8 * 1024 * 1024;
/** The rows of one page or frame: a frame may have 1 MiB, and a single row may have half of that. */
export const MAX_PAGE_CHARS = 512 * 1024;

const UNKNOWN: PromptBlocks = [{ type: "text", text: "(unknown prompt)" }];
/** What a person types at a terminal agent is between the two. */
const TYPED: PromptBlocks = [{ type: "text", text: "(typed in the terminal)" }];

/** A session's SQLite: its state in one row, its log, its executions. Everything here is synchronous, so one step is one transaction. */
export class SessionStore {
  readonly #sql: SqlStorage;
  readonly #executions: ExecutionTable;
  #seq = 0;
  #pos = 0;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.#executions = new ExecutionTable(sql);
  }

  /** @returns null for a session that was never created here: reading it creates nothing (T2). */
  load(): { core: SessionCore; projected: number } | null {
    const tables = this.#sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'core'").toArray();
    if (tables.length === 0) return null;
    const row = this.#sql.exec<{ state: string; projected: number }>("SELECT state, projected FROM core").toArray()[0];
    if (!row) return null;
    const top = this.#sql
      .exec<{ seq: number; pos: number }>("SELECT coalesce(max(seq), 0) AS seq, coalesce(max(pos), 0) AS pos FROM log")
      .one();
    this.#seq = top.seq;
    this.#pos = top.pos;
    const core = SessionCore.parse(JSON.parse(row.state));
    this.#executions.upgrade(core);
    return { core, projected: row.projected };
  }

  createTables(): void {
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS core (id INTEGER PRIMARY KEY CHECK (id = 1), state TEXT NOT NULL, projected INTEGER NOT NULL);
      CREATE TABLE IF NOT EXISTS log (pos INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, seq INTEGER NOT NULL, execution_id TEXT, body TEXT NOT NULL);
      CREATE INDEX IF NOT EXISTS log_seq ON log (seq);
    `);
    this.#executions.createTable();
  }

  saveCore(core: SessionCore): void {
    this.#sql.exec(
      "INSERT INTO core (id, state, projected) VALUES (1, ?, 0) ON CONFLICT (id) DO UPDATE SET state = excluded.state",
      JSON.stringify(core),
    );
  }

  saveProjected(version: number): void {
    this.#sql.exec("UPDATE core SET projected = ?", version);
  }

  get cursor(): number {
    return this.#seq;
  }

  /** Carry out what of an effect is stored. @returns the row as it is now and whether it is new; null where none changed. */
  apply(effect: Effect): { row: LogRow; added: boolean } | null {
    switch (effect.type) {
      case "row.put":
        return this.#put(effect.id, effect.execution_id, effect.body);
      case "row.turn": {
        const blocks = effect.prompt_id === null ? TYPED : this.blocksOf(effect.prompt_id);
        return this.#put(rowId.turn(effect.turn_id), effect.execution_id, {
          kind: "turn",
          turn_id: effect.turn_id,
          prompt_id: effect.prompt_id,
          blocks: blocks ?? UNKNOWN,
          started_at: effect.started_at,
        });
      }
      case "row.prompt":
        return this.#change(rowId.prompt(effect.prompt_id), (body) =>
          body.kind === "prompt"
            ? {
                ...body,
                state: effect.state,
                note: effect.note,
                outcome: effect.outcome ?? body.outcome,
                blocks: effect.blocks ?? body.blocks,
              }
            : body,
        );
      case "row.prompt_again":
        return this.#put(rowId.prompt(effect.as), null, {
          kind: "prompt",
          prompt_id: effect.as,
          blocks: this.blocksOf(effect.prompt_id) ?? UNKNOWN,
          state: "queued",
          outcome: null,
          created_at: effect.created_at,
          note: null,
        });
      case "row.approval":
        return this.#change(rowId.permission(effect.execution_id, effect.request_id), (body) =>
          body.kind === "permission"
            ? {
                ...body,
                approval: {
                  ...body.approval,
                  state: effect.state,
                  option_id: effect.option_id,
                  settled_at: effect.state === "answering" ? null : effect.at,
                },
              }
            : body,
        );
      case "row.item_interrupted":
        return this.#change(effect.id, (body) =>
          body.kind === "message" ? { ...body, item: { ...body.item, status: "interrupted" } } : body,
        );
      case "execution":
        this.#executions.save(effect);
        return null;
      case "execution.token":
        this.#executions.saveToken(effect.execution_id, effect.token);
        return null;
      case "send":
      case "send.prompt":
      case "warn":
        return null;
    }
  }

  blocksOf(promptId: string): PromptBlocks | null {
    const body = this.row(rowId.prompt(promptId))?.body;
    return body?.kind === "prompt" ? body.blocks : null;
  }

  row(id: string): LogRow | null {
    const raw = this.#sql.exec<RawRow>("SELECT * FROM log WHERE id = ?", id).toArray()[0];
    return raw ? parseRow(raw) : null;
  }

  /** Everything that changed above a cursor, in the order of change. null: more than a catch-up may hold. */
  since(cursor: number): LogRow[] | null {
    const changed = this.#sql.exec<RawRow>("SELECT * FROM log WHERE seq > ? ORDER BY seq", cursor);
    const { raw, more } = upTo(changed, MAX_CATCHUP_ROWS, MAX_CATCHUP_CHARS);
    return more ? null : raw.map(parseRow);
  }

  /** The newest rows, or those before a place, as many as a frame can hold. `from_pos` 0: nothing older is left. */
  page(logId: string, before: number | undefined, limit: number): EventsPage {
    const newest = this.#sql.exec<RawRow>(
      "SELECT * FROM log WHERE pos < ? ORDER BY pos DESC",
      before ?? Number.MAX_SAFE_INTEGER,
    );
    const { raw, more } = upTo(newest, limit, MAX_PAGE_CHARS);
    const rows = raw.reverse().map(parseRow);
    return { log_id: logId, cursor: this.#seq, from_pos: more ? (rows[0]?.pos ?? 0) : 0, rows };
  }

  #put(id: string, execution_id: string | null, body: RowBody): { row: LogRow; added: boolean } {
    const known = this.#sql.exec<{ pos: number }>("SELECT pos FROM log WHERE id = ?", id).toArray()[0];
    const row: LogRow = { id, pos: known?.pos ?? ++this.#pos, seq: ++this.#seq, execution_id, body };
    this.#sql.exec(
      "INSERT INTO log (pos, id, seq, execution_id, body) VALUES (?, ?, ?, ?, ?) ON CONFLICT (pos) DO UPDATE SET seq = excluded.seq, body = excluded.body",
      row.pos,
      id,
      row.seq,
      execution_id,
      JSON.stringify(body),
    );
    return { row, added: !known };
  }

  #change(id: string, change: (body: RowBody) => RowBody): { row: LogRow; added: boolean } | null {
    const known = this.row(id);
    return known ? this.#put(id, known.execution_id, change(known.body)) : null;
  }
}

type RawRow = { pos: number; id: string; seq: number; execution_id: string | null; body: string };

function parseRow(raw: RawRow): LogRow {
  return LogRow.parse({ ...raw, body: JSON.parse(raw.body) });
}

/** The first rows of a query, within both limits, but one at least; the rest is not read. */
function upTo(rows: Iterable<RawRow>, most: number, chars: number): { raw: RawRow[]; more: boolean } {
  const raw: RawRow[] = [];
  let size = 0;
  for (const row of rows) {
    size += row.body.length;
    if (raw.length === most || (raw.length > 0 && size > chars)) return { raw, more: true };
    raw.push(row);
  }
  return { raw, more: false };
}
