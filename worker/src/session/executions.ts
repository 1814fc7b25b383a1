import type { Effect } from "./core/event.ts";
import type { SessionCore } from "./core/state.ts";

/** What became of each execution, kept for good (design §3): a row each, written at its permit and at its end. */
export class ExecutionTable {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  createTable(): void {
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS executions (execution_id TEXT PRIMARY KEY, node_id TEXT, terminal TEXT, token TEXT,
        started_at INTEGER, ended_at INTEGER, end_reason TEXT, exit_code INTEGER, signal TEXT,
        last_event_type TEXT, last_event_at INTEGER) WITHOUT ROWID
    `);
  }

  /**
   * A table of before these columns gets them. What stands open in it and is not the session's present execution ended
   * without being noted then: it is back-filled with what the session knows.
   */
  upgrade(core: SessionCore): void {
    const columns = new Set(
      this.#sql
        .exec<{ name: string }>("SELECT name FROM pragma_table_info('executions')")
        .toArray()
        .map((c) => c.name),
    );
    if (columns.has("last_event_type")) return;
    for (const column of [
      "node_id TEXT",
      "terminal TEXT",
      "token TEXT",
      "last_event_type TEXT",
      "last_event_at INTEGER",
    ])
      this.#sql.exec(`ALTER TABLE executions ADD COLUMN ${column}`);
    this.#sql.exec("UPDATE executions SET node_id = ?", core.node_id);
    this.#sql.exec(
      `UPDATE executions SET ended_at = ?, end_reason = ?, exit_code = ?, last_event_type = ?, last_event_at = ?
       WHERE ended_at IS NULL AND execution_id = ?`,
      core.ended_at ?? core.since,
      core.end_reason ?? "interrupted",
      core.exit_code,
      core.last_event_type,
      core.last_event_at,
      core.execution === null ? core.last_execution_id : null,
    );
    this.#sql.exec(
      "UPDATE executions SET ended_at = started_at, end_reason = 'interrupted' WHERE ended_at IS NULL AND execution_id IS NOT ?",
      core.execution?.execution_id ?? null,
    );
  }

  /** Told again, it changes nothing but what it has come to be since. */
  save({ ended, ...e }: Extract<Effect, { type: "execution" }>): void {
    this.#sql.exec(
      `INSERT INTO executions (execution_id, node_id, terminal, token, started_at, ended_at, end_reason, exit_code, signal,
         last_event_type, last_event_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (execution_id) DO UPDATE SET ended_at = excluded.ended_at, end_reason = excluded.end_reason,
         exit_code = excluded.exit_code, signal = excluded.signal, last_event_type = excluded.last_event_type,
         last_event_at = excluded.last_event_at`,
      e.execution_id,
      e.node_id,
      e.terminal,
      e.token,
      e.started_at,
      ended?.at ?? null,
      ended?.end_reason ?? null,
      ended?.exit_code ?? null,
      ended?.signal ?? null,
      ended?.last_event_type ?? null,
      ended?.last_event_at ?? null,
    );
  }

  saveToken(executionId: string, token: string): void {
    this.#sql.exec("UPDATE executions SET token = ? WHERE execution_id = ?", token, executionId);
  }
}
