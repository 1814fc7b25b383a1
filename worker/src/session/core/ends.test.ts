import type { AutoResume, EndReason, SessionState } from "@reprise/protocol";
import { describe, expect, it } from "vitest";
import { ENTRY } from "./every-event.ts";
import { isSettled } from "./facts.ts";
import { DEATH, Rig } from "./rig.ts";

function working(birth = {}): Rig {
  const rig = new Rig(birth);
  rig.launch();
  rig.accept();
  rig.say("half", "open");
  return rig;
}

describe("How an execution ends (design §3)", () => {
  const table: [EndReason, SessionState][] = [
    ["interrupted", "ERROR"],
    ["failed", "ERROR"],
    ["completed", "COMPLETED"],
    ["stopped", "CANCELLED"],
    ["agent_exit", "COMPLETED"],
  ];
  for (const [end_reason, state] of table) {
    it(`§3: ${end_reason} makes the session ${state}`, () => {
      const rig = working();
      if (end_reason === "superseded") throw new Error("not told by a host");
      rig.die({ ...DEATH, end_reason });
      expect(rig.state).toMatchObject({ state, end_reason, execution: null, turn: { end: {} } });
    });
  }

  it("C01: the open turn, its items and approvals end with the execution, and the queue is held", () => {
    const rig = working();
    rig.host({
      type: "approval.asked",
      ask: {
        request_id: "r1",
        turn_id: rig.state.turn?.turn_id ?? null,
        tool_call_id: null,
        title: "rm",
        options: [{ option_id: "y", name: "Yes", kind: "allow_once" }],
        content: [],
        input: null,
      },
    });
    rig.prompt("prompt-0002");
    rig.state.queue_held = false;
    rig.die();
    expect(rig.state).toMatchObject({
      turn: { end: { outcome: "interrupted" } },
      approvals: [],
      open_items: [],
      queue_held: true,
    });
    expect(rig.effects.map((e) => e.type)).toContain("row.item_interrupted");
    expect(rig.effects).toContainEqual(expect.objectContaining({ type: "row.approval", state: "expired" }));
    expect(rig.state.prompts).toEqual([{ prompt_id: "prompt-0002", state: "queued", note: null }]);
  });

  it("T5: intent wins over every later report", () => {
    const rig = working();
    rig.do({ type: "stop", end_reason: "stopped" });
    expect(rig.state.stop).not.toBeNull();
    rig.die({ ...DEATH, end_reason: "agent_exit" });
    expect(rig.state).toMatchObject({ state: "CANCELLED", end_reason: "stopped" });
  });

  it("C25: what was stopped on purpose never comes back by itself", () => {
    const rig = working({ auto_resume: "always" });
    rig.do({ type: "stop", end_reason: "stopped" });
    rig.die({ ...DEATH, died: "machine", found: "scan" });
    expect(rig.state).toMatchObject({ state: "CANCELLED", execution: null, recovery: null });
    expect(rig.wait()).toBe(false);
  });

  it("T5: a start that was stopped after its permit and came to nothing is stopped, and isn't tried again", () => {
    const rig = working();
    rig.die();
    rig.do({ type: "resume", body: { mode: "resume", strategy: "native" } });
    const execution_id = rig.state.execution?.execution_id ?? "";
    rig.do({ type: "link.permit_request", execution_id, spool_id: rig.spool, head_seq: rig.seq });
    expect(rig.state.execution?.phase).toBe("permitted");
    rig.do({ type: "stop", end_reason: "stopped" });
    const failure = { code: "internal", message: "no host" } as const;
    rig.do({ type: "node.command_failed", command_id: execution_id, failure, retry_at: null });
    expect(rig.state).toMatchObject({ state: "CANCELLED", end_reason: "stopped", execution: null, stop: null });
    expect(rig.wait()).toBe(false);
  });

  it("T3: an end that stands is not overwritten, and a known event changes nothing", () => {
    const rig = working();
    const id = rig.state.execution?.execution_id ?? "";
    rig.die();
    const before = rig.state;
    rig.hostOf(id, { type: "execution.ended", ...DEATH, end_reason: "agent_exit" });
    expect(rig.state).toMatchObject({ state: before.state, end_reason: before.end_reason });
  });

  it("P1: a turn that its host ends as interrupted is told apart the same way", () => {
    const rig = new Rig();
    rig.launch();
    const turn_id = rig.accept();
    rig.host(
      { type: "turn.ended", turn_id, outcome: "interrupted", message: "killed" },
      { type: "execution.ended", ...DEATH },
    );
    expect(rig.state.prompts).toEqual([{ prompt_id: "prompt-0001", state: "indeterminate" }]);
    expect(rig.state).toMatchObject({ state: "ERROR", queue_held: true, turn: { end: { outcome: "interrupted" } } });
  });

  it("P1: death before anything came back leaves the prompt indeterminate; before acceptance, queued", () => {
    const rig = new Rig();
    rig.launch();
    rig.accept();
    rig.die();
    expect(rig.state.prompts).toEqual([{ prompt_id: "prompt-0001", state: "indeterminate" }]);
    const early = new Rig();
    early.launch();
    early.die();
    expect(early.state.prompts).toEqual([{ prompt_id: "prompt-0001", state: "queued", note: null }]);
  });
});

