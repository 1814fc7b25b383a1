import { describe, expect, it } from "vitest";
import type { Birth } from "../rpc.ts";
import { factsOf } from "./facts.ts";
import { DEATH, Rig, TERMINAL } from "./rig.ts";
import { interrupted, permitted, resuming } from "./situations.ts";

const resume = (rig: Rig, mode: "resume" | "retry" = "resume") =>
  rig.do({ type: "resume", body: { mode, strategy: "native" } });

/** Its host tells what it tells of every agent that is up. */
function up(rig: Rig, token = "tok-9"): void {
  rig.host(
    { type: "agent.spawned", pid: 77, start_time: "1", boot_id: "b" },
    { type: "agent.ready", token, how: "new", replayed: 0, verified: true },
  );
  rig.payOutbox();
}

function exited(birth: Partial<Birth> = {}): Rig {
  const rig = new Rig({ ...TERMINAL, ...birth });
  rig.launch();
  rig.die({ ...DEATH, end_reason: "agent_exit", failure: null, exit_code: 0, signal: null });
  return rig;
}

function stopped(): Rig {
  const rig = new Rig(TERMINAL);
  rig.launch();
  rig.do({ type: "stop", end_reason: "stopped" });
  rig.die({ ...DEATH, end_reason: "stopped" });
  return rig;
}

