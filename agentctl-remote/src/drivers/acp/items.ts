import { type Item, type ItemOf, MAX_ITEM_TEXT, MAX_TOOL_BLOCKS } from "@reprise/protocol";
import { CHECKPOINT_MS, KNOWN_TOOL_CALLS, PREVIEW_MS, TOOL_UPSERT_MS } from "../../limits.ts";
import type { Preview } from "../driver.ts";
import { asText, cut, inputText, sized, toolContent, toolTitle } from "./content.ts";
import type { ItemUpdate, ToolFields } from "./updates.ts";

type Stream = ItemOf<"text" | "thought">;

interface OpenStream {
  item: Stream;
  message_id: string | null;
  /** Previewed up to here. */
  previewed: number;
  preview_at: number;
  /** Checkpointed up to here. */
  saved: number;
  saved_at: number;
}

interface KnownTool {
  item: ItemOf<"tool_call">;
  turn: number;
  dirty: boolean;
  written_at: number;
}

export interface ItemSink {
  item: (item: Item) => void;
  preview: (preview: Preview) => void;
}

/**
 * Makes items out of an agent's updates (L3): chunks grow into one text until something else begins, tool calls and
 * the plan are upserted whole. It has no clock of its own: `tick` it when `due` says so.
 */
export class ItemBook {
  private readonly sink: ItemSink;
  private count = 0;
  private turn = 0;
  private watched = false;
  private stream: OpenStream | null = null;
  private plan: ItemOf<"plan"> | null = null;
  private readonly tools = new Map<string, KnownTool>();

  constructor(sink: ItemSink) {
    this.sink = sink;
  }

  update(update: ItemUpdate, now: number): void {
    switch (update.sessionUpdate) {
      case "agent_message_chunk":
        this.chunk("text", asText(update.content), update.messageId ?? null, now);
        break;
      case "agent_thought_chunk":
        this.chunk("thought", asText(update.content), update.messageId ?? null, now);
        break;
      // The person's words are known: they came from there.
      case "user_message_chunk":
        break;
      case "tool_call":
      case "tool_call_update":
        this.tool(update, update.sessionUpdate === "tool_call", now);
        break;
      case "plan":
        this.planned(update.entries, now);
    }
  }

  /** Nothing more comes to what is open. */
  endTurn(now: number): void {
    this.closeStream();
    for (const known of this.tools.values()) {
      if (known.item.status !== "open") continue;
      known.item = { ...known.item, status: "done", ended_at: now };
      this.writeTool(known, now);
    }
    if (this.plan) this.sink.item({ ...this.plan, status: "done" });
    this.plan = null;
    this.turn += 1;
    for (const id of this.tools.keys()) {
      if (this.tools.size <= KNOWN_TOOL_CALLS) break;
      this.tools.delete(id);
    }
  }

  /** The agent is gone: what is open is written as far as it came; the session calls it interrupted. */
  flush(now: number): void {
    if (this.stream) this.save(this.stream, now);
    for (const known of this.tools.values()) if (known.dirty) this.writeTool(known, now);
  }

  watch(on: boolean): void {
    // A new look begins with a whole item, for its viewer has nothing of it.
    if (on && !this.watched && this.stream) this.stream.previewed = 0;
    this.watched = on;
  }

  whole(itemId: string, now: number): void {
    if (this.stream?.item.item_id !== itemId) return;
    this.stream.previewed = 0;
    this.sendPreview(this.stream, now);
  }

  /** When `tick` has something to do; null while there is nothing. */
  due(): number | null {
    const times: number[] = [];
    const { stream } = this;
    if (stream && this.watched && stream.previewed < stream.item.text.length)
      times.push(stream.preview_at + PREVIEW_MS);
    if (stream && stream.saved < stream.item.text.length) times.push(stream.saved_at + CHECKPOINT_MS);
    for (const known of this.tools.values()) if (known.dirty) times.push(known.written_at + TOOL_UPSERT_MS);
    return times.length > 0 ? Math.min(...times) : null;
  }

  tick(now: number): void {
    const { stream } = this;
    if (stream && this.watched && stream.previewed < stream.item.text.length && now >= stream.preview_at + PREVIEW_MS)
      this.sendPreview(stream, now);
    if (stream && stream.saved < stream.item.text.length && now >= stream.saved_at + CHECKPOINT_MS)
      this.save(stream, now);
    for (const known of this.tools.values())
      if (known.dirty && now >= known.written_at + TOOL_UPSERT_MS) this.writeTool(known, now);
  }

  private newId(): string {
    this.count += 1;
    return `i${this.count}`;
  }

