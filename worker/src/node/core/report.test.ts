import { expect, it } from "vitest";
import { holdersOf, reportOf } from "./report.ts";
import { rig } from "./rig.ts";

it("R2, C16: who holds a conversation is known by its agent and its id", () => {
  const r = rig();
  r.step({ type: "claim_token", agent_kind: "codex", token: "a", session_id: "ses_aaaa", from: null });
  expect(holdersOf(r.state, "codex", ["a", "b"])).toEqual({ a: "ses_aaaa" });
  expect(holdersOf(r.state, "claude-code", ["a"])).toEqual({});
  r.step({ type: "forget", session_id: "ses_aaaa" });
  expect(holdersOf(r.state, "codex", ["a"])).toEqual({});
});

it("C16: a conversation is taken over only from the session that has let go of it", () => {
  const r = rig();
  const claim = (session_id: string, from: string | null) =>
    r.answer({ type: "claim_token", agent_kind: "codex", token: "a", session_id, from });
  expect([claim("ses_aaaa", null), claim("ses_bbbb", null), claim("ses_bbbb", "ses_cccc")]).toEqual([
    true,
    false,
    false,
  ]);
  expect([claim("ses_bbbb", "ses_aaaa"), claim("ses_cccc", "ses_aaaa")]).toEqual([true, false]);
  expect(holdersOf(r.state, "codex", ["a"])).toEqual({ a: "ses_bbbb" });
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
