import { describe, expect, it } from "vitest";
import { Rig, TERMINAL } from "./rig.ts";
import { permitted, spawned } from "./situations.ts";

const along = (rig: Rig) => rig.state.execution?.launch_prompt ?? null;
const orders = (rig: Rig) =>
  rig.state.outbox.flatMap((o) => (o.type === "enqueue" && o.command.type === "launch" ? [o.command] : []));
const rowsOf = (rig: Rig, prompt_id: string) =>
  rig.history.flatMap((e) => (e.type === "row.prompt" && e.prompt_id === prompt_id ? [e.state] : []));

/** Its launch's turn is on disk, and the agent runs; it has not said anything. */
function opened(rig = new Rig(TERMINAL)): Rig {
  permitted(rig);
  const { turn_id = "", prompt_id = "" } = along(rig) ?? {};
  spawned(rig).host({ type: "turn.started", turn_id, prompt_id });
  return rig;
}

const ready = (rig: Rig, token: string | null = "tok-1") =>
  rig.host({ type: "agent.ready", token, how: "new", replayed: 0, verified: true });

function resumedWith(mode: "resume" | "retry"): Rig {
  const rig = new Rig(TERMINAL);
  rig.launch();
  rig.die();
  rig.do({ type: "resume", body: { mode, strategy: "native" } });
  return rig;
}

