import { type InventoryEntry, sessionStatus } from "@reprise/protocol";
import { describe, expect, it } from "vitest";
import { ENTRY } from "./every-event.ts";
import { factsOf } from "./facts.ts";
import { DEATH, Rig } from "./rig.ts";
import { nodeView } from "./situations.ts";

const GONE = { code: "container_missing" as const, message: "gone" };
const AWAY = {
  status: "error" as const,
  failure: { code: "runtime_unavailable" as const, message: "no" },
  retry_at: 9,
};

/** A session in a container, with a turn that runs. */
function working(birth = {}): Rig {
  const rig = new Rig({ runtime: "docker", ...birth });
  rig.launch();
  rig.accept();
  return rig;
}

function evidence(rig: Rig, change: Partial<InventoryEntry>) {
  const execution_id = rig.state.execution?.execution_id ?? "exe_none";
  const execution = { execution_id, state: "alive" as const, pid: null, open_turn: null, token: null };
  const host = { state: "alive" as const, pid: null, container_id: "c0ffee" };
  const entry = { ...ENTRY, runtime: "docker" as const, host, execution, ...change };
  return rig.do({
    type: "node.evidence",
    evidence: { node_id: "nod_000001", state_id: "state-1", entry, complete: true, last_command_seq: 9 },
  });
}

function status(rig: Rig, presence: "online" | "offline" = "online") {
  const node = { ...nodeView(presence), as_of: rig.now, entry: null };
  return sessionStatus({ facts: factsOf(rig.state), node, attached: false, now: rig.now });
}

const owed = (rig: Rig) =>
  rig.state.outbox.flatMap((item) =>
    item.type === "enqueue" && item.command.type !== "launch" ? [item.command.type] : [],
  );

describe("a session in a container", () => {
  it("X7: its container's id is told with its facts", () => {
    const rig = working();
    evidence(rig, {});
    expect(factsOf(rig.state)).toMatchObject({ runtime: "docker", container_id: "c0ffee" });
  });

  it("T3, T4: while the engine is away it is as last known, not running, and the next try is said", () => {
    const rig = working();
    evidence(rig, { executor: AWAY });
    expect(status(rig)).toMatchObject({
      state: "RUNNING",
      end_reason: null,
      is_agent_running: false,
      resume_reason: "runtime_unavailable",
      executor_status: "error",
      retry_at: 9,
    });
    evidence(rig, {});
    expect(status(rig)).toMatchObject({ state: "RUNNING", is_agent_running: true, resume_reason: "agent_running" });
  });

  it("T4: Try now has it asked at once, Cancel ends the tries; neither says anything of the agent", () => {
    const rig = working();
    evidence(rig, { executor: AWAY });
    const before = rig.state.execution;
    rig.do({ type: "recovery", action: "try_now" });
    expect(owed(rig)).toEqual(["ensure_host"]);
    rig.do({ type: "recovery", action: "cancel" });
    expect(owed(rig)).toEqual(["ensure_host", "stop_trying"]);
    expect(rig.state.execution).toEqual(before);
    evidence(rig, { executor: { ...AWAY, retry_at: null } });
    expect(status(rig)).toMatchObject({ state: "RUNNING", executor_status: "error", retry_at: null });
  });

  it.each(["interrupted", "always"] as const)(
    "R4, R6: with its container gone nothing resumes it (%s), and it says so for good",
    (auto_resume) => {
      const rig = working({ auto_resume });
      rig.host({ type: "execution.ended", ...DEATH, failure: GONE, died: "machine", found: "scan" });
      expect(rig.state).toMatchObject({ state: "ERROR", execution: null, recovery: null });
      const gone = { resume_reason: "container_missing", is_resumable: false, needs_resume: false };
      expect(status(rig)).toMatchObject({ ...gone, error_code: "container_missing" });
      rig.do({ type: "node.presence", node: nodeView("offline") });
      expect(status(rig, "offline")).toMatchObject({ is_resumable: false });
      rig.do({ type: "node.presence", node: nodeView("online") });
      expect(status(rig)).toMatchObject(gone);
      expect(rig.do({ type: "resume", body: { mode: "resume", strategy: "native" } })).toMatchObject({
        ok: false,
        error: { code: "not_resumable", details: { reason: "container_missing" } },
      });
    },
  );

  it("T3: where its spool is gone too, the machine's word that the container is missing ends it", () => {
    const rig = working();
    const executor = { status: "error" as const, failure: GONE, retry_at: null };
    evidence(rig, { executor });
    // Its spool has it open: the end comes from there, with what was said before it (T6).
    expect(rig.state.state).toBe("RUNNING");
    evidence(rig, { executor, spool: null, execution: null, host: { state: "none", pid: null, container_id: null } });
    expect(rig.state).toMatchObject({ state: "ERROR", end_reason: "interrupted", error: GONE });
  });
});
