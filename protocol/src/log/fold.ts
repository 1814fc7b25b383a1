import type { LogRow } from "./row.ts";

/** A viewer's copy of a log: what it has up to its cursor (L2). */
export interface LogCopy {
  log_id: string;
  /** The highest `seq` that is in `rows`. */
  cursor: number;
  /** Places below this one are not in the copy: older history, fetched on demand. 0: all is here. */
  from_pos: number;
  rows: ReadonlyMap<string, LogRow>;
}

export function emptyCopy(logId: string): LogCopy {
  return { log_id: logId, cursor: 0, from_pos: 0, rows: new Map() };
}

/**
 * Fold changed rows into a copy: each by its id, an older `seq` never over a newer one, so that a change told twice or
 * late is harmless.
 */
export function foldRows(copy: LogCopy, changed: readonly LogRow[], cursor: number): LogCopy {
  const rows = new Map(copy.rows);
  for (const row of changed) {
    const known = rows.get(row.id);
    if (!known || known.seq < row.seq) rows.set(row.id, row);
  }
  return { ...copy, rows, cursor: Math.max(copy.cursor, cursor) };
}

/** The rows in their places. */
export function inOrder(copy: LogCopy): LogRow[] {
  return [...copy.rows.values()].sort((a, b) => a.pos - b.pos);
}
