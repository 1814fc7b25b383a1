import { expect, it } from "vitest";
import { inboxKey, nextSelection } from "./keys.ts";

const ids = ["a", "b", "c"];

it("j and k move and stop at the ends", () => {
  expect(inboxKey("j", ids, null)).toEqual({ type: "select", id: "a" });
  expect(inboxKey("j", ids, "c")).toEqual({ type: "select", id: "c" });
  expect(inboxKey("k", ids, "b")).toEqual({ type: "select", id: "a" });
  expect(inboxKey("k", ids, "a")).toEqual({ type: "select", id: "a" });
  expect(inboxKey("k", ids, null)).toEqual({ type: "select", id: "a" });
});

it("acts on the selected row, and on none when none is", () => {
  expect(inboxKey("enter", ids, "b")).toEqual({ type: "open", id: "b" });
  expect(inboxKey("a", ids, "b")).toEqual({ type: "approve", id: "b" });
  expect(inboxKey("r", ids, "b")).toEqual({ type: "resume", id: "b" });
  expect(inboxKey("e", ids, "b")).toEqual({ type: "archive", id: "b" });
  expect(inboxKey("e", ids, null)).toBeNull();
  expect(inboxKey("x", ids, "b")).toBeNull();
  expect(inboxKey("j", [], null)).toBeNull();
});

it("the keyboard stays in its place when its row goes away", () => {
  expect(nextSelection(ids, ["a", "c"], "b")).toBe("c");
  expect(nextSelection(ids, ["a", "b"], "c")).toBe("b");
  expect(nextSelection(ids, [], "a")).toBeNull();
  expect(nextSelection(ids, ["c", "a"], "a")).toBe("a");
});