describe("R6: what comes back by itself", () => {
  const cases: { auto: AutoResume; died: "agent" | "host" | "machine"; found: "live" | "scan"; back: boolean }[] = [
    { auto: "interrupted", died: "agent", found: "live", back: false },
    { auto: "interrupted", died: "host", found: "live", back: false },
    { auto: "interrupted", died: "host", found: "scan", back: true },
    { auto: "interrupted", died: "machine", found: "scan", back: true },
    { auto: "never", died: "machine", found: "scan", back: false },
    { auto: "always", died: "agent", found: "live", back: true },
    { auto: "always", died: "host", found: "scan", back: true },
  ];
  for (const c of cases) {
    it(`R6: auto_resume ${c.auto}, ${c.died} found dead (${c.found}): ${c.back ? "resumed" : "banner"}`, () => {
      const rig = working({ auto_resume: c.auto });
      rig.die({ ...DEATH, died: c.died, found: c.found });
      expect(rig.state.execution !== null).toBe(c.back);
      if (c.back)
        expect(rig.state.outbox).toContainEqual(
          expect.objectContaining({
            type: "enqueue",
            command: expect.objectContaining({
              how: { type: "resume", token: "tok-1", had_turns: true },
              automatic: true,
            }),
          }),
        );
    });
  }

  it("X5: `always`, and an agent that dies as soon as it is back: attempts wait, and end", () => {
    const rig = working({ auto_resume: "always" });
    rig.die();
    const waits: number[] = [];
    for (let i = 0; i < 20 && rig.state.execution; i++) {
      rig.launch();
      expect(rig.state.state).toBe("WAITING_FOR_INPUT");
      const before = rig.now;
      rig.die();
      if (!rig.wait()) break;
      waits.push(rig.now - before);
    }
    expect(waits).toEqual([5_000, 10_000, 20_000, 40_000, 60_000]);
    expect(rig.state).toMatchObject({ state: "ERROR", end_reason: "interrupted", recovery: null });
  });

  it("§3: what ended for good is not made resumable by a stop", () => {
    const rig = working();
    rig.die({ ...DEATH, end_reason: "agent_exit" });
    rig.do({ type: "stop", end_reason: "stopped" });
    expect(rig.state).toMatchObject({ state: "COMPLETED", end_reason: "agent_exit" });
  });

  it("R6: an interrupted turn is never sent again by itself", () => {
    const rig = working();
    rig.die({ ...DEATH, died: "machine", found: "scan" });
    rig.launch();
    expect(rig.state).toMatchObject({
      state: "WAITING_FOR_INPUT",
      queue_held: true,
      turn: { end: { outcome: "interrupted" } },
    });
    expect(rig.state.prompts).toEqual([]);
    rig.do({ type: "recovery", action: "continue" });
    expect(rig.state.prompts).toMatchObject([{ state: "sent" }]);
  });

  it("R6: never prompted, or idle for a day, is left alone", () => {
    const rig = new Rig();
    rig.launch();
    rig.die({ ...DEATH, died: "machine", found: "scan" });
    expect(rig.state.execution).toBeNull();
    const old = working();
    old.now += 2 * 86_400_000;
    const id = old.state.execution?.execution_id ?? "";
    old.hostOf(id, { type: "execution.ended", ...DEATH, died: "machine", found: "scan" });
    expect(old.state.execution).toBeNull();
  });
});

const AWAY = {
  id: "nod_000001",
  name: "mini",
  kind: "local",
  presence: "offline",
  since: 0,
  reason: null,
  heard_at: 0,
} as const;

