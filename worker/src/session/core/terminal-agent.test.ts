import { describe, expect, it } from "vitest";
import { factsOf } from "./facts.ts";
import { DEATH, Rig, TERMINAL } from "./rig.ts";
import { permitted, spawned } from "./situations.ts";

describe("R1, R2: what a terminal agent can, and which conversation it serves", () => {
  it("R1: before it told anything its profile's resume args say it; without them it is not_resumable", () => {
    expect(factsOf(new Rig(TERMINAL).state).supports_session_resume).toBe(true);
    const { resume_args: _none, ...spec } = TERMINAL.spec;
    const rig = new Rig({ spec, can_resume: false });
    rig.launch("tok-1", false);
    rig.die();
    expect(rig.do({ type: "resume", body: { mode: "resume", strategy: "native" } })).toMatchObject({
      error: { code: "not_resumable", details: { reason: "not_resumable" } },
    });
  });

  it("R1: resume args that were added count for a session that starts again", () => {
    const { resume_args: _none, ...spec } = TERMINAL.spec;
    const rig = new Rig({ spec, can_resume: false });
    permitted(rig);
    spawned(rig).die({ end_reason: "failed", exit_code: 127 });
    rig.do({ type: "recovery", action: "start_again", spec: TERMINAL.spec });
    expect(rig.state.supports_session_resume).toBe(true);
  });

  it("R2: the token of the conversation that it went to is claimed, then written; only of its own execution", () => {
    const rig = new Rig(TERMINAL);
    rig.launch("tok-1");
    rig.host({ type: "agent.token", token: "tok-2" });
    expect(rig.state.resume_token).toBe("tok-1");
    rig.payOutbox();
    expect(rig.state.resume_token).toBe("tok-2");
    rig.hostOf("exe_other", { type: "agent.token", token: "tok-3" });
    rig.payOutbox();
    expect(rig.state.resume_token).toBe("tok-2");
  });

  it("R2: told one after another, the last that it told is the one that counts", () => {
    const rig = new Rig(TERMINAL);
    rig.launch("tok-1");
    rig.host({ type: "agent.token", token: "tok-2" }, { type: "agent.token", token: "tok-1" });
    rig.payOutbox();
    expect(rig.state.resume_token).toBe("tok-1");
    rig.host({ type: "agent.token", token: "tok-2" });
    const late = rig.state.outbox.find((o) => o.type === "claim_token");
    rig.host({ type: "agent.token", token: "tok-3" });
    rig.do({ type: "outbox.done", key: late?.key ?? "", result: { type: "claim_token", granted: true } });
    rig.payOutbox();
    expect(rig.state.resume_token).toBe("tok-3");
  });

  it("C16: one that another session holds is refused, said so, and the session's own stays", () => {
    const rig = new Rig(TERMINAL);
    rig.launch("tok-1");
    rig.host({ type: "agent.token", token: "tok-theirs" });
    const owed = rig.state.outbox.find((o) => o.type === "claim_token");
    rig.do({ type: "outbox.done", key: owed?.key ?? "", result: { type: "claim_token", granted: false } });
    expect(rig.state.resume_token).toBe("tok-1");
    expect(rig.effects).toContainEqual(
      expect.objectContaining({ type: "row.put", body: expect.objectContaining({ code: "token_in_use" }) }),
    );
  });

  it("§3, C16: a conversation is let go of once its agent said goodbye, or went to another; never while it can go on", () => {
    const release = (rig: Rig, token: string) => rig.do({ type: "token.release", token });
    const running = new Rig(TERMINAL);
    running.launch("tok-1");
    expect(release(running, "tok-1")).toMatchObject({ error: { code: "token_in_use" } });
    running.host({ type: "agent.token", token: "tok-2" });
    expect(release(running, "tok-2"), "it is being claimed").toMatchObject({ ok: false });
    running.payOutbox();
    expect(release(running, "tok-1"), "it left it").toEqual({ ok: true });
    expect(running.state.resume_token).toBe("tok-2");
    running.die({ end_reason: "stopped", failure: null });
    expect(release(running, "tok-2"), "a person can resume it").toMatchObject({ ok: false });

    const left = new Rig(TERMINAL);
    left.launch("tok-1");
    left.die({ end_reason: "agent_exit", failure: null });
    expect(release(left, "tok-1")).toEqual({ ok: true });
    expect(left.state.resume_token).toBeNull();
    // Started by hand again, it asks for its conversation like any other.
    left.find();
    left.host({ type: "agent.ready", token: "tok-1", how: "new", replayed: 0, verified: true });
    expect(left.state.outbox).toContainEqual(expect.objectContaining({ type: "claim_token", token: "tok-1" }));
  });

  it("R7, R6: never prompted, it is no candidate; a submitted line, or a turn, makes it one", () => {
    for (const [said, resumable] of [
      [[], false],
      [[{ type: "agent.prompted" }], true],
      [[{ type: "turn.started", turn_id: "trn_hand", prompt_id: null }], true],
    ] as const) {
      const rig = new Rig({ ...TERMINAL, prompt: null, auto_resume: "always" });
      rig.launch();
      rig.host(...said);
      rig.die();
      expect(rig.state.execution !== null).toBe(resumable);
    }
  });

  it("ui.md: what it asks in its terminal needs its person, until the turn or the execution is over", () => {
    const asks = () => {
      const rig = new Rig(TERMINAL);
      rig.launch();
      rig.host({ type: "agent.attention", text: "May it run rm?" });
      expect(factsOf(rig.state).attention).toBe("May it run rm?");
      return rig;
    };
    const over = asks();
    over.host({ type: "turn.ended", turn_id: over.state.turn?.turn_id ?? "", outcome: "done", message: null });
    const next = asks();
    next.host({ type: "turn.started", turn_id: "trn_next", prompt_id: null });
    const dead = asks();
    dead.die(DEATH);
    const answered = asks();
    answered.host({ type: "agent.attention", text: null });
    for (const rig of [over, next, dead, answered]) expect(factsOf(rig.state).attention).toBeNull();
  });

  it("R7: a goodbye ends nothing by itself, and is kept as the last that was heard", () => {
    const rig = new Rig(TERMINAL);
    rig.launch();
    rig.host({ type: "agent.goodbye", reason: "prompt_input_exit", explicit: true });
    expect(rig.state).toMatchObject({ state: "RUNNING", last_event_type: "agent.goodbye" });
    rig.die({ end_reason: "agent_exit", exit_code: 0, signal: null, failure: null });
    expect(rig.state).toMatchObject({ state: "COMPLETED", end_reason: "agent_exit" });
    expect(rig.effects).toContainEqual(
      expect.objectContaining({
        type: "execution",
        terminal: "agent",
        ended: expect.objectContaining({ last_event_type: "agent.goodbye" }),
      }),
    );
  });
});
