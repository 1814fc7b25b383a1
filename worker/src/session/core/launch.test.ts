import { describe, expect, it } from "vitest";
import { DEATH, Rig } from "./rig.ts";

describe("R3: claims and permits", () => {
  it("R3: create is one claim, one launch command with the execution's id, and STARTING", () => {
    const rig = new Rig();
    expect(rig.state.state).toBe("STARTING");
    expect(rig.state.execution?.phase).toBe("claimed");
    expect(rig.state.outbox).toMatchObject([
      {
        type: "enqueue",
        command: { type: "launch", command_id: rig.state.execution?.execution_id, how: { type: "new" } },
      },
    ]);
  });

  it("R3: a permit goes only to the present claim, and only once its spool is drained", () => {
    const rig = new Rig();
    const id = rig.state.execution?.execution_id ?? "";
    rig.do({ type: "link.permit_request", execution_id: "exe_other", spool_id: rig.spool, head_seq: 0 });
    expect(rig.sends("permit.refused")).toHaveLength(1);
    rig.do({ type: "link.permit_request", execution_id: id, spool_id: rig.spool, head_seq: 2 });
    expect(rig.launches()).toBe(0);
    rig.hostOf(
      "exe_old",
      { type: "notice", level: "info", code: "x", text: "x" },
      { type: "notice", level: "info", code: "x", text: "y" },
    );
    expect(rig.launches()).toBe(1);
    expect(rig.state.execution?.phase).toBe("permitted");
  });

  it("R3: a lost grant is given again to the same spool, never to another", () => {
    const rig = new Rig();
    const id = rig.state.execution?.execution_id ?? "";
    const ask = { type: "link.permit_request", execution_id: id, head_seq: 0 } as const;
    rig.do({ ...ask, spool_id: "spl_aaaa" });
    rig.do({ ...ask, spool_id: "spl_aaaa" });
    expect(rig.sends("permit.granted")).toHaveLength(2);
    rig.do({ ...ask, spool_id: "spl_bbbb" });
    expect(rig.sends("permit.granted")).toHaveLength(2);
    expect(rig.sends("permit.refused")).toHaveLength(1);
  });

  it("R3: a second resume attaches to the open claim; 20 presses leave one", () => {
    const rig = ended();
    const answers = Array.from({ length: 20 }, () =>
      rig.do({ type: "resume", body: { mode: "resume", strategy: "native" } }),
    );
    expect(answers[0]).toMatchObject({ ok: true, answer: { status: "resumed", prior_state: "ERROR" } });
    for (const a of answers.slice(1))
      expect(a).toMatchObject({
        ok: true,
        answer: { status: "attached", execution_id: rig.state.execution?.execution_id },
      });
    expect(rig.state.outbox.filter((o) => o.type === "enqueue")).toHaveLength(1);
  });

  it("R3, C17: a live agent is attached to, never resumed", () => {
    const rig = new Rig();
    const execution_id = rig.launch();
    expect(rig.do({ type: "resume", body: { mode: "resume", strategy: "native" } })).toMatchObject({
      ok: false,
      error: { code: "agent_running", details: { execution_id } },
    });
  });

  it("R3: a claim taken back before its permit starts nothing, and the permit is refused", () => {
    const rig = ended();
    rig.do({ type: "resume", body: { mode: "resume", strategy: "native" } });
    const id = rig.state.execution?.execution_id ?? "";
    rig.do({ type: "recovery", action: "cancel" });
    expect(rig.state).toMatchObject({ state: "ERROR", end_reason: "interrupted", execution: null, recovery: null });
    expect(rig.state.error, "why it stands as it does is said again (T4)").toMatchObject({ code: "agent_died" });
    rig.do({ type: "link.permit_request", execution_id: id, spool_id: rig.spool, head_seq: rig.seq });
    expect(rig.launches()).toBe(1);
  });

  it("R3: a claim that an absent node never picked up expires; a present node's waits on", () => {
    const rig = ended();
    rig.do({ type: "resume", body: { mode: "resume", strategy: "native" } });
    rig.wait();
    expect(rig.state.execution?.phase).toBe("claimed");
    rig.do({
      type: "node.presence",
      node: {
        id: "nod_000001",
        name: "mini",
        kind: "local",
        presence: "offline",
        since: rig.now,
        reason: null,
        heard_at: 0,
      },
    });
    rig.wait();
    expect(rig.state).toMatchObject({ state: "ERROR", end_reason: "interrupted", execution: null });
  });

  it("C02: a failed launch leaves STARTING at once, with its reason; prompts stay queued", () => {
    const rig = new Rig();
    const id = rig.state.execution?.execution_id ?? "";
    rig.do({
      type: "node.command_failed",
      command_id: id,
      failure: { code: "agent_not_found", message: "claude-agent-acp is not on PATH" },
      retry_at: null,
    });
    expect(rig.state).toMatchObject({
      state: "ERROR",
      end_reason: "failed",
      error: { code: "agent_not_found" },
      execution: null,
    });
    expect(rig.state.prompts).toMatchObject([{ state: "queued" }]);
    expect(rig.do({ type: "recovery", action: "start_again" }).ok).toBe(true);
    rig.launch();
    expect(rig.state.prompts).toMatchObject([{ state: "sent" }]);
  });
});

