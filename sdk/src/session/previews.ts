import { type LogCopy, type LogRow, rowId, type ViewerDown } from "@reprise/protocol";
import type { Preview } from "./state.ts";

type PreviewFrame = Extract<ViewerDown, { type: "session.preview" }>;
type Previews = ReadonlyMap<string, Preview>;

/** The text of an item in the log, while it still grows. */
function openText(row: LogRow | undefined): string | null {
  if (row?.body.kind !== "message" || row.body.item.status !== "open") return null;
  const { item } = row.body;
  return item.kind === "text" || item.kind === "thought" ? item.text : null;
}

/**
 * Take in a stretch (L3). It continues the longer of the preview and the checkpoint in the log; what begins beyond
 * both leaves a gap, for which the whole item is asked once.
 * @returns the same map when nothing changed
 */
export function foldPreview(
  previews: Previews,
  log: LogCopy | null,
  frame: PreviewFrame,
): { previews: Previews; gap: boolean } {
  const id = rowId.message(frame.execution_id, frame.item_id);
  const row = log?.rows.get(id);
  const checkpoint = openText(row);
  // A straggler of an item that is finished: the log has it whole.
  if (row && checkpoint === null) return { previews, gap: false };
  const known = previews.get(id);
  const told = known?.text ?? "";
  const text = checkpoint !== null && checkpoint.length > told.length ? checkpoint : told;
  const { execution_id, turn_id, item_id, kind } = frame;
  const entry = { execution_id, turn_id, item_id, kind };
  if (frame.offset > text.length) {
    if (known?.asked) return { previews, gap: false };
    return { previews: new Map(previews).set(id, { ...entry, text, asked: true }), gap: true };
  }
  if (frame.offset + frame.text.length <= text.length && known) {
    // Nothing new in it; but an answer to what was asked may be just that.
    if (!known.asked || frame.offset > 0) return { previews, gap: false };
    return { previews: new Map(previews).set(id, { ...known, asked: false }), gap: false };
  }
  const end = frame.offset + frame.text.length;
  const next = end > text.length ? text.slice(0, frame.offset) + frame.text : text;
  const asked = (known?.asked ?? false) && frame.offset > 0;
  return { previews: new Map(previews).set(id, { ...entry, text: next, asked }), gap: false };
}

/** Forget previews that the log has overtaken: finished items, and all of an execution that ended. */
export function settlePreviews(previews: Previews, changed: readonly LogRow[], log: LogCopy): Previews {
  if (previews.size === 0) return previews;
  const kept = new Map(previews);
  for (const row of changed) {
    const now = log.rows.get(row.id) ?? row;
    if (now.body.kind === "message" && kept.has(row.id)) {
      if (openText(now) === null) kept.delete(row.id);
    } else if (now.body.kind === "execution_end") {
      for (const [id, preview] of kept) if (preview.execution_id === now.execution_id) kept.delete(id);
    }
  }
  return kept.size === previews.size ? previews : kept;
}

/** After a snapshot: only items that the log says still grow; what else there is comes again whole. */
export function keepOpenPreviews(previews: Previews, log: LogCopy): Previews {
  return new Map(
    [...previews].filter(([id]) => openText(log.rows.get(id)) !== null).map(([id, p]) => [id, { ...p, asked: false }]),
  );
}
