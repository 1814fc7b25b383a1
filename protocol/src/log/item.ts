import { z } from "zod";
import { ItemId } from "../ids.ts";
import { MAX_ITEM_TEXT, MAX_TITLE_CHARS, MAX_TOOL_BLOCKS, MAX_TOOL_TEXT } from "../limits.ts";

/** What an agent says and does, as items that grow until they are done. The whole item is sent at each change (L3). */
const base = {
  item_id: ItemId,
  started_at: z.number(),
  /** `open`: more is coming. `interrupted`: its execution ended under it; set by the session, never by the host. */
  status: z.enum(["open", "done", "interrupted"]),
};

export const ToolKind = z.enum([
  "read",
  "edit",
  "delete",
  "move",
  "search",
  "execute",
  "think",
  "fetch",
  "switch_mode",
  "other",
]);

export const ToolContent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string().max(MAX_TOOL_TEXT), truncated: z.boolean().optional() }),
  z.object({
    type: z.literal("diff"),
    path: z.string(),
    old_text: z.string().max(MAX_TOOL_TEXT).nullable(),
    new_text: z.string().max(MAX_TOOL_TEXT),
    truncated: z.boolean().optional(),
  }),
  z.object({ type: z.literal("terminal"), terminal_id: z.string(), output: z.string().max(MAX_TOOL_TEXT) }),
  z.object({ type: z.literal("media"), mime: z.string(), note: z.string() }),
]);
export type ToolContent = z.infer<typeof ToolContent>;

export const Item = z.discriminatedUnion("kind", [
  z.object({
    ...base,
    kind: z.literal("text"),
    /** Markdown, untrusted (S5). */
    text: z.string().max(MAX_ITEM_TEXT),
    truncated: z.boolean().optional(),
  }),
  z.object({
    ...base,
    kind: z.literal("thought"),
    text: z.string().max(MAX_ITEM_TEXT),
    truncated: z.boolean().optional(),
  }),
  z.object({
    ...base,
    kind: z.literal("tool_call"),
    tool_call_id: z.string(),
    title: z.string().max(MAX_TITLE_CHARS * 5),
    tool_kind: ToolKind,
    tool_status: z.enum(["pending", "in_progress", "completed", "failed"]),
    locations: z.array(z.object({ path: z.string(), line: z.number().int().nullable() })).max(50),
    content: z.array(ToolContent).max(MAX_TOOL_BLOCKS),
    /** The call's input as JSON text, cut to a readable size. */
    input: z.string().max(MAX_TOOL_TEXT).nullable(),
    ended_at: z.number().nullable(),
  }),
  z.object({
    ...base,
    kind: z.literal("plan"),
    entries: z
      .array(
        z.object({
          content: z.string().max(2_000),
          status: z.enum(["pending", "in_progress", "completed"]),
          priority: z.enum(["high", "medium", "low"]),
        }),
      )
      .max(200),
  }),
]);
export type Item = z.infer<typeof Item>;
export type ItemOf<K extends Item["kind"]> = Extract<Item, { kind: K }>;
