import { describe, expect, it } from "vitest";
import { Rig } from "./rig.ts";

describe("P1, P2: prompts", () => {
  it("P1: the same id is one prompt", () => {
    const rig = new Rig();
    rig.prompt("prompt-0002");
    rig.prompt("prompt-0002");
    expect(rig.state.prompts.map((p) => p.prompt_id)).toEqual(["prompt-0001", "prompt-0002"]);
  });

  it("P2: one at a time, in order, the next when the turn is over", () => {
    const rig = new Rig();
    rig.prompt("prompt-0002");
    rig.launch();
    expect(rig.state.prompts.map((p) => p.state)).toEqual(["sent", "queued"]);
    const turn_id = rig.accept();
    expect(rig.state.state).toBe("RUNNING");
    rig.host({ type: "turn.ended", turn_id, outcome: "done", message: null });
    expect(rig.state.prompts).toMatchObject([{ prompt_id: "prompt-0002", state: "sent" }]);
  });

  it("C19: a prompt to an absent agent waits, visibly, and goes out when it is back", () => {
    const rig = new Rig();
    rig.launch();
    const turn_id = rig.accept();
    rig.host({ type: "turn.ended", turn_id, outcome: "done", message: null });
    rig.die();
    rig.prompt("prompt-0002");
    expect(rig.state.prompts).toMatchObject([{ state: "queued" }]);
    rig.do({ type: "resume", body: { mode: "resume", strategy: "native" } });
    rig.launch();
    expect(rig.state.prompts).toMatchObject([{ prompt_id: "prompt-0002", state: "sent" }]);
  });

  for (const outcome of ["failed", "timed_out", "interrupted"] as const) {
    it(`P2: a turn that ${outcome} holds the queue until a person acts`, () => {
      const rig = new Rig();
      rig.launch();
      const turn_id = rig.accept();
      rig.say("half");
      rig.prompt("prompt-0002");
      rig.host({ type: "turn.ended", turn_id, outcome, message: "why" });
      expect(rig.state).toMatchObject({ state: "WAITING_FOR_INPUT", queue_held: true });
      expect(rig.state.prompts).toMatchObject([{ state: "queued" }]);
      rig.do({ type: "recovery", action: "release" });
      expect(rig.state.prompts).toMatchObject([{ state: "sent" }]);
    });
  }

  it("P1: an unacknowledged send is said again with the same id and turn", () => {
    const rig = new Rig();
    rig.launch();
    const first = rig.sends("send.prompt");
    rig.wait();
    rig.do({ type: "link.hello", spool_id: rig.spool });
    const all = rig.sends("send.prompt");
    expect(all).toHaveLength(3);
    for (const s of all) expect(s).toEqual(first[0]);
  });

  it("P2: a queued prompt can be edited and removed, a sent one can't", () => {
    const rig = new Rig();
    rig.prompt("prompt-0002");
    expect(
      rig.do({ type: "prompt.edit", prompt_id: "prompt-0002", blocks: [{ type: "text", text: "better" }] }).ok,
    ).toBe(true);
    rig.launch();
    expect(rig.do({ type: "prompt.remove", prompt_id: "prompt-0001" })).toMatchObject({
      error: { code: "prompt_not_queued" },
    });
    expect(rig.do({ type: "prompt.remove", prompt_id: "prompt-0002" }).ok).toBe(true);
    expect(rig.state.prompts.map((p) => p.prompt_id)).toEqual(["prompt-0001"]);
  });

  it("P1, P2: a refusal that passes (busy) holds nothing: the same prompt is said again", () => {
    const rig = new Rig();
    rig.launch();
    rig.do({ type: "link.prompt_refused", prompt_id: "prompt-0001", code: "busy", message: "A turn is open." });
    expect(rig.state).toMatchObject({ queue_held: false, prompts: [{ state: "sent" }] });
    rig.wait();
    expect(rig.sends("send.prompt")).toHaveLength(2);
  });

  it("P5: a refusing host keeps the prompt queued, with its reason", () => {
    const rig = new Rig();
    rig.launch();
    rig.do({ type: "link.prompt_refused", prompt_id: "prompt-0001", code: "disk_full", message: "The disk is full." });
    expect(rig.state.prompts).toEqual([{ prompt_id: "prompt-0001", state: "queued", note: "The disk is full." }]);
  });
});

describe("P3: approvals", () => {
  const ask = {
    request_id: "r1",
    turn_id: null,
    tool_call_id: null,
    title: "run ls",
    options: [
      { option_id: "y", name: "Yes", kind: "allow_once" as const },
      { option_id: "n", name: "No", kind: "reject_once" as const },
    ],
    content: [],
    input: null,
  };

  function asked() {
    const rig = new Rig();
    const execution_id = rig.launch();
    rig.accept();
    rig.host({ type: "approval.asked", ask });
    return {
      rig,
      answer: (option_id: string | null) => rig.do({ type: "answer", request_id: "r1", execution_id, option_id }),
    };
  }

  it("P3: answered once; only the host makes it answered", () => {
    const { rig, answer } = asked();
    expect(answer("y").ok).toBe(true);
    expect(rig.effects).toContainEqual(
      expect.objectContaining({ type: "row.approval", state: "answering", option_id: "y" }),
    );
    expect(answer("n")).toMatchObject({ error: { code: "approval_answered" } });
    rig.host({ type: "approval.settled", request_id: "r1", outcome: "selected", option_id: "y" });
    expect(rig.effects).toContainEqual(
      expect.objectContaining({ type: "row.approval", state: "answered", option_id: "y" }),
    );
  });

  it("P3: an option that was not offered is refused by its field", () => {
    const { answer } = asked();
    expect(answer("maybe")).toMatchObject({ error: { code: "invalid_field", details: { field: "option_id" } } });
  });

  it("C22: after the death of its execution it is expired, visibly", () => {
    const { rig, answer } = asked();
    rig.die();
    expect(rig.effects).toContainEqual(expect.objectContaining({ type: "row.approval", state: "expired" }));
    expect(answer("y")).toMatchObject({ error: { code: "approval_expired" } });
  });

  it("C23: an answer given while the link is down is said again at the next hello", () => {
    const { rig, answer } = asked();
    answer("y");
    rig.do({ type: "link.hello", spool_id: rig.spool });
    expect(rig.sends("approval.answer")).toHaveLength(2);
  });
});

it("ui.md: a list shows the last line's words, without Markdown's marks", () => {
  const rig = new Rig();
  rig.launch();
  rig.accept();
  rig.say("# Done\n\n- The **timeout** was in `login_test.ts`\n");
  expect(rig.state.last_line).toBe("The timeout was in login_test.ts");
});

describe("L1: the spool's mark", () => {
  it("L1: known events are passed over, nothing past a gap is taken or acknowledged", () => {
    const rig = new Rig();
    rig.launch();
    const mark = rig.state.marks[rig.spool];
    rig.do({
      type: "link.events",
      spool_id: rig.spool,
      events: [
        { seq: 1, at: 1, execution_id: null, body: { type: "notice", level: "info", code: "x", text: "again" } },
      ],
    });
    expect(rig.effects.filter((e) => e.type === "row.put")).toEqual([]);
    rig.do({
      type: "link.events",
      spool_id: rig.spool,
      events: [{ seq: 99, at: 1, execution_id: null, body: { type: "notice", level: "info", code: "x", text: "far" } }],
    });
    expect(rig.state.marks[rig.spool]).toBe(mark);
    expect(rig.effects).toContainEqual({ type: "send", frame: { type: "ack", spool_id: rig.spool, seq: mark } });
  });
});