describe("P1: the prompt that a terminal agent starts with", () => {
  it("P1: it rides on the launch, and waits until its host has told its turn", () => {
    const rig = new Rig(TERMINAL);
    expect(along(rig)).toMatchObject({ prompt_id: "prompt-0001", ours: false });
    permitted(rig);
    expect(rig.state.prompts).toEqual([{ prompt_id: "prompt-0001", state: "queued", note: null }]);
    const { turn_id = "", prompt_id = "" } = along(rig) ?? {};
    spawned(rig).host({ type: "turn.started", turn_id, prompt_id });
    expect(rig.state).toMatchObject({
      state: "STARTING",
      prompts: [{ prompt_id, state: "accepted", turn_id }],
      turn: { turn_id, end: null },
    });
    ready(rig);
    expect(rig.state).toMatchObject({ state: "RUNNING", prompted: true });
    expect(rig.sends("send.prompt")).toEqual([]);
  });

  it("P1: its token is claimed although its turn was told first", () => {
    const rig = opened();
    ready(rig);
    rig.payOutbox();
    expect(rig.state.resume_token).toBe("tok-1");
  });

  it("P1: it is never delivered a second time: not at a hello, not by an alarm, not once the agent is ready", () => {
    const rig = opened();
    rig.do({ type: "link.hello", spool_id: rig.spool });
    ready(rig);
    rig.wait();
    rig.host({ type: "turn.ended", turn_id: rig.state.turn?.turn_id ?? "", outcome: "done", message: null });
    rig.do({ type: "link.hello", spool_id: rig.spool });
    expect(rig.sends("send.prompt")).toEqual([]);
    expect(rig.state.prompts).toEqual([]);
    expect(rowsOf(rig, "prompt-0001")).toEqual(["accepted", "done"]);
  });

  it("P2: what is queued behind it comes as prompts do, once its turn is over", () => {
    const rig = opened();
    rig.prompt("prompt-0002");
    ready(rig);
    expect(rig.sends("send.prompt")).toEqual([]);
    rig.host({ type: "turn.ended", turn_id: rig.state.turn?.turn_id ?? "", outcome: "done", message: null });
    expect(rig.sends("send.prompt")).toMatchObject([{ prompt_id: "prompt-0002" }]);
  });

  it("P2: a host that is ready without having told its turn did not take it: it is sent", () => {
    const rig = spawned(permitted(new Rig(TERMINAL)));
    ready(rig);
    expect(rig.state.prompts).toMatchObject([{ prompt_id: "prompt-0001", state: "sent" }]);
  });

  for (const [name, fail] of [
    [
      "before its host began",
      (rig: Rig) =>
        rig.do({
          type: "node.command_failed",
          command_id: rig.state.execution?.execution_id ?? "",
          failure: { code: "host_start_failed", message: "no" },
          retry_at: null,
        }),
    ],
    ["before its turn was told", (rig: Rig) => spawned(permitted(rig)).die({ end_reason: "failed", exit_code: 127 })],
  ] as const) {
    it(`P1: a start that fails ${name} loses nothing: it waits, and rides on the next one`, () => {
      const rig = new Rig(TERMINAL);
      const first = along(rig)?.turn_id;
      fail(rig);
      expect(rig.state).toMatchObject({ state: "ERROR", end_reason: "failed", prompted: false, queue_held: false });
      expect(rig.state.prompts).toMatchObject([{ prompt_id: "prompt-0001", state: "queued" }]);
      expect(rig.do({ type: "recovery", action: "start_again", spec: TERMINAL.spec })).toMatchObject({ ok: true });
      expect(along(rig)).toMatchObject({ prompt_id: "prompt-0001" });
      expect(along(rig)?.turn_id).not.toBe(first);
      rig.launch();
      expect(rig.state).toMatchObject({ state: "RUNNING", prompts: [{ state: "accepted" }] });
    });
  }

  it("P1: a start that fails after its turn was told loses nothing: the same words wait as another prompt", () => {
    const rig = opened();
    const turn_id = rig.state.turn?.turn_id ?? "";
    rig.host({ type: "turn.ended", turn_id, outcome: "interrupted", message: "exit code 127" });
    expect(rig.state.prompts).toMatchObject([{ state: "accepted" }]);
    rig.die({ end_reason: "failed", exit_code: 127 });
    expect(rig.state).toMatchObject({ state: "ERROR", end_reason: "failed", prompted: false, queue_held: false });
    // A host takes no id twice.
    const again = rig.state.prompts[0]?.prompt_id;
    expect(rig.state.prompts).toMatchObject([{ state: "queued" }]);
    expect(again).not.toBe("prompt-0001");
    expect(rig.history).toContainEqual(
      expect.objectContaining({ type: "row.prompt_again", prompt_id: "prompt-0001", as: again }),
    );
    expect(rowsOf(rig, "prompt-0001")).toEqual(["accepted", "done"]);
    rig.do({ type: "recovery", action: "start_again", spec: TERMINAL.spec });
    expect(along(rig)).toMatchObject({ prompt_id: again });
  });

  it("P4: one that was stopped before it came up keeps its prompt as cancelled", () => {
    const rig = opened();
    rig.do({ type: "stop", end_reason: "stopped" });
    const turn_id = rig.state.turn?.turn_id ?? "";
    rig.host({ type: "turn.ended", turn_id, outcome: "cancelled", message: null });
    rig.die({ end_reason: "stopped", failure: null });
    expect(rig.state).toMatchObject({ state: "CANCELLED", prompts: [], prompted: false });
    expect(rig.history).toContainEqual(
      expect.objectContaining({ type: "row.prompt", prompt_id: "prompt-0001", state: "done", outcome: "cancelled" }),
    );
  });

  it("P2: a turn that was over before the agent came up is settled when it does", () => {
    const rig = opened();
    const turn_id = rig.state.turn?.turn_id ?? "";
    rig.host({ type: "turn.ended", turn_id, outcome: "timed_out", message: "limit" });
    rig.prompt("prompt-0002");
    ready(rig);
    expect(rig.state).toMatchObject({ state: "WAITING_FOR_INPUT", queue_held: true });
    rig.do({ type: "recovery", action: "release" });
    expect(rig.sends("send.prompt")).toMatchObject([{ prompt_id: "prompt-0002" }]);
  });

  it("P1: one that was started with it and died before it was ready may have read it: a person decides", () => {
    const rig = opened();
    rig.die({ died: "machine", found: "scan" });
    expect(rig.state.prompts).toEqual([{ prompt_id: "prompt-0001", state: "indeterminate" }]);
    expect(rig.state).toMatchObject({ state: "ERROR", prompted: false, execution: null });
  });

  it("P1: one that heard it, and was killed in the middle, has had it", () => {
    const rig = opened();
    ready(rig);
    rig.host({ type: "agent.prompted" });
    rig.die();
    expect(rowsOf(rig, "prompt-0001")).toEqual(["accepted", "done"]);
  });

  it("P1: a machine that is lost after the permit may have started it", () => {
    const rig = permitted(new Rig(TERMINAL));
    rig.do({
      type: "node.evidence",
      evidence: { node_id: "nod_000001", state_id: "state-1", entry: null, complete: true, last_command_seq: 9 },
    });
    expect(rig.state.prompts).toEqual([{ prompt_id: "prompt-0001", state: "indeterminate" }]);
  });

  it("X5: an agent that comes back by itself with a prompt, and dies at once, is not started for ever", () => {
    const rig = new Rig({ ...TERMINAL, auto_resume: "always" });
    rig.launch();
    rig.host({ type: "turn.ended", turn_id: rig.state.turn?.turn_id ?? "", outcome: "done", message: null });
    rig.prompt("prompt-0002");
    rig.die();
    expect(rig.state.execution).toMatchObject({ automatic: true, launch_prompt: { prompt_id: "prompt-0002" } });
    opened(rig);
    ready(rig);
    rig.die();
    expect(rig.state).toMatchObject({ execution: null, recovery: { attempt: 1 } });
  });

  it("P2: while only ordered it can be changed or taken out, by another order; once its host may start it, it can't", () => {
    const rig = new Rig(TERMINAL);
    const first = rig.state.execution?.execution_id;
    const edit = () =>
      rig.do({ type: "prompt.edit", prompt_id: "prompt-0001", blocks: [{ type: "text", text: "better" }] });
    expect(edit().ok).toBe(true);
    const second = rig.state.execution?.execution_id;
    expect(second).not.toBe(first);
    expect(rig.state.outbox).toContainEqual({ key: `dequeue:${first}`, type: "dequeue", command_id: first });
    expect(along(rig)).toMatchObject({ prompt_id: "prompt-0001" });
    rig.do({ type: "link.permit_request", execution_id: first ?? "", spool_id: rig.spool, head_seq: 0 });
    expect(rig.launches()).toBe(0);
    permitted(rig);
    expect(edit()).toMatchObject({ error: { code: "prompt_not_queued" } });
    expect(rig.do({ type: "prompt.remove", prompt_id: "prompt-0001" })).toMatchObject({
      error: { code: "prompt_not_queued" },
    });
    const other = new Rig(TERMINAL);
    other.do({ type: "prompt.remove", prompt_id: "prompt-0001" });
    expect(along(other)).toBeNull();
    other.launch();
    expect(other.state).toMatchObject({ state: "WAITING_FOR_INPUT", prompted: false, prompts: [] });
  });

  it("R8: the continue of a retry rides on the launch, and goes with the claim that is undone", () => {
    const rig = resumedWith("retry");
    expect(rig.state.prompts.at(0)).toMatchObject({ prompt_id: along(rig)?.prompt_id, state: "queued" });
    expect(along(rig)).toMatchObject({ ours: true });
    rig.do({ type: "recovery", action: "cancel" });
    expect(rig.state.prompts.some((p) => p.state === "queued")).toBe(false);
    expect(rig.state).toMatchObject({ state: "ERROR", queue_held: true });
    const again = resumedWith("retry");
    again.launch();
    expect(again.state).toMatchObject({ state: "RUNNING", queue_held: false });
    expect(again.sends("send.prompt")).toEqual([]);
  });

  it("R6: an interrupted turn holds the queue: a plain resume brings nothing along", () => {
    const rig = resumedWith("resume");
    expect(along(rig)).toBeNull();
    expect(orders(rig).at(-1)).toMatchObject({ how: { type: "resume", token: "tok-1" } });
    rig.launch();
    expect(rig.state).toMatchObject({ state: "WAITING_FOR_INPUT", queue_held: true });
  });

  it("an ACP agent's prompts are told to it when it is ready, as ever", () => {
    const rig = new Rig();
    expect(along(rig)).toBeNull();
    rig.launch();
    expect(rig.state.prompts).toMatchObject([{ state: "sent" }]);
  });
});