  private chunk(kind: Stream["kind"], text: string, messageId: string | null, now: number): void {
    if (text === "") return;
    const open = this.stream;
    const same =
      open?.item.kind === kind && (open.message_id === messageId || messageId === null || open.message_id === null);
    if (!same) this.closeStream();
    const stream: OpenStream = this.stream ?? {
      item: { kind, item_id: this.newId(), started_at: now, status: "open", text: "" },
      message_id: messageId,
      previewed: 0,
      preview_at: 0,
      saved: 0,
      saved_at: now,
    };
    this.stream = stream;
    stream.message_id ??= messageId;
    if (stream.item.truncated) return;
    const whole = stream.item.text + text;
    stream.item =
      whole.length > MAX_ITEM_TEXT
        ? { ...stream.item, text: cut(whole, MAX_ITEM_TEXT), truncated: true }
        : { ...stream.item, text: whole };
    this.tick(now);
  }

  private sendPreview(stream: OpenStream, now: number): void {
    const { item_id, kind, text } = stream.item;
    this.sink.preview({ item_id, kind, offset: stream.previewed, text: text.slice(stream.previewed) });
    stream.previewed = text.length;
    stream.preview_at = now;
  }

  private save(stream: OpenStream, now: number): void {
    if (stream.saved === stream.item.text.length) return;
    this.sink.item(sized(stream.item));
    stream.saved = stream.item.text.length;
    stream.saved_at = now;
  }

  private closeStream(): void {
    const { stream } = this;
    if (!stream) return;
    this.stream = null;
    this.sink.item(sized({ ...stream.item, status: "done" }));
  }

  private tool(fields: ToolFields, begins: boolean, now: number): void {
    const known = this.tools.get(fields.toolCallId);
    // Some agents count their calls anew in each turn: the same id is then another call.
    const fresh = !known || (begins && known.turn !== this.turn);
    if (fresh) this.closeStream();
    const before = fresh ? this.newTool(fields.toolCallId, now) : known.item;
    const item = merged(before, fields, now);
    const next: KnownTool = {
      item,
      turn: known && !fresh ? known.turn : this.turn,
      dirty: true,
      written_at: known?.written_at ?? 0,
    };
    this.tools.delete(fields.toolCallId);
    this.tools.set(fields.toolCallId, next);
    const urgent = fresh || before.tool_status !== item.tool_status;
    if (urgent || now >= next.written_at + TOOL_UPSERT_MS) this.writeTool(next, now);
  }

  private newTool(toolCallId: string, now: number): ItemOf<"tool_call"> {
    return {
      kind: "tool_call",
      item_id: this.newId(),
      started_at: now,
      status: "open",
      tool_call_id: toolCallId,
      title: "",
      tool_kind: "other",
      tool_status: "pending",
      locations: [],
      content: [],
      input: null,
      ended_at: null,
    };
  }

  private writeTool(known: KnownTool, now: number): void {
    known.dirty = false;
    known.written_at = now;
    this.sink.item(sized(known.item));
  }

  private planned(entries: Extract<ItemUpdate, { sessionUpdate: "plan" }>["entries"], now: number): void {
    // What was being said stands before the plan that comes after it.
    if (!this.plan) this.closeStream();
    const base = this.plan ?? {
      kind: "plan" as const,
      item_id: this.newId(),
      started_at: now,
      status: "open" as const,
    };
    this.plan = {
      ...base,
      entries: entries.slice(0, 200).map((one) => ({ ...one, content: cut(one.content, 2_000) })),
    };
    this.sink.item(this.plan);
  }
}

/** What an update changes of a call; a field that is absent stays. */
function merged(before: ItemOf<"tool_call">, fields: ToolFields, now: number): ItemOf<"tool_call"> {
  const tool_status = fields.status ?? before.tool_status;
  const over = tool_status === "completed" || tool_status === "failed";
  const said = fields.content?.slice(0, MAX_TOOL_BLOCKS).map(toolContent) ?? before.content;
  const raw = said.length === 0 ? inputText(fields.rawOutput) : null;
  return {
    ...before,
    title: fields.title ? toolTitle(fields.title) : before.title,
    tool_kind: fields.kind ?? before.tool_kind,
    tool_status,
    status: over ? "done" : "open",
    locations:
      fields.locations?.slice(0, 50).map(({ path, line }) => ({ path, line: line ?? null })) ?? before.locations,
    content: raw === null ? said : [{ type: "text", text: raw }],
    input: inputText(fields.rawInput) ?? before.input,
    ended_at: over ? (before.ended_at ?? now) : null,
  };
}
