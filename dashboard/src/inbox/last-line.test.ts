import { expect, it } from "vitest";
import { status } from "../testing/sample.ts";
import { lastLine } from "./last-line.ts";

it("a row says first what is asked", () => {
  const terminal = status({ driver: "terminal", prompted: true, last_line: null });
  expect(lastLine({ ...terminal, attention: "May it run this?" })).toBe("May it run this?");
  expect(lastLine(terminal)).toBe("In its own terminal.");
  expect(lastLine({ ...terminal, prompted: false })).toBe("Not begun yet.");
  expect(lastLine(status({ last_line: "Done: 3 files." }))).toBe("Done: 3 files.");
});

it("a row says why its session failed", () => {
  const failed = status({ state: "ERROR", is_agent_running: false, end_reason: "failed", error_message: "no credit" });
  expect(lastLine({ ...failed, is_resumable: true, last_line: "Working on it" })).toBe("no credit");
});
