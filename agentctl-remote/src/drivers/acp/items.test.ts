import { Item, type Item as ItemType, MAX_EVENT_BYTES, MAX_ITEM_TEXT } from "@reprise/protocol";
import { describe, expect, it } from "vitest";
import type { Preview } from "../driver.ts";
import { ItemBook } from "./items.ts";
import { ReplayBarrier } from "./replay.ts";
import { readUpdate } from "./updates.ts";

function book() {
  const items: ItemType[] = [];
  const previews: Preview[] = [];
  const made = new ItemBook({
    item: (item) => items.push(Item.parse(item)),
    preview: (preview) => previews.push(preview),
  });
  return { items, previews, book: made };
}

function update(fields: Record<string, unknown>) {
  const read = readUpdate({ sessionId: "s", update: fields });
  if (read.kind !== "item") throw new Error(JSON.stringify(read));
  return read.update;
}
const say = (text: string, messageId?: string) =>
  update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text }, messageId });
const call = (fields: Record<string, unknown>) =>
  update({ sessionUpdate: "tool_call", toolCallId: "c1", title: "T", ...fields });
const callUpdate = (fields: Record<string, unknown>) =>
  update({ sessionUpdate: "tool_call_update", toolCallId: "c1", ...fields });

describe("items (L3)", () => {
  it("what was said before a plan stands before it", () => {
    const { book: made, items } = book();
    made.update(update({ sessionUpdate: "agent_thought_chunk", content: { type: "text", text: "hm" } }), 0);
    made.update(update({ sessionUpdate: "plan", entries: [{ content: "a", status: "pending", priority: "low" }] }), 1);
    expect(items.map((i) => i.kind)).toEqual(["thought", "plan"]);
  });

  it("chunks grow into one text; another message, thought or call begins a new item", () => {
    const { book: made, items } = book();
    made.update(say("a"), 0);
    made.update(say("b"), 1);
    made.update(say("c", "m2"), 2);
    made.update(say("d", "m3"), 3);
    made.update(update({ sessionUpdate: "agent_thought_chunk", content: { type: "text", text: "hm" } }), 4);
    made.update(call({}), 5);
    made.update(say("e"), 6);
    made.endTurn(7);
    expect(items.filter((one) => one.status === "done").map((one) => ("text" in one ? one.text : one.kind))).toEqual([
      "abc",
      "d",
      "hm",
      "e",
      "tool_call",
    ]);
  });

  it("an open text is checkpointed every 3 s, and previewed at most 20 times a second without a hole", () => {
    const { book: made, items, previews } = book();
    made.watch(true);
    for (let now = 0; now < 10_000; now += 10) made.update(say("x"), now);
    expect(items).toHaveLength(3);
    expect(previews.length).toBeLessThanOrEqual(201);
    let end = 0;
    for (const { offset, text } of previews) {
      expect(offset).toBe(end);
      end += text.length;
    }
    made.whole("i1", 10_000);
    expect(previews.at(-1)).toMatchObject({ offset: 0, text: "x".repeat(1_000) });
  });

  it("a call is upserted whole, at once when its status changes, else at most four times a second", () => {
    const { book: made, items } = book();
    made.update(call({ status: "in_progress", rawInput: { command: "ls" } }), 0);
    for (let now = 1; now <= 500; now++)
      made.update(callUpdate({ content: [{ type: "content", content: { type: "text", text: `line ${now}` } }] }), now);
    made.update(callUpdate({ status: "completed" }), 501);
    expect(items.length).toBeLessThanOrEqual(4);
    expect(items.at(-1)).toMatchObject({
      status: "done",
      tool_status: "completed",
      ended_at: 501,
      content: [{ text: "line 500" }],
      input: '{\n  "command": "ls"\n}',
    });
  });

  it("the same call id in a later turn is another call", () => {
    const { book: made, items } = book();
    made.update(call({ status: "completed" }), 0);
    made.endTurn(1);
    made.update(call({ status: "completed" }), 2);
    expect(new Set(items.map((one) => one.item_id)).size).toBe(2);
  });

  it("what is too large is cut, said, and fits an event, whatever its characters weigh", () => {
    const { book: made, items } = book();
    for (let i = 0; i < 3; i++) made.update(say("\u0001漢".repeat(70_000)), i);
    made.update(
      call({
        content: Array.from({ length: 60 }, () => ({
          type: "diff",
          path: "p",
          oldText: "漢".repeat(90_000),
          newText: "漢".repeat(90_000),
        })),
      }),
      9,
    );
    made.endTurn(10);
    for (const item of items) expect(Buffer.byteLength(JSON.stringify(item))).toBeLessThan(MAX_EVENT_BYTES - 1_000);
    const text = items.find((one) => one.kind === "text");
    expect(text?.kind === "text" && text.truncated && text.text.length <= MAX_ITEM_TEXT).toBe(true);
  });

  it("unknown updates and blocks harm nothing", () => {
    expect(readUpdate({ sessionId: "s", update: { sessionUpdate: "from_the_future", x: 1 } }).kind).toBe("ignored");
    expect(readUpdate("nonsense").kind).toBe("ignored");
    const { book: made, items } = book();
    made.update(update({ sessionUpdate: "agent_message_chunk", content: { type: "hologram", data: 1 } }), 0);
    made.update(call({ content: [{ type: "hologram" }], kind: "levitate", status: "undecided" }), 1);
    made.endTurn(2);
    expect(items.map((one) => one.kind)).toContain("tool_call");
  });
});

describe("the replay barrier (R5)", () => {
  it("lets through what is new, and suppresses a replay, its late tail, and what repeats its ids", () => {
    const barrier = new ReplayBarrier();
    expect(barrier.passes(say("before"))).toBe(true);
    barrier.begin();
    expect(barrier.passes(say("old", "m1"))).toBe(false);
    expect(barrier.passes(call({}))).toBe(false);
    barrier.answered(0);
    expect(barrier.passes(say("late tail"))).toBe(false);
    barrier.prompted();
    expect(barrier.passes(say("old again", "m1"))).toBe(false);
    expect(barrier.passes(callUpdate({ status: "completed" }))).toBe(false);
    expect(barrier.passes(say("new", "m2"))).toBe(true);
    expect(barrier.passes(say("new without id"))).toBe(true);
    expect(barrier.replayed).toBe(5);
  });
});