describe("R7: an agent that a person starts by hand in the session's terminal", () => {
  for (const [name, make] of [
    ["said goodbye", () => exited()],
    ["was stopped by a person", stopped],
    ["was interrupted", () => interrupted(TERMINAL)],
  ] as const) {
    it(`R7: where the last one ${name}, it is a new execution, and its conversation the session's`, () => {
      const rig = make();
      const id = rig.find();
      expect(rig.state).toMatchObject({
        state: "STARTING",
        end_reason: null,
        ended_at: null,
        execution: { execution_id: id, how: "found", phase: "running" },
      });
      up(rig);
      expect(rig.state).toMatchObject({ state: "WAITING_FOR_INPUT", resume_token: "tok-9", pid: 77 });
      expect(factsOf(rig.state).execution?.how).toBe("found");
      rig.die();
      expect(rig.state).toMatchObject({ state: "ERROR", end_reason: "interrupted", last_execution_id: id });
      expect(resume(rig)).toMatchObject({ ok: true, answer: { status: "resumed" } });
      expect(rig.state.outbox.at(-1)).toMatchObject({ command: { how: { type: "resume", token: "tok-9" } } });
    });
  }

  it("T5, R3: the stop of a start that gave way to it is over with that start", () => {
    const rig = permitted(new Rig(TERMINAL));
    rig.do({ type: "stop", end_reason: "completed" });
    expect(rig.state.stop).not.toBeNull();
    const id = rig.find();
    expect(rig.state).toMatchObject({ state: "STARTING", stop: null, execution: { execution_id: id } });
    up(rig);
    expect(rig.state.state).toBe("WAITING_FOR_INPUT");
  });

  it("T5: what was stopped stays stopped until then, and comes back by nothing else", () => {
    const rig = stopped();
    rig.host({ type: "agent.token", token: "tok-9" }, { type: "agent.prompted" });
    expect(rig.state).toMatchObject({ state: "CANCELLED", execution: null });
    expect(rig.wait()).toBe(false);
  });

  it("R3: an open claim gives way to it: its order is taken back, and everybody who called is attached", () => {
    const rig = resuming(interrupted(TERMINAL));
    const claimed = rig.state.execution?.execution_id ?? "";
    const id = rig.find();
    expect(rig.state.outbox).toContainEqual({ key: `dequeue:${claimed}`, type: "dequeue", command_id: claimed });
    expect(resume(rig)).toMatchObject({ ok: true, answer: { status: "attached", execution_id: id } });
    rig.do({ type: "link.permit_request", execution_id: claimed, spool_id: rig.spool, head_seq: rig.seq });
    expect(rig.sends("permit.refused").at(-1)).toMatchObject({ frame: { execution_id: claimed } });
    up(rig);
    expect(resume(rig)).toMatchObject({ error: { code: "agent_running", details: { execution_id: id } } });
  });

  it("R3: the continue of a retry that it took the place of is not said to it", () => {
    const rig = interrupted(TERMINAL);
    resume(rig, "retry");
    rig.find();
    up(rig);
    expect(rig.sends("send.prompt")).toEqual([]);
    expect(rig.state.prompts.some((p) => p.state === "queued")).toBe(false);
  });

  it("L1: a permit that the same spool holds is not used any more, and its launch is told so", () => {
    const rig = permitted(resuming(interrupted(TERMINAL)));
    const permittedId = rig.state.execution?.execution_id ?? "";
    const id = rig.find();
    expect(rig.state.execution).toMatchObject({ execution_id: id, phase: "running" });
    expect(rig.effects).toContainEqual(
      expect.objectContaining({
        type: "execution",
        execution_id: permittedId,
        ended: expect.objectContaining({ end_reason: "superseded" }),
      }),
    );
    const failure = { code: "internal", message: "An agent runs there." } as const;
    rig.do({ type: "node.command_failed", command_id: permittedId, failure, retry_at: null });
    expect(rig.state.execution?.execution_id).toBe(id);
  });

  it("R3: never over one that runs, nor over a permit of another spool", () => {
    const running = new Rig(TERMINAL);
    const id = running.launch();
    running.find();
    expect(running.state.execution?.execution_id).toBe(id);
    expect(running.effects).toContainEqual(expect.objectContaining({ type: "warn" }));
    const elsewhere = permitted(new Rig(TERMINAL));
    const mine = elsewhere.state.execution?.execution_id;
    elsewhere.spool = "spl_bbbb";
    elsewhere.seq = 0;
    elsewhere.find();
    expect(elsewhere.state.execution?.execution_id).toBe(mine);
  });

  it("T7: in a deleted session it is nothing", () => {
    const rig = exited();
    rig.do({ type: "remove", remove_worktree: false });
    rig.find();
    expect(rig.state).toMatchObject({ execution: null, removed: true });
    expect(factsOf(rig.state).listed).toBe(false);
  });

  it("C04: an archived session that lives again is in the lists again", () => {
    const rig = exited();
    rig.do({ type: "archive", on: true });
    rig.find();
    expect(rig.state.archived_at).toBeNull();
  });

  it("P2: what people queued is delivered to it", () => {
    const rig = exited();
    rig.state = { ...rig.state, end_reason: "stopped" };
    rig.prompt("prompt-0002");
    rig.find();
    up(rig);
    expect(rig.sends("send.prompt")).toMatchObject([{ prompt_id: "prompt-0002" }]);
  });

  it("T3: its absence is evidence like that of one that was launched", () => {
    const rig = exited({ auto_resume: "never" });
    rig.find();
    up(rig);
    const absent = { node_id: "nod_000001", state_id: "state-1", entry: null, complete: true, last_command_seq: 1 };
    rig.do({ type: "node.evidence", evidence: { ...absent, last_command_seq: 0 } });
    expect(rig.state.state).toBe("WAITING_FOR_INPUT");
    rig.do({ type: "node.evidence", evidence: absent });
    expect(rig.state).toMatchObject({ state: "ERROR", end_reason: "interrupted", error: { code: "spool_lost" } });
  });

  it("L1: told of again with its end, it is over as it ended", () => {
    const rig = exited();
    const id = `exe_found${rig.seq}`;
    rig.hostOf(
      id,
      { type: "execution.opened", how: "found", automatic: false },
      { type: "agent.spawned", pid: 77, start_time: "1", boot_id: "b" },
      { type: "agent.ready", token: "tok-9", how: "new", replayed: 0, verified: true },
      { type: "execution.ended", ...DEATH, end_reason: "agent_exit", failure: null },
    );
    expect(rig.state).toMatchObject({ state: "COMPLETED", end_reason: "agent_exit", last_execution_id: id });
  });
});
