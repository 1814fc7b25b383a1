import { expect, it } from "vitest";
import { interrupted, status } from "../testing/sample.ts";
import { inboxGroups, needsYouCount } from "./groups.ts";
import { rowAction } from "./row-action.ts";

const asks = status({ session_id: "ses_ask", state: "RUNNING", pending_approvals: 1, since: 9_000 });
const died = interrupted({ session_id: "ses_died", since: 10_000 });
const works = status({ session_id: "ses_work", state: "RUNNING" });
const waits = status({ session_id: "ses_wait" });
const stopped = status({
  session_id: "ses_stop",
  state: "CANCELLED",
  end_reason: "stopped",
  is_agent_running: false,
  resume_reason: "deliberate_stop",
});

it("what needs a person comes first, the latest on top; empty groups are left out", () => {
  const groups = inboxGroups([stopped, waits, works, asks, died]);
  expect(groups.map((group) => [group.title, group.sessions.map((each) => each.session_id)])).toEqual([
    ["Needs you", ["ses_died", "ses_ask"]],
    ["Working", ["ses_work"]],
    ["Your turn", ["ses_wait"]],
    ["Recently done", ["ses_stop"]],
  ]);
  expect(inboxGroups([waits]).map((group) => group.id)).toEqual(["your_turn"]);
});

it("what is archived is in no group and no count", () => {
  expect(inboxGroups([{ ...died, archived_at: 1 }])).toEqual([]);
  expect(needsYouCount([{ ...died, archived_at: 1 }, asks, waits])).toBe(1);
});

it("each row offers the one thing that fits", () => {
  expect(rowAction(asks)).toEqual({ type: "approve", label: "Review" });
  expect(rowAction(died)).toEqual({ type: "banner", label: "Resume", action: "resume" });
  expect(rowAction(waits)).toEqual({ type: "open", label: "Open" });
  const inTerminal = status({ driver: "terminal", state: "RUNNING", attention: "May it run this?" });
  expect(rowAction(inTerminal)).toEqual({ type: "open", label: "Open" });
  const offline = interrupted({ resume_reason: "node_offline", node: { ...died.node, presence: "offline" } });
  expect(rowAction(offline)).toEqual({ type: "open", label: "Open" });
});
