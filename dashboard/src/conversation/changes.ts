import type { LogRow, ToolContent } from "@reprise/protocol";
import { type LineStat, lineStat } from "./tool-line.ts";

type Diff = Extract<ToolContent, { type: "diff" }>;

/** What a session's agent did to one file, edit after edit. */
export interface FileChange {
  readonly path: string;
  readonly edits: readonly Diff[];
  readonly stat: LineStat;
}

/** The edits that the log tells of, by file, in the order in which the files were first touched. */
export function fileChanges(rows: readonly LogRow[]): FileChange[] {
  const files = new Map<string, FileChange>();
  for (const row of rows) {
    if (row.body.kind !== "message" || row.body.item.kind !== "tool_call") continue;
    if (row.body.item.tool_status !== "completed") continue;
    for (const content of row.body.item.content) {
      if (content.type !== "diff") continue;
      const before = files.get(content.path);
      const stat = lineStat(content.old_text, content.new_text);
      files.set(content.path, {
        path: content.path,
        edits: [...(before?.edits ?? []), content],
        stat: {
          added: (before?.stat.added ?? 0) + stat.added,
          removed: (before?.stat.removed ?? 0) + stat.removed,
        },
      });
    }
  }
  return [...files.values()];
}
