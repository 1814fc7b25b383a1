import type { RowBody } from "@reprise/protocol";
import { expect, it } from "vitest";
import { message, rowsOf, text, tool } from "../testing/sample.ts";
import { currentPlan, sameBlock, toBlocks } from "./blocks.ts";

const turn: RowBody = {
  kind: "turn",
  turn_id: "trn_000001",
  prompt_id: "prm_000001",
  blocks: [{ type: "text", text: "Go" }],
  started_at: 1_000,
};
const prompt: RowBody = {
  kind: "prompt",
  prompt_id: "prm_000001",
  blocks: [{ type: "text", text: "Go" }],
  state: "done",
  outcome: "done",
  created_at: 0,
  note: null,
};
const died: RowBody = {
  kind: "execution_end",
  end_reason: "interrupted",
  code: "agent_died",
  message: null,
  exit_code: null,
  signal: "SIGKILL",
  ended_at: 9_000,
};
const turnEnd = (outcome: "done" | "interrupted"): RowBody => ({
  kind: "turn_end",
  turn_id: "trn_000001",
  outcome,
  message: null,
  ended_at: 9_000,
});
const plan = (id: string, content: string): RowBody =>
  message({
    kind: "plan",
    item_id: id,
    started_at: 0,
    status: "done",
    entries: [{ content, status: "pending", priority: "high" }],
  });

it("consecutive reads fold into one, and anything between them parts them", () => {
  const rows = rowsOf(
    message(tool("a")),
    message(tool("b")),
    message(tool("c")),
    message(text("d", "So.")),
    message(tool("e")),
  );
  const blocks = toBlocks(rows);
  expect(blocks.map((block) => block.type)).toEqual(["reads", "text", "tool"]);
  const reads = blocks[0];
  expect(reads?.type === "reads" && reads.items.map((item) => item.item_id)).toEqual(["a", "b", "c"]);
  expect(reads?.key).toBe(rows[0]?.id);
});

it("a read that failed is never hidden in a fold", () => {
  const blocks = toBlocks(
    rowsOf(message(tool("a")), message(tool("b", { tool_status: "failed" })), message(tool("c"))),
  );
  expect(blocks.map((block) => block.type)).toEqual(["tool", "tool", "tool"]);
});

it("P2: a prompt stands once, as its turn", () => {
  expect(toBlocks(rowsOf(prompt, turn)).map((block) => block.type)).toEqual(["prompt"]);
});

it("only the latest plan stands", () => {
  const rows = rowsOf(plan("p1", "one"), message(text("a", "x")), plan("p2", "two"));
  expect(toBlocks(rows).map((block) => block.type)).toEqual(["text", "plan"]);
  expect(currentPlan(rows)?.entries[0]?.content).toBe("two");
  expect(currentPlan([])).toBeNull();
});

it("a death and the turn that it cut off are one divider, which says why", () => {
  const shown = (...bodies: RowBody[]) =>
    toBlocks(rowsOf(...bodies)).map((block) => (block.type === "turn_end" ? block.end.message : block.type));
  const byProcess = "the agent's process ended (SIGKILL).";
  expect(shown(turn, died, turnEnd("interrupted"))).toEqual(["prompt", byProcess]);
  expect(shown(turn, turnEnd("interrupted"), died)).toEqual(["prompt", byProcess]);
  const why: RowBody = { ...died, kind: "turn_end", turn_id: "trn_000001", outcome: "interrupted", message: "Killed." };
  expect(shown(turn, why, died)).toEqual(["prompt", "Killed."]);
  expect(shown(turn, turnEnd("done"), died)).toEqual(["prompt", null, "execution_end"]);
});

it("R4: a resume that failed is told as that, once; one that came back and failed later was one", () => {
  const resumed: RowBody = {
    kind: "resumed",
    mode: "resume",
    strategy: "native",
    prior_state: "ERROR",
    automatic: false,
    at: 9_500,
  };
  const failed: RowBody = { ...died, end_reason: "failed", message: "rate limit reached" };
  const tried = toBlocks(rowsOf(turn, turnEnd("interrupted"), died, resumed, failed, resumed, failed));
  expect(tried.slice(2)).toMatchObject([
    { type: "resume_failed", end: { message: "rate limit reached" } },
    { type: "resume_failed" },
  ]);
  expect(toBlocks(rowsOf(died, resumed, turn, failed)).map((b) => b.type)).toEqual([
    "execution_end",
    "resumed",
    "prompt",
    "execution_end",
  ]);
});

it("a turn's length is from its beginning to its end", () => {
  const end = toBlocks(rowsOf(turn, turnEnd("done"))).at(-1);
  expect(end?.type === "turn_end" && end.took).toBe(8_000);
});

it("an empty text is not shown, and a superseded execution is no divider", () => {
  expect(toBlocks(rowsOf(message(text("a", "")), { ...died, end_reason: "superseded" }))).toEqual([]);
});

it("what did not change is not drawn again", () => {
  const rows = rowsOf(message(tool("a")), message(tool("b")), message(text("c", "x")));
  const [first, second] = [toBlocks(rows), toBlocks(rows)];
  expect(first.every((block, index) => sameBlock(block, second[index] ?? block))).toBe(true);
  const changed = toBlocks([...rows.slice(0, 2), ...rowsOf(message(text("c", "xy")))]);
  expect(first[1] !== undefined && changed[1] !== undefined && sameBlock(first[1], changed[1])).toBe(false);
});
