import { type LogRow, rowId } from "@reprise/protocol";
import type { Preview, SessionCopy } from "./state.ts";

/** A row as it is to be shown: a growing item with the newest of its text. */
export type ViewRow = LogRow & { preview?: true };

/**
 * The conversation in order: the log's rows from `from_pos` on, growing items with their preview, and last the items
 * that are not in the log yet.
 */
export function conversation(state: SessionCopy): { rows: ViewRow[]; upcoming: Preview[] } {
  const { log } = state;
  if (log === null) return { rows: [], upcoming: [...state.previews.values()] };
  const rows: ViewRow[] = [];
  // A change to a row of older history may be in the copy before the history around it is.
  for (const row of log.rows.values()) if (row.pos >= log.from_pos) rows.push(withPreview(row, state.previews));
  rows.sort((a, b) => a.pos - b.pos);
  const upcoming = [...state.previews.values()].filter((p) => !log.rows.has(rowId.message(p.execution_id, p.item_id)));
  return { rows, upcoming };
}

function withPreview(row: LogRow, previews: SessionCopy["previews"]): ViewRow {
  const preview = previews.get(row.id);
  if (!preview || row.body.kind !== "message") return row;
  const { item } = row.body;
  if ((item.kind !== "text" && item.kind !== "thought") || item.text.length >= preview.text.length) return row;
  return { ...row, preview: true, body: { ...row.body, item: { ...item, text: preview.text } } };
}
