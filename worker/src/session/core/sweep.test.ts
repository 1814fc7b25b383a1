import { describe, expect, it } from "vitest";
import type { NodeEvidence } from "../rpc.ts";
import { ENTRY } from "./every-event.ts";
import { Rig, TERMINAL } from "./rig.ts";
import { nodeView } from "./situations.ts";

const GONE: NodeEvidence = {
  node_id: "nod_000001",
  state_id: "state-1",
  entry: null,
  complete: true,
  last_command_seq: 1,
};

function working(): Rig {
  const rig = new Rig({ ...TERMINAL, auto_resume: "never" });
  rig.launch();
  return rig;
}

const told = (rig: Rig, evidence: Partial<NodeEvidence> = {}) =>
  rig.do({ type: "node.evidence", evidence: { ...GONE, ...evidence } });
const warnings = (rig: Rig) => rig.history.filter((e) => e.type === "warn");

describe("The sweep after the loss of a daemon", () => {
  it("T3: waits for an answer: silence alone marks nothing, however long", () => {
    const rig = working();
    for (const presence of ["reconnecting", "offline"] as const) {
      rig.now += 24 * 60 * 60_000;
      rig.do({ type: "node.presence", node: nodeView(presence, rig.now) });
      rig.wait();
      expect(rig.state).toMatchObject({ state: "RUNNING", end_reason: null });
    }
  });

  it("T3: marks what a complete inventory no longer owns, and keeps its conversation's id", () => {
    const rig = working();
    told(rig);
    expect(rig.state).toMatchObject({ state: "ERROR", end_reason: "interrupted", resume_token: "tok-1" });
    expect(warnings(rig)).toEqual([]);
  });

  it("T3: marks nothing by an incomplete one, nor by the word of another state folder", () => {
    const rig = working();
    told(rig, { complete: false });
    told(rig, { state_id: "state-2" });
    expect(rig.state).toMatchObject({ state: "RUNNING", end_reason: null });
  });

  it("T3: what the daemon still owns is left alone, alive or not known", () => {
    for (const state of ["alive", "unknown"] as const) {
      const rig = working();
      const execution_id = rig.state.execution?.execution_id ?? "";
      told(rig, {
        entry: {
          ...ENTRY,
          host: { ...ENTRY.host, state },
          execution: { execution_id, state, pid: 9, open_turn: null, token: "tok-1" },
        },
      });
      expect(rig.state).toMatchObject({ state: "RUNNING", end_reason: null });
    }
  });

  it("T3: no execution known at the loss: nothing is marked", () => {
    const rig = working();
    rig.die({ end_reason: "stopped", failure: null });
    const before = rig.state;
    told(rig);
    expect(rig.state).toMatchObject({ state: "CANCELLED", end_reason: "stopped", ended_at: before.ended_at });
  });

  it("T3: one whose launch isn't known to have reached the machine is skipped, and logged with its terminal's id", () => {
    const rig = new Rig(TERMINAL);
    const { execution_id } = rig.state.execution ?? { execution_id: "" };
    told(rig);
    expect(rig.state).toMatchObject({ state: "STARTING", execution: { execution_id } });
    expect(warnings(rig)).toMatchObject([{ details: { execution_id, terminal_id: "agent", command_seq: null } }]);
  });

  it("T3: one that changed since the loss is skipped, and logged with its terminal's id", () => {
    const rig = working();
    rig.die();
    rig.do({ type: "resume", body: { mode: "resume", strategy: "native" } });
    const { execution_id } = rig.state.execution ?? { execution_id: "" };
    const enqueue = rig.state.outbox.find((o) => o.type === "enqueue");
    rig.do({ type: "outbox.done", key: enqueue?.key ?? "", result: { type: "enqueue", seq: 2 } });
    told(rig);
    expect(rig.state).toMatchObject({ state: "STARTING", execution: { execution_id } });
    expect(warnings(rig)).toMatchObject([{ details: { execution_id, terminal_id: "agent", command_seq: 2 } }]);
    told(rig, { last_command_seq: 2 });
    expect(rig.state).toMatchObject({ state: "ERROR", resume_failure: { code: "spool_lost" } });
  });

  it("R2: the id that it serves by then is the one that is kept", () => {
    const rig = working();
    rig.host({ type: "agent.token", token: "tok-2" });
    rig.payOutbox();
    told(rig);
    expect(rig.state).toMatchObject({ end_reason: "interrupted", resume_token: "tok-2" });
  });
});
