import type { Approval, Item, ItemOf, LogRow, RowBody } from "@reprise/protocol";

type Body<K extends RowBody["kind"]> = Extract<RowBody, { kind: K }>;
export type ToolItem = ItemOf<"tool_call">;

/** What the conversation shows, from top to bottom; `key` is stable while its rows grow. */
export type Block = { readonly key: string } & (
  | { readonly type: "prompt"; readonly turn: Body<"turn"> }
  | { readonly type: "text"; readonly item: ItemOf<"text"> }
  | { readonly type: "thought"; readonly item: ItemOf<"thought"> }
  | { readonly type: "tool"; readonly item: ToolItem }
  | { readonly type: "reads"; readonly items: readonly ToolItem[] }
  | { readonly type: "plan"; readonly item: ItemOf<"plan"> }
  | { readonly type: "approval"; readonly approval: Approval }
  | { readonly type: "turn_end"; readonly end: Body<"turn_end">; readonly took: number | null }
  | { readonly type: "execution_end"; readonly end: Body<"execution_end"> }
  | { readonly type: "resume_failed"; readonly end: Body<"execution_end"> }
  | { readonly type: "resumed"; readonly resumed: Body<"resumed"> }
  | { readonly type: "notice"; readonly notice: Body<"notice"> }
);

/**
 * The log's rows as blocks: consecutive reads fold into one, only the latest plan stands, prompts that wait are the
 * queue's and not the conversation's, and an end that another row already tells is told once.
 */
export function toBlocks(rows: readonly LogRow[]): Block[] {
  const lastPlan = rows.findLastIndex((row) => row.body.kind === "message" && row.body.item.kind === "plan");
  const turnStarts = new Map<string, number>();
  const blocks: Block[] = [];
  rows.forEach((row, index) => {
    const block = toBlock(row, index === lastPlan, turnStarts);
    if (block === null) return;
    const last = blocks.at(-1);
    const merged =
      last === undefined ? null : (foldReads(last, block) ?? mergeEnds(last, block) ?? failedResume(last, block));
    if (merged === null) blocks.push(block);
    else blocks[blocks.length - 1] = merged;
  });
  return blocks;
}

function toBlock(row: LogRow, isLastPlan: boolean, turnStarts: Map<string, number>): Block | null {
  const { body, id: key } = row;
  switch (body.kind) {
    case "message":
      return body.item.kind === "plan" && !isLastPlan ? null : itemBlock(key, body.item);
    case "prompt":
      return null;
    case "turn":
      turnStarts.set(body.turn_id, body.started_at);
      return { key, type: "prompt", turn: body };
    case "turn_end": {
      const started = turnStarts.get(body.turn_id);
      return { key, type: "turn_end", end: body, took: started === undefined ? null : body.ended_at - started };
    }
    case "permission":
      return { key, type: "approval", approval: body.approval };
    case "execution_end":
      return body.end_reason === "superseded" ? null : { key, type: "execution_end", end: body };
    case "resumed":
      return { key, type: "resumed", resumed: body };
    case "notice":
      return { key, type: "notice", notice: body };
  }
}

function itemBlock(key: string, item: Item): Block | null {
  switch (item.kind) {
    case "text":
      return item.text === "" ? null : { key, type: "text", item };
    case "thought":
      return item.text === "" ? null : { key, type: "thought", item };
    case "tool_call":
      return { key, type: "tool", item };
    case "plan":
      return item.entries.length === 0 ? null : { key, type: "plan", item };
  }
}

function isQuietRead(block: Block): block is Block & { type: "tool" } {
  return block.type === "tool" && block.item.tool_kind === "read" && block.item.tool_status !== "failed";
}

function foldReads(last: Block, next: Block): Block | null {
  if (!isQuietRead(next)) return null;
  if (last.type === "reads") return { ...last, items: [...last.items, next.item] };
  if (isQuietRead(last)) return { key: last.key, type: "reads", items: [last.item, next.item] };
  return null;
}

/** A turn that its agent's death cut off, and that death: one divider for both, which says why. */
function mergeEnds(last: Block, next: Block): Block | null {
  const [turn, execution] = last.type === "turn_end" ? [last, next] : [next, last];
  if (turn.type !== "turn_end" || execution.type !== "execution_end") return null;
  if (turn.end.outcome !== "interrupted" || execution.end.end_reason !== "interrupted") return null;
  return { ...turn, key: last.key, end: { ...turn.end, message: turn.end.message ?? howItEnded(execution.end) } };
}

/** A resume that brought nothing back was none: one divider, which says why, and never "Resumed". */
function failedResume(last: Block, next: Block): Block | null {
  if (last.type !== "resumed" || next.type !== "execution_end" || next.end.end_reason !== "failed") return null;
  return { key: last.key, type: "resume_failed", end: next.end };
}

/** How a process ended, in the words that came with it, or by its signal or exit code. */
export function howItEnded(end: Body<"execution_end">): string {
  if (end.message !== null) return end.message;
  if (end.signal !== null) return `the agent's process ended (${end.signal}).`;
  const code = end.exit_code === null || end.exit_code === 0 ? "" : ` (exit code ${end.exit_code})`;
  return `the agent's process ended${code}.`;
}

/** The plan as it stands now, for the line above the composer. */
export function currentPlan(rows: readonly LogRow[]): ItemOf<"plan"> | null {
  for (const { body } of rows.toReversed()) {
    if (body.kind === "message" && body.item.kind === "plan") return body.item;
  }
  return null;
}

/** Whether two blocks would be drawn alike, so that a page draws again only what changed. */
export function sameBlock(a: Block, b: Block): boolean {
  if (a.type === "reads" && b.type === "reads") {
    return a.items.length === b.items.length && a.items.every((item, index) => item === b.items[index]);
  }
  const left = Object.values(a);
  const right = Object.values(b);
  return a.key === b.key && a.type === b.type && left.every((value, index) => value === right[index]);
}