it("R2: a session without a conversation starts again as its profile says now", () => {
  const rig = new Rig();
  const failure = { code: "agent_start_failed", message: "root" } as const;
  rig.do({ type: "node.command_failed", command_id: rig.state.execution?.execution_id ?? "", failure, retry_at: null });
  rig.do({ type: "recovery", action: "start_again", spec: { ...rig.state.spec, env: { IS_SANDBOX: "1" } } });
  expect(rig.state.outbox).toContainEqual(
    expect.objectContaining({
      command: expect.objectContaining({ spec: expect.objectContaining({ env: { IS_SANDBOX: "1" } }) }),
    }),
  );
});

describe("settings", () => {
  it("R2: a mode chosen while the agent runs is said until the agent says its settings", () => {
    const rig = new Rig();
    rig.launch();
    rig.do({ type: "settings", mode: "plan" });
    expect(rig.state.outbox).toContainEqual({ key: "want:answer", type: "want", reason: "answer" });
    rig.do({ type: "link.hello", spool_id: rig.spool });
    expect(rig.sends("set_mode")).toHaveLength(2);
    rig.host({ type: "agent.settings", mode: "plan", modes: [], model: null, models: [], commands: [] });
    rig.do({ type: "link.hello", spool_id: rig.spool });
    expect(rig.sends("set_mode")).toHaveLength(2);
  });
});

describe("R8: the guards of resume", () => {
  it("R8: CREATED is nothing_to_resume, an unknown task is session_not_found", () => {
    const rig = ended();
    expect(
      rig.do({ type: "resume", body: { mode: "resume", strategy: "native", task_id: "tsk_other" } }),
    ).toMatchObject({ error: { code: "session_not_found" } });
  });

  it("R8: an agent that can't load is not_resumable, with the reason", () => {
    const rig = new Rig();
    rig.launch("tok", false);
    rig.accept();
    rig.die();
    expect(rig.do({ type: "resume", body: { mode: "resume", strategy: "native" } })).toMatchObject({
      error: { code: "not_resumable", details: { reason: "not_resumable" } },
    });
  });

  it("R8: retry sends one continue prompt once the agent is ready, and writes one session_resumed", () => {
    const rig = ended();
    rig.do({ type: "resume", body: { mode: "retry", strategy: "native" } });
    rig.launch();
    expect(rig.history.filter((e) => e.type === "row.put" && e.body.kind === "resumed")).toHaveLength(1);
    expect(rig.state.prompts.filter((p) => p.state === "sent")).toHaveLength(1);
  });

  it("R9, C11: gone is said as gone and not tried again; a person may", () => {
    const rig = ended();
    rig.do({ type: "resume", body: { mode: "resume", strategy: "native" } });
    const id = rig.state.execution?.execution_id ?? "";
    rig.do({ type: "link.permit_request", execution_id: id, spool_id: rig.spool, head_seq: rig.seq });
    rig.host(
      { type: "execution.opened", how: "resume", automatic: false },
      { type: "agent.spawned", pid: 1, start_time: "1", boot_id: "b" },
    );
    rig.die({ end_reason: "failed", failure: { code: "conversation_gone", message: "No previous sessions found" } });
    expect(rig.state).toMatchObject({
      state: "ERROR",
      resume_failure: { code: "conversation_gone" },
      recovery: null,
      resume_token: "tok-1",
    });
    expect(rig.wait()).toBe(false);
    expect(rig.do({ type: "resume", body: { mode: "resume", strategy: "native" } })).toMatchObject({ ok: true });
  });

  it("X5, C10: a failed resume is tried again later and later, then never", () => {
    const rig = ended();
    rig.do({ type: "resume", body: { mode: "resume", strategy: "native" } });
    const waits: number[] = [];
    for (let i = 0; i < 20 && rig.state.execution; i++) {
      rig.do({
        type: "node.command_failed",
        command_id: rig.state.execution.execution_id,
        failure: { code: "host_start_failed", message: "no" },
        retry_at: null,
      });
      const before = rig.now;
      if (!rig.wait()) break;
      waits.push(rig.now - before);
    }
    expect(waits).toEqual([5_000, 10_000, 20_000, 40_000, 60_000]);
    expect(rig.state).toMatchObject({ state: "ERROR", recovery: null, resume_failure: { code: "host_start_failed" } });
  });
});

function ended(): Rig {
  const rig = new Rig();
  rig.launch();
  rig.accept();
  rig.say("working");
  rig.die(DEATH);
  return rig;
}
