import { expect, it } from "vitest";
import { holdersOf, reportOf } from "./report.ts";
import { rig } from "./rig.ts";

it("R2, C16: who holds a conversation is known by its agent and its id", () => {
  const r = rig();
  r.step({ type: "claim_token", agent_kind: "codex", token: "a", session_id: "ses_aaaa" });
  expect(holdersOf(r.state, "codex", ["a", "b"])).toEqual({ a: "ses_aaaa" });
  expect(holdersOf(r.state, "claude-code", ["a"])).toEqual({});
  r.step({ type: "forget", session_id: "ses_aaaa" });
  expect(holdersOf(r.state, "codex", ["a"])).toEqual({});
});

it("T1: a report says of which sessions somebody said last that they have them open", () => {
  const r = rig();
  r.push("ses_aaaa", { attached: true });
  r.push("ses_bbbb", {});
  expect(r.report().attached).toEqual(["ses_aaaa"]);
  expect(reportOf(r.state, ["ses_bbbb"], r.ctx).attached).toEqual([]);
  r.push("ses_aaaa", { attached: false });
  expect(r.report().attached).toEqual([]);
});
