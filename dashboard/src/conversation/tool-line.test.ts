import { expect, it } from "vitest";
import { tool } from "../testing/sample.ts";
import { lineStat, relativePath, toolLine, toolStat } from "./tool-line.ts";

it("says verb and object, with paths as seen from the session's folder", () => {
  const line = toolLine(tool("a", { title: "Read x", locations: [{ path: "/w/src/x.ts", line: 3 }] }), "/w");
  expect(line).toMatchObject({ verb: "Read", object: "src/x.ts", mono: true, failed: false, result: null });
});

it("a running call is said as running", () => {
  const running = tool("a", { status: "open", tool_status: "in_progress", tool_kind: "execute", title: "`npm test`" });
  expect(toolLine(running, null)).toMatchObject({ verb: "Running", object: "npm test" });
});

it("T4: a call that waits for its approval is not said to run, and one that was cut off is not said to be done", () => {
  const pending = tool("a", { status: "open", tool_status: "pending", tool_kind: "execute", title: "`npm test`" });
  expect(toolLine(pending, null).verb).toBe("Run");
  expect(toolLine({ ...pending, status: "interrupted" }, null).verb).toBe("Run");
});

it("a failed call says why, in the first line that says something", () => {
  const failed = tool("a", {
    tool_kind: "execute",
    tool_status: "failed",
    title: "`tsc`",
    content: [{ type: "text", text: "```\n\nerror TS1294\nmore\n```" }],
  });
  expect(toolLine(failed, null)).toMatchObject({ failed: true, result: "error TS1294" });
  expect(toolLine({ ...failed, content: [] }, null).result).toBe("failed");
});

it("does not say the verb twice", () => {
  expect(toolLine(tool("a", { tool_kind: "search", title: 'Search "x" in src' }), null).object).toBe('"x" in src');
});

it("counts lines", () => {
  expect(lineStat(null, "a\nb\n")).toEqual({ added: 2, removed: 0 });
  expect(lineStat("a\nb\n", "a\nc\nd\n")).toEqual({ added: 2, removed: 1 });
  const diff = { type: "diff", path: "/w/a", old_text: "a\n", new_text: "b\n" } as const;
  expect(toolStat(tool("a", { content: [diff, diff] }))).toEqual({ added: 2, removed: 2 });
  expect(toolStat(tool("a"))).toBeNull();
});

it("a sibling whose name begins alike is not inside", () => {
  expect(relativePath("/work-2/a", "/work")).toBe("/work-2/a");
  expect(relativePath("/repo/a", "/repo/")).toBe("a");
});
