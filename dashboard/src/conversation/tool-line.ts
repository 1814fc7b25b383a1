import { diffLines } from "diff";
import type { ToolItem } from "./blocks.ts";

/** A tool call in one line: what was done, to what, and with which result. */
export interface ToolLine {
  readonly verb: string;
  readonly object: string;
  /** Whether the object is a path or a command, which read best in mono. */
  readonly mono: boolean;
  readonly result: string | null;
  readonly failed: boolean;
}

const VERBS: Record<ToolItem["tool_kind"], readonly [ahead: string, doing: string, done: string]> = {
  read: ["Read", "Reading", "Read"],
  edit: ["Edit", "Editing", "Edited"],
  delete: ["Delete", "Deleting", "Deleted"],
  move: ["Move", "Moving", "Moved"],
  search: ["Search", "Searching", "Searched"],
  execute: ["Run", "Running", "Ran"],
  think: ["Think", "Thinking", "Thought"],
  fetch: ["Fetch", "Fetching", "Fetched"],
  switch_mode: ["Switch mode", "Switching mode", "Switched mode"],
  other: ["Use", "Using", "Used"],
};

/** Where a call is: asked for and not begun (it may wait for its approval), running, or over. */
export type ToolPhase = "ahead" | "running" | "over";

export function toolPhase(item: ToolItem): ToolPhase {
  if (item.status !== "open" || item.tool_status === "completed" || item.tool_status === "failed") return "over";
  return item.tool_status === "pending" ? "ahead" : "running";
}

/** Words at a title's beginning that the verb says already. */
const TITLE_VERB = /^(read|edit|write|delete|move|search|find|grep|run|execute|fetch)(ing)?\s+/i;

/** @param cwd the session's folder: paths inside it are shown relative to it. */
export function toolLine(item: ToolItem, cwd: string | null): ToolLine {
  const [ahead, doing, done] = VERBS[item.tool_kind];
  const verb = { ahead, running: doing, over: item.status === "interrupted" ? ahead : done }[toolPhase(item)];
  const path = item.locations[0]?.path ?? item.content.find((content) => content.type === "diff")?.path;
  const byPath = path !== undefined && ["read", "edit", "delete", "move"].includes(item.tool_kind);
  const title = item.title.replaceAll("`", "").trim();
  const failed = item.tool_status === "failed";
  return {
    verb,
    object: byPath ? relativePath(path, cwd) : item.tool_kind === "execute" ? title : title.replace(TITLE_VERB, ""),
    mono: byPath || item.tool_kind === "execute",
    result: failed ? (firstLine(item) ?? "failed") : null,
    failed,
  };
}

/** A path as seen from the session's folder. */
export function relativePath(path: string, cwd: string | null): string {
  if (cwd === null) return path;
  const base = cwd.endsWith("/") ? cwd : `${cwd}/`;
  return path.startsWith(base) ? path.slice(base.length) : path;
}

function firstLine(item: ToolItem): string | null {
  for (const content of item.content) {
    if (content.type !== "text") continue;
    const line = content.text
      .split("\n")
      .map((each) => each.replace(/^`+\w*/, "").trim())
      .find((each) => each !== "");
    if (line !== undefined) return line;
  }
  return null;
}

export interface LineStat {
  readonly added: number;
  readonly removed: number;
}

/** How many lines a change added and removed. */
export function lineStat(oldText: string | null, newText: string): LineStat {
  const stat = { added: 0, removed: 0 };
  for (const part of diffLines(oldText ?? "", newText)) {
    if (part.added) stat.added += part.count;
    else if (part.removed) stat.removed += part.count;
  }
  return stat;
}

/** The sum over all the diffs of a call; null where it has none. */
export function toolStat(item: ToolItem): LineStat | null {
  const stats = item.content.flatMap((content) =>
    content.type === "diff" ? [lineStat(content.old_text, content.new_text)] : [],
  );
  if (stats.length === 0) return null;
  return stats.reduce((sum, stat) => ({ added: sum.added + stat.added, removed: sum.removed + stat.removed }));
}
