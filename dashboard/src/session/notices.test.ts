import type { RowBody } from "@reprise/protocol";
import { expect, it } from "vitest";
import { rowsOf } from "../testing/sample.ts";
import { keptTerminals, warningsOf } from "./notices.ts";

const notice = (part: Partial<Extract<RowBody, { kind: "notice" }>>): RowBody => ({
  kind: "notice",
  level: "info",
  code: "terminal_kept",
  text: "",
  at: 0,
  ...part,
});

it("B1: shells that live on under another name are found by what the log tells of them", () => {
  const rows = rowsOf(
    notice({ terminal_id: "agent-2" }),
    notice({ code: "agent_found" }),
    notice({ terminal_id: "agent-3" }),
    notice({ terminal_id: "agent-2" }),
  );
  expect(keptTerminals(rows)).toEqual(["agent-2", "agent-3"]);
});

it("a warning stands for as long as the agent that it is about", () => {
  const rows = rowsOf(notice({}), notice({ level: "warning", code: "hooks_not_installed", text: "No hooks." }));
  expect(warningsOf(rows, "exe_000001").map(({ text }) => text)).toEqual(["No hooks."]);
  expect(warningsOf(rows, "exe_000002")).toEqual([]);
});