describe("T3: absence", () => {
  const absent = { node_id: "nod_000001", state_id: "state-1", entry: null, complete: true, last_command_seq: 1 };

  it("T3: only a complete look, of the same state folder, newer than the launch, ends an execution", () => {
    for (const weak of [{ complete: false }, { state_id: "state-2" }, { last_command_seq: 0 }]) {
      const rig = working();
      rig.do({ type: "node.evidence", evidence: { ...absent, ...weak } });
      expect(rig.state.state).toBe("RUNNING");
    }
    const rig = working({ auto_resume: "never" });
    rig.do({ type: "node.evidence", evidence: absent });
    expect(rig.state).toMatchObject({ state: "ERROR", end_reason: "interrupted", error: { code: "spool_lost" } });
  });

  it("T3: a host that lives with another spool than the execution's has lost it", () => {
    const entry = {
      session_id: "ses_000001",
      runtime: "standalone",
      spool: { spool_id: "spl_bbbb", last_seq: 0 },
      host: { state: "alive", pid: 7, container_id: null },
      executor: { status: "ready", failure: null, retry_at: null },
      execution: null,
      workspace: { path: "/w", exists: true },
    } as const;
    const rig = working({ auto_resume: "never" });
    rig.do({
      type: "node.evidence",
      evidence: { ...absent, entry: { ...entry, host: { ...entry.host, state: "dead" } } },
    });
    rig.do({
      type: "node.evidence",
      evidence: { ...absent, entry: { ...entry, spool: { spool_id: rig.spool, last_seq: rig.seq } } },
    });
    expect(rig.state.state).toBe("RUNNING");
    rig.do({ type: "node.evidence", evidence: { ...absent, entry } });
    expect(rig.state).toMatchObject({ state: "ERROR", end_reason: "interrupted", error: { code: "spool_lost" } });
  });

  for (const how of ["declared lost", "absent"] as const) {
    it(`P1: a prompt on its way to an execution that is ${how} may have arrived: it is indeterminate, never sent again`, () => {
      const rig = new Rig();
      const id = rig.launch();
      expect(rig.state.prompts).toMatchObject([{ state: "sent" }]);
      if (how === "absent") rig.do({ type: "node.evidence", evidence: absent });
      else {
        rig.do({ type: "node.presence", node: { ...AWAY, since: rig.now } });
        rig.do({ type: "recovery", action: "declare_lost" });
      }
      expect(rig.state.prompts).toEqual([{ prompt_id: "prompt-0001", state: "indeterminate" }]);
      // The machine is back after all, and its spool tells that the prompt had arrived: nothing waits for its end.
      rig.hostOf(
        id,
        { type: "turn.started", turn_id: "trn_old", prompt_id: "prompt-0001" },
        { type: "turn.ended", turn_id: "trn_old", outcome: "done", message: null },
        { type: "execution.ended", ...DEATH },
      );
      expect(rig.state.prompts).toEqual([{ prompt_id: "prompt-0001", state: "indeterminate" }]);
      expect(rig.history).toContainEqual(
        expect.objectContaining({
          type: "row.put",
          body: expect.objectContaining({ kind: "turn_end", outcome: "done" }),
        }),
      );
      rig.do({ type: "resume", body: { mode: "resume", strategy: "native" } });
      rig.launch();
      rig.prompt("prompt-0002");
      expect(rig.state.prompts).toMatchObject([
        { state: "indeterminate" },
        { prompt_id: "prompt-0002", state: "sent" },
      ]);
    });
  }

  it("T7: what was declared lost is ended there if its machine comes back, and doesn't come back by itself", () => {
    const rig = working({ auto_resume: "always" });
    const execution_id = rig.state.execution?.execution_id;
    rig.do({ type: "node.presence", node: { ...AWAY, since: rig.now } });
    rig.do({ type: "recovery", action: "declare_lost" });
    expect(rig.state).toMatchObject({ state: "ERROR", execution: null, recovery: null });
    expect(rig.state.outbox).toContainEqual(
      expect.objectContaining({ type: "enqueue", command: expect.objectContaining({ type: "stop", execution_id }) }),
    );
  });

  it("X2: what ended while its machine was away is told when it is back, or it would stay unreachable for ever", () => {
    const rig = working({ auto_resume: "never" });
    rig.do({ type: "node.presence", node: { ...AWAY, since: rig.now } });
    rig.do({ type: "recovery", action: "declare_lost" });
    expect(rig.state).toMatchObject({ state: "ERROR", executor: { failure: { code: "node_unreachable" } } });
    expect(isSettled(rig.state)).toBe(false);
    for (const [entry, status] of [
      [ENTRY, "ready"],
      [null, "stopped"],
    ] as const) {
      const back = new Rig();
      back.state = rig.state;
      back.do({ type: "node.evidence", evidence: { ...absent, entry } });
      expect(back.state.executor).toMatchObject({ status, failure: null });
      expect(isSettled(back.state)).toBe(true);
    }
  });

  it("T3: with nothing launched, the machine's present state folder is the one that counts", () => {
    const rig = working({ auto_resume: "never" });
    rig.die();
    rig.do({ type: "node.evidence", evidence: { ...absent, state_id: "state-2" } });
    expect(rig.state.state_id).toBe("state-2");
  });

  it("T3: a silent machine changes words only; a person may declare it lost", () => {
    const rig = working();
    rig.do({
      type: "node.presence",
      node: { ...AWAY, since: rig.now },
    });
    expect(rig.state).toMatchObject({
      state: "RUNNING",
      executor: { status: "error", failure: { code: "node_unreachable" } },
    });
    rig.do({ type: "recovery", action: "declare_lost" });
    expect(rig.state).toMatchObject({ state: "ERROR", end_reason: "interrupted", execution: null });
  });
});
