import { describe, expect, it } from "vitest";
import { ResumeReason } from "../states.ts";
import { banner, type Words } from "./banner.ts";
import { display, inboxGroup } from "./display.ts";
import type { NodeView, SessionFacts } from "./facts.ts";
import { RUNNING, statusOf } from "./sample.ts";

const words: Words = {
  now: 280_000,
  span: (ms) => (ms < 60_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`),
  moment: () => "14:02",
};
const WAITING: Partial<SessionFacts> = { ...RUNNING, state: "WAITING_FOR_INPUT" };
const ended = (outcome: "failed" | "interrupted" | "timed_out", message: string | null) => ({
  turn: { turn_id: "trn_000001", outcome, message, started_at: 0, ended_at: 1 },
});

describe("Banners, word for word (ui.md)", () => {
  const table: [string, string, string[], Partial<SessionFacts>, Partial<NodeView>?, boolean?][] = [
    ["interrupted", "Claude Code was interrupted 3 min ago. Its conversation is intact.", ["Resume", "Dismiss"], {}],
    [
      "failed",
      "Claude Code ended with an error: no credit.",
      ["Retry", "Resume without retrying"],
      { end_reason: "failed", error: { code: "agent_error", message: "no credit" } },
    ],
    [
      "state_lost",
      "mini lost its record of this session 3 min ago; whether the agent still runs, it can't tell.",
      ["Declare it lost"],
      { ...RUNNING, unknown_since: 100_000 },
    ],
    ["stopped", "You stopped this session.", ["Resume"], { end_reason: "stopped", state: "CANCELLED" }],
    [
      "agent_exit",
      "The agent ended this conversation itself.",
      ["Create new session"],
      { end_reason: "agent_exit", state: "COMPLETED" },
    ],
    [
      "not_resumable",
      "This agent can't resume earlier sessions. Create a new session to continue.",
      ["Create new session"],
      { supports_session_resume: false },
    ],
    [
      "conversation_gone",
      "Claude Code no longer has this conversation (No conversation found).",
      ["Create new session", "Try again"],
      {
        resume_failure: { code: "conversation_gone", message: "No conversation found" },
        error: { code: "conversation_gone", message: "No conversation found." },
      },
    ],
    [
      "missing_resume_token",
      "The agent never told its conversation's id, so it can't be resumed.",
      ["Create new session"],
      { resume_token: null },
    ],
    ["never_prompted", "Nothing was said yet, so there is nothing to resume.", ["Start again"], { prompted: false }],
    [
      "workspace_missing",
      "The folder /w is gone from mini.",
      ["Create new session", "Check again"],
      { workspace_exists: false },
    ],
    [
      "node_reconnecting",
      "mini has been silent for 20 s; waiting for it to call.",
      [],
      {},
      { presence: "reconnecting", since: 260_000 },
    ],
    ["node_offline", "mini is offline since 14:02.", ["Create new session elsewhere"], {}, { presence: "offline" }],
    [
      "node_offline, goes on",
      "mini is offline since 14:02. It goes on by itself when it is back.",
      ["Create new session elsewhere"],
      { ...RUNNING, execution: null, end_reason: null },
      { presence: "offline" },
    ],
    [
      "machine lost for good",
      "mini has been gone since 14:02.",
      ["Declare it lost"],
      {},
      { presence: "offline", since: -90_000_000 },
    ],
    ["profile_missing", "The agent profile of this session was deleted.", ["Choose a profile"], {}, {}, false],
    [
      "resume_failed",
      "Could not resume: auth required.",
      ["Try now", "Cancel", "Create new session"],
      {
        resume_failure: { code: "resume_failed", message: "" },
        error: { code: "resume_failed", message: "auth required" },
        recovery: { attempt: 2, max: 5, retry_at: 300_000 },
      },
    ],
    [
      "turn interrupted, agent back",
      "The agent is back; its turn was cut off.",
      ["Continue", "Leave it"],
      { ...WAITING, ...ended("interrupted", null), queue_held: true },
    ],
    [
      "turn failed, agent alive",
      "The last turn failed: overloaded.",
      ["Retry", "Dismiss"],
      { ...WAITING, ...ended("failed", "overloaded"), queue_held: true },
    ],
    [
      "unverified",
      "The agent resumed but showed nothing of the conversation. Ask it something that it should know.",
      ["OK", "Create new session"],
      { ...WAITING, turn: null, unverified: true },
    ],
    [
      "stop requested",
      "Stopping, as soon as mini is back.",
      ["Undo"],
      { ...RUNNING, stop_requested_at: 1 },
      { presence: "offline" },
    ],
  ];
  table.push(
    [
      "starting on a silent machine",
      "mini has been silent for 20 s; waiting for it to call.",
      [],
      { state: "STARTING", end_reason: null },
      { presence: "reconnecting", since: 260_000 },
    ],
    [
      "working on a machine that is gone",
      "mini is offline since 14:02. It goes on by itself when it is back.",
      ["Create new session elsewhere"],
      RUNNING,
      { presence: "offline" },
    ],
    [
      "working on a machine lost for good",
      "mini has been gone since 14:02.",
      ["Declare it lost"],
      RUNNING,
      { presence: "offline", since: -90_000_000 },
    ],
    ["completed", "You marked this session done.", ["Resume"], { end_reason: "completed", state: "COMPLETED" }],
    [
      "stopped before its agent told its id",
      "You stopped this session.",
      ["Create new session"],
      { end_reason: "stopped", state: "CANCELLED", resume_token: null },
    ],
    [
      "runtime_unavailable",
      "Docker does not answer on mini.",
      ["Try now", "Cancel"],
      {
        executor: {
          status: "error",
          since: 0,
          failure: { code: "runtime_unavailable", message: "" },
          retry_at: 300_000,
        },
      },
    ],
    [
      "container_missing",
      "The container of this session is gone, and its conversation with it.",
      ["Create new session"],
      { executor: { status: "error", since: 0, failure: { code: "container_missing", message: "" }, retry_at: null } },
    ],
    [
      "resume_failed, not tried again by itself",
      "Could not resume: auth required.",
      ["Retry", "Create new session"],
      {
        resume_failure: { code: "resume_failed", message: "" },
        error: { code: "resume_failed", message: "auth required" },
      },
    ],
    [
      "never_prompted, could not start",
      "Claude Code could not start: it is not on PATH.",
      ["Start again"],
      { prompted: false, end_reason: "failed", error: { code: "agent_not_found", message: "it is not on PATH" } },
    ],
    ["dismissed", "Claude Code isn't running.", ["Resume"], { dismissed: "exe_000001" }],
    ["timed out", "The turn ran into its limit.", ["Resume", "Retry"], ended("timed_out", null)],
    [
      "turn timed out, agent alive",
      "The turn ran into its limit.",
      ["Continue", "Leave it"],
      { ...WAITING, ...ended("timed_out", null), queue_held: true },
    ],
  );
  for (const [name, text, labels, facts, node, profile] of table) {
    it(`ui.md: ${name}`, () => {
      const b = banner(statusOf(facts, node, profile), words);
      expect(b?.text).toBe(text);
      expect(b?.buttons.map((x) => x.label)).toEqual(labels);
    });
  }

  it("ui.md: every reason of the closed set stands in this table", () => {
    const said = table.map(([, , , facts, node, profile]) => statusOf(facts, node, profile).resume_reason);
    expect([...new Set(said)].toSorted()).toEqual([...ResumeReason.options].toSorted());
  });

  it("ui.md: nothing is said while it simply works or waits", () => {
    expect(banner(statusOf(RUNNING), words)).toBeNull();
    expect(banner(statusOf({ ...WAITING, turn: null }), words)).toBeNull();
  });

  it("ui.md: at an agent's own terminal nothing is said while it runs, unless a prompt from elsewhere is held", () => {
    const cut = { ...WAITING, driver: "terminal" as const, ...ended("interrupted", null), queue_held: true };
    expect(banner(statusOf(cut), words)).toBeNull();
    expect(banner(statusOf({ ...cut, queued_prompts: 1 }), words)?.reason).toBe("turn_interrupted");
  });
});

describe("One language for state (ui.md)", () => {
  const table: [string, Partial<SessionFacts>, Partial<NodeView>?][] = [
    ["Needs you", { ...RUNNING, pending_approvals: 1 }],
    ["Working", RUNNING],
    ["Your turn", { ...WAITING, turn: null }],
    ["Interrupted", {}],
    ["Can't resume", { supports_session_resume: false }],
    ["Failed", { end_reason: "failed" }],
    ["Can't resume", { end_reason: "failed", resume_failure: { code: "conversation_gone", message: "" } }],
    ["Timed out", { ...WAITING, ...ended("timed_out", null) }],
    ["Stopped", { end_reason: "stopped", state: "CANCELLED" }],
    ["Done", { end_reason: "completed", state: "COMPLETED" }],
    ["Starting", { state: "STARTING", end_reason: null, prompted: false }],
    ["Resuming · try 3 of 5", { recovery: { attempt: 3, max: 5, retry_at: 300_000 } }],
    ["Last known: Working", RUNNING, { presence: "reconnecting" }],
  ];
  for (const [label, facts, node] of table) {
    it(`ui.md: ${label}`, () => expect(display(statusOf(facts, node)).label).toBe(label));
  }

  it("ui.md: what offers Resume is in the inbox's first group, until dismissed", () => {
    expect(inboxGroup(statusOf())).toBe("needs_you");
    expect(inboxGroup(statusOf({ dismissed: "exe_000001" }))).toBe("done");
  });
});
