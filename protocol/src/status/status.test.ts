import { describe, expect, it } from "vitest";
import { ResumeReason } from "../states.ts";
import type { InventoryEntry } from "../wire/inventory.ts";
import type { NodeView, SessionFacts } from "./facts.ts";
import { RUNNING, statusOf } from "./sample.ts";

/** Each holds with all below it in the order, so the first that holds must win. */
const cases: [ResumeReason, Partial<SessionFacts>, Partial<NodeView>?, boolean?][] = [
  ["agent_running", RUNNING],
  ["deliberate_stop", { end_reason: "stopped", state: "CANCELLED", prompted: false }, { presence: "offline" }],
  ["agent_exit", { end_reason: "agent_exit", state: "COMPLETED" }, { presence: "reconnecting" }],
  ["node_reconnecting", { workspace_exists: false }, { presence: "reconnecting" }],
  ["node_offline", { workspace_exists: false }, { presence: "offline" }],
  [
    "runtime_unavailable",
    {
      workspace_exists: false,
      executor: { status: "error", since: 0, failure: { code: "runtime_unavailable", message: "" }, retry_at: 1 },
    },
  ],
  [
    "container_missing",
    {
      workspace_exists: false,
      executor: { status: "error", since: 0, failure: { code: "container_missing", message: "" }, retry_at: null },
    },
  ],
  ["workspace_missing", { workspace_exists: false, prompted: false }, {}, false],
  ["profile_missing", { prompted: false }, {}, false],
  ["never_prompted", { prompted: false, supports_session_resume: false }],
  ["not_resumable", { supports_session_resume: false, resume_token: null }],
  ["missing_resume_token", { resume_token: null, resume_failure: { code: "conversation_gone", message: "" } }],
  ["conversation_gone", { resume_failure: { code: "conversation_gone", message: "" } }],
  ["resume_failed", { resume_failure: { code: "resume_failed", message: "" } }],
  ["agent_not_running", {}],
];

describe("task.session.status (§3)", () => {
  for (const [reason, facts, node, profile] of cases) {
    it(`§3: ${reason} is said first where it holds`, () => {
      expect(statusOf(facts, node, profile).resume_reason).toBe(reason);
    });
  }

  it("§3: the table reaches every reason of the closed set", () => {
    expect(cases.map(([reason]) => reason)).toEqual(ResumeReason.options);
  });

  it("§3: presence never enters is_resumable; the reason says that it waits", () => {
    const silent = statusOf({}, { presence: "offline" });
    expect(silent).toMatchObject({ is_resumable: true, needs_resume: true, resume_reason: "node_offline" });
  });

  it("§3: needs_resume only where the end asks for it", () => {
    expect(statusOf({ end_reason: "stopped" })).toMatchObject({ is_resumable: true, needs_resume: false });
    expect(statusOf({ end_reason: "agent_exit" })).toMatchObject({ is_resumable: false, needs_resume: false });
    expect(statusOf({ end_reason: "failed" })).toMatchObject({ is_resumable: true, needs_resume: true });
    expect(statusOf(RUNNING)).toMatchObject({ needs_resume: false, is_agent_running: true });
  });

  it("T1: an inventory that says dead of the very execution ends it in the list at once", () => {
    const s = statusOf(RUNNING, { as_of: 90_000, entry: entry("exe_000001", "dead") });
    expect(s).toMatchObject({
      state: "ERROR",
      end_reason: "interrupted",
      is_agent_running: false,
      turn: { outcome: "interrupted" },
    });
  });

  it("T5: dead after a stop is what was asked for: how it ended is the session's to say, not the inventory's", () => {
    const s = statusOf({ ...RUNNING, stop_requested_at: 80_000 }, { entry: entry("exe_000001", "dead") });
    expect(s).toMatchObject({
      state: "RUNNING",
      end_reason: null,
      is_agent_running: false,
      needs_resume: false,
      resume_reason: "deliberate_stop",
    });
  });

  it("T2: a silent machine's row is as of what was heard last, not of when the silence was seen", () => {
    const silent = { presence: "reconnecting", since: 270_000, heard_at: 200_000 } as const;
    expect(statusOf(RUNNING, silent).as_of).toBe(200_000);
    expect(statusOf({ ...RUNNING, last_event_at: 230_000 }, silent).as_of).toBe(230_000);
    expect(statusOf({ ...RUNNING, since: 240_000 }, silent).as_of).toBe(240_000);
    expect(statusOf(RUNNING, { presence: "online", heard_at: 200_000 }).as_of).toBe(280_000);
  });

  it("T2: a turn that its machine says is over, and whose end is on its way, is as of the session's last word", () => {
    const alive = entry("exe_000001", "alive");
    expect(statusOf({ ...RUNNING, last_event_at: 230_000 }, { entry: alive })).toMatchObject({
      state: "RUNNING",
      as_of: 230_000,
    });
    const open = { ...alive, execution: alive.execution && { ...alive.execution, open_turn: "trn_000001" } };
    expect(statusOf({ ...RUNNING, last_event_at: 230_000 }, { entry: open }).as_of).toBe(280_000);
  });

  it("T3: unknown is not dead, and another execution's death says nothing of this one", () => {
    expect(statusOf(RUNNING, { entry: entry("exe_000001", "unknown") }).state).toBe("RUNNING");
    expect(statusOf(RUNNING, { entry: entry("exe_000000", "dead") }).state).toBe("RUNNING");
  });
});

function entry(execution_id: string, state: "alive" | "dead" | "unknown"): InventoryEntry {
  return {
    session_id: "ses_000001",
    runtime: "standalone",
    spool: { spool_id: "spl_000001", last_seq: 5 },
    host: { state: state === "dead" ? "dead" : "alive", pid: 1, container_id: null },
    executor: { status: "ready", failure: null, retry_at: null },
    execution: { execution_id, state, pid: 2, open_turn: null, token: null },
    workspace: { path: "/w", exists: true },
  };
}
