import { describe, expect, it } from "vitest";
import { factsOf } from "./facts.ts";
import { BIRTH, Rig } from "./rig.ts";

const evidence = {
  node_id: BIRTH.node_id,
  state_id: "state-2",
  entry: null,
  complete: true,
  last_command_seq: 99,
} as const;

/** In the middle of a turn. */
function working(): Rig {
  const rig = new Rig();
  rig.launch();
  rig.accept();
  return rig;
}

/** Its machine has come back with another state folder. */
function lost(): Rig {
  const rig = working();
  rig.do({ type: "node.evidence", evidence });
  return rig;
}

const commands = (rig: Rig) => rig.state.outbox.flatMap((o) => (o.type === "enqueue" ? [o.command] : []));

describe("a machine that lost its state folder", () => {
  it("T3: its silence ends nothing; the session is what was last known, and says since when", () => {
    const rig = lost();
    expect(rig.state).toMatchObject({ state: "RUNNING", end_reason: null, state_id: "state-1" });
    expect(factsOf(rig.state)).toMatchObject({ unknown_since: rig.now, executor: { status: "stopped" } });
    const since = rig.now;
    rig.now += 1_000;
    rig.do({ type: "node.evidence", evidence });
    expect(factsOf(rig.state).unknown_since).toBe(since);
  });

  it("T3: the old disk put back, it is known again", () => {
    const rig = lost();
    rig.do({ type: "node.evidence", evidence: { ...evidence, state_id: "state-1", last_command_seq: 0 } });
    expect(factsOf(rig.state).unknown_since).toBeNull();
  });

  it("T3, C12: declared lost, it can be resumed by a person alone, from the folder that is there now; what may still run is ended first", () => {
    const rig = lost();
    const { execution_id } = rig.state.execution ?? { execution_id: "" };
    expect(rig.do({ type: "recovery", action: "declare_lost" })).toEqual({ ok: true });
    expect(rig.state).toMatchObject({
      state: "ERROR",
      end_reason: "interrupted",
      error: { code: "declared_lost" },
      state_id: "state-2",
      execution: null,
      recovery: null,
    });
    expect(factsOf(rig.state).unknown_since).toBeNull();
    expect(rig.do({ type: "resume", body: { mode: "resume", strategy: "native" } })).toMatchObject({ ok: true });
    expect(commands(rig).map((c) => c.type)).toEqual(["stop", "ensure_host", "launch"]);
    expect(commands(rig)[0]).toMatchObject({ execution_id });
  });

  it("T7: a stop or a delete needs nobody's word for it", () => {
    const stopped = lost();
    stopped.do({ type: "stop", end_reason: "stopped" });
    expect(stopped.state).toMatchObject({ state: "CANCELLED", end_reason: "stopped", stop: null });
    const removed = lost();
    removed.do({ type: "remove", remove_worktree: false });
    expect(commands(removed).map((c) => c.type)).toEqual(["stop", "teardown"]);
  });

  it("T3: while the machine is there and knows of it, nothing can be declared lost", () => {
    expect(working().do({ type: "recovery", action: "declare_lost" })).toMatchObject({ ok: false });
  });

  it("R3, T4: a start that had not begun is ordered anew: its order went with the folder", () => {
    const rig = new Rig();
    const first = rig.state.execution?.execution_id;
    rig.payOutbox();
    rig.do({ type: "node.evidence", evidence: { ...evidence, last_command_seq: 0 } });
    const second = rig.state.execution?.execution_id;
    expect(second).not.toBe(first);
    expect(rig.state).toMatchObject({ state: "STARTING", state_id: "state-2", execution: { phase: "claimed" } });
    expect(commands(rig)).toMatchObject([{ type: "launch", command_id: second }]);
    rig.launch();
    expect(rig.state.state).toBe("WAITING_FOR_INPUT");
    // Taken back by a person, it goes back to what was before the first order.
    const again = new Rig();
    again.do({ type: "node.evidence", evidence: { ...evidence, last_command_seq: 0 } });
    expect(again.state.execution).toMatchObject({ prior: { state: "CREATED" } });
  });
});
