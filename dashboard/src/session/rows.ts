import { type LogRow, rowId } from "@reprise/protocol";
import { conversation, type Preview, type SessionCopy } from "@reprise/sdk";

/** The rows of a session as they read now: growing items with their newest text, those without a row yet at the end. */
export function rowsNow(copy: SessionCopy): readonly LogRow[] {
  const { rows, upcoming } = conversation(copy);
  if (upcoming.length === 0) return rows;
  const last = rows.at(-1)?.pos ?? 0;
  const at = copy.status?.as_of ?? 0;
  return [...rows, ...upcoming.map((preview, index) => upcomingRow(preview, last + 1 + index, at))];
}

function upcomingRow(preview: Preview, pos: number, at: number): LogRow {
  const { execution_id, item_id, turn_id, kind, text } = preview;
  return {
    id: rowId.message(execution_id, item_id),
    pos,
    seq: 1,
    execution_id,
    body: { kind: "message", turn_id, item: { item_id, kind, text, started_at: at, status: "open" } },
  };
}
