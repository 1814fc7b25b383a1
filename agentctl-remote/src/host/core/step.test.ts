import { describe, expect, it } from "vitest";
import { IDLE, step } from "./step.ts";
import { ask, context, events, launch, run, TURN } from "./testing.ts";
import type { AgentEvent, HostCore, HostEvent } from "./types.ts";

const EXE = "exe_aaaa0001";
const READY: HostEvent[] = [
  { type: "launch", command: launch(EXE) },
  { type: "permit.granted", execution_id: EXE },
  {
    type: "agent",
    execution_id: EXE,
    told: { type: "agent.ready", token: "t", how: "new", replayed: 0, verified: true },
  },
];
const PROMPT: HostEvent = {
  type: "prompt",
  execution_id: EXE,
  prompt_id: "prompt-0001",
  turn_id: TURN,
  blocks: [{ type: "text", text: "go" }],
};
const DEAD: HostEvent = { type: "agent", execution_id: EXE, told: { type: "dead", stderr: "boom" } };
const FAILED: HostEvent = {
  type: "agent",
  execution_id: EXE,
  told: { type: "failed", failure: { code: "resume_failed", message: "no" } },
};
const exited = (exit_code: number | null, signal: string | null): HostEvent => ({
  type: "agent",
  execution_id: EXE,
  told: { type: "exited", exit_code, signal },
});
const over = (outcome: "done" | "cancelled"): HostEvent => ({
  type: "agent",
  execution_id: EXE,
  told: { type: "turn.over", turn_id: TURN, outcome, message: null },
});
const told = (one: AgentEvent): HostEvent => ({ type: "agent", execution_id: EXE, told: one });
/** Of a terminal agent. */
const left = (status: number): HostEvent =>
  told({ type: "ended", end: { how: "exited", status, hung_up: false, at: 1 } });
const LOST = told({ type: "ended", end: { how: "unknown", at: 1 } });
const BYE = told({ type: "agent.goodbye", reason: "other", explicit: true, at: 1 });
const BEGUN = told({ type: "turn.begun", turn_id: TURN });
const CANCEL: HostEvent = { type: "cancel", execution_id: EXE, turn_id: TURN };
const timer = (name: "cancel" | "turn_limit"): HostEvent => ({ type: "timer", name, execution_id: EXE, turn_id: TURN });
const STOP: HostEvent = { type: "stop", command_id: "cmd_1", execution_id: EXE, end_reason: "stopped" };
const COMPLETE: HostEvent = { type: "stop", command_id: "cmd_2", execution_id: EXE, end_reason: "completed" };
const TEARDOWN: HostEvent = { type: "teardown", command_id: "cmd_3" };
const SHUTDOWN: HostEvent = { type: "shutdown", command_id: "cmd_4" };

describe("endings (§3)", () => {
  it.each<[string, HostEvent[], { end_reason: string; died: string; code: string | null; turn: string | null }]>([
    [
      "it exits by itself in peace: interrupted",
      [...READY, exited(0, null), DEAD],
      { end_reason: "interrupted", died: "agent", code: "agent_died", turn: null },
    ],
    [
      "it is killed in a turn",
      [...READY, PROMPT, exited(null, "SIGKILL"), DEAD],
      { end_reason: "interrupted", died: "agent", code: "agent_died", turn: "interrupted" },
    ],
    [
      "it exits during its start: failed",
      [...READY.slice(0, 2), exited(1, null), DEAD],
      { end_reason: "failed", died: "agent", code: "agent_exited", turn: null },
    ],
    [
      "a person stops it",
      [...READY, PROMPT, STOP, exited(null, "SIGTERM"), DEAD],
      { end_reason: "stopped", died: "nobody", code: null, turn: "cancelled" },
    ],
    [
      "a person marks it done",
      [...READY, COMPLETE, DEAD],
      { end_reason: "completed", died: "nobody", code: null, turn: null },
    ],
    [
      "the first of two orders stands",
      [...READY, STOP, COMPLETE, DEAD],
      { end_reason: "stopped", died: "nobody", code: null, turn: null },
    ],
    [
      "a stop that meets a death is a stop (T5)",
      [...READY, exited(1, null), STOP, DEAD],
      { end_reason: "stopped", died: "nobody", code: null, turn: null },
    ],
    [
      "T5: a teardown that comes while an accident's group is being killed",
      [...READY, PROMPT, CANCEL, timer("cancel"), TEARDOWN, DEAD],
      { end_reason: "disposed", died: "nobody", code: null, turn: "cancelled" },
    ],
    [
      "T5: a stop of an agent that has just failed to start",
      [...READY.slice(0, 2), FAILED, STOP, DEAD],
      { end_reason: "stopped", died: "nobody", code: null, turn: null },
    ],
    [
      "T5: an accident after a stop changes nothing",
      [...READY.slice(0, 2), STOP, FAILED, DEAD],
      { end_reason: "stopped", died: "nobody", code: null, turn: null },
    ],
    [
      "T5: a teardown after a stop: the stop stands",
      [...READY, STOP, TEARDOWN, DEAD],
      { end_reason: "stopped", died: "nobody", code: null, turn: null },
    ],
    ["a teardown", [...READY, TEARDOWN, DEAD], { end_reason: "disposed", died: "nobody", code: null, turn: null }],
    [
      "a shutdown of the machine's all",
      [...READY, PROMPT, SHUTDOWN, DEAD],
      { end_reason: "interrupted", died: "host", code: "host_died", turn: "interrupted" },
    ],
    [
      "P4: a cancel without effect",
      [...READY, PROMPT, CANCEL, timer("cancel"), DEAD],
      { end_reason: "interrupted", died: "agent", code: "cancel_ignored", turn: "cancelled" },
    ],
    [
      "an answer that comes while its group is being killed changes nothing",
      [...READY, PROMPT, CANCEL, timer("cancel"), over("done"), DEAD],
      { end_reason: "interrupted", died: "agent", code: "cancel_ignored", turn: "cancelled" },
    ],
    [
      "R7: a terminal agent leaves between two turns",
      [...READY, left(0), DEAD],
      { end_reason: "agent_exit", died: "nobody", code: null, turn: null },
    ],
    [
      "R7: a terminal agent leaves in a turn, and said so",
      [...READY, BEGUN, BYE, left(0), DEAD],
      { end_reason: "agent_exit", died: "nobody", code: null, turn: "cancelled" },
    ],
    [
      "R7: a terminal agent ends in a turn, and said nothing",
      [...READY, BEGUN, left(0), DEAD],
      { end_reason: "interrupted", died: "agent", code: "agent_died", turn: "interrupted" },
    ],
    [
      "R7: a terminal agent said goodbye, then went on",
      [...READY, BYE, BEGUN, left(0), DEAD],
      { end_reason: "interrupted", died: "agent", code: "agent_died", turn: "interrupted" },
    ],
    [
      "R7: a terminal agent said goodbye, then served another conversation",
      [...READY, BYE, told({ type: "agent.token", token: "u" }), LOST, DEAD],
      { end_reason: "interrupted", died: "agent", code: "agent_died", turn: null },
    ],
    [
      "R7: the first that is told of a terminal agent's end stands",
      [...READY, left(0), LOST, DEAD],
      { end_reason: "agent_exit", died: "nobody", code: null, turn: null },
    ],
    [
      "R7: a terminal agent ends before it was ready",
      [...READY.slice(0, 2), left(0), DEAD],
      { end_reason: "failed", died: "agent", code: "agent_exited", turn: null },
    ],
    [
      "T5: a stop of a terminal agent stands, whatever that ends with",
      [...READY, STOP, BYE, left(0), DEAD],
      { end_reason: "stopped", died: "nobody", code: null, turn: null },
    ],
    [
      "a turn's limit without effect",
      [...READY, PROMPT, timer("turn_limit"), timer("cancel"), DEAD],
      { end_reason: "interrupted", died: "agent", code: "cancel_ignored", turn: "timed_out" },
    ],
  ])("%s", (_, given, want) => {
    const { appended } = run(given);
    const end = appended.findLast((body) => body.type === "execution.ended");
    const turn = appended.find((body) => body.type === "turn.ended");
    expect({
      end_reason: end?.end_reason,
      died: end?.died,
      code: end?.failure?.code ?? null,
      turn: turn?.outcome ?? null,
    }).toEqual(want);
    expect(appended.at(-1)?.type).toBe("execution.ended");
  });

  it("every command that asked for an end is answered once it is written", () => {
    const { effects } = run([...READY, STOP, COMPLETE, TEARDOWN, DEAD]);
    const ended = effects.findIndex((one) => one.type === "append" && one.body.type === "execution.ended");
    const done = effects.flatMap((one, i) =>
      one.type === "reply" && one.frame.type === "command.done" ? [[one.frame.command_id, i > ended]] : [],
    );
    expect(done).toEqual([
      ["cmd_1", true],
      ["cmd_2", true],
      ["cmd_3", true],
    ]);
    expect(effects.at(-1)).toEqual({ type: "leave" });
  });
});

describe("turns", () => {
  it("P4: a cancel answers pending questions, then cancels, then waits; a turn that ended in time keeps its outcome", () => {
    const { state, effects, appended } = run([
      ...READY,
      PROMPT,
      { type: "agent", execution_id: EXE, told: { type: "asked", ask: ask("q1") } },
      CANCEL,
      CANCEL,
      over("done"),
      timer("cancel"),
    ]);
    expect(effects.filter((one) => one.type === "agent.cancel")).toHaveLength(1);
    expect(effects.some((one) => one.type === "agent.kill")).toBe(false);
    expect(appended.find((body) => body.type === "approval.settled")?.outcome).toBe("cancelled");
    expect(appended.find((body) => body.type === "turn.ended")?.outcome).toBe("done");
    expect(state.execution?.phase).toBe("ready");
  });

  it("the intent comes before the bytes (P1)", () => {
    const { effects } = run([...READY, PROMPT]);
    const intent = effects.findIndex((one) => one.type === "append" && one.body.type === "turn.started");
    const bytes = effects.findIndex((one) => one.type === "agent.prompt");
    expect(intent).toBeGreaterThanOrEqual(0);
    expect(intent).toBeLessThan(bytes);
  });

  it.each<[string, HostCore, string]>([
    ["no agent", IDLE, "no_agent"],
    ["a starting one", run(READY.slice(0, 2)).state, "no_agent"],
    ["a busy one", run([...READY, PROMPT]).state, "busy"],
    ["a full disk", { ...run(READY).state, disk_full: true }, "disk_full"],
  ])("P2: with %s a prompt is refused with its reason", (_, state, code) => {
    const { effects } = step(state, { ...PROMPT, prompt_id: "prompt-0002" }, context([]));
    expect(effects).toMatchObject([{ type: "tell", frame: { type: "prompt.refused", code } }]);
  });
});

describe("any order of events", () => {
  it("never opens two executions or turns, prompts once, settles once", async () => {
    const fc = await import("fast-check");
    fc.assert(
      fc.property(events(fc), (given) => {
        const { appended, effects } = run(given);
        let execution = false;
        let turn: string | null = null;
        const asked = new Set<string>();
        for (const body of appended) {
          if (body.type === "execution.opened") {
            expect(execution).toBe(false);
            execution = true;
          } else expect(execution).toBe(true);
          if (body.type === "turn.started") {
            expect(turn).toBeNull();
            turn = body.turn_id;
          }
          if (body.type === "turn.ended") {
            expect(turn).toBe(body.turn_id);
            turn = null;
          }
          if (body.type === "approval.asked") {
            expect(asked.has(body.ask.request_id)).toBe(false);
            asked.add(body.ask.request_id);
          }
          if (body.type === "approval.settled") expect(asked.delete(body.request_id)).toBe(true);
          if (body.type === "execution.ended") {
            expect(turn).toBeNull();
            expect(asked.size).toBe(0);
            execution = false;
          }
        }
        const prompts = effects.filter((one) => one.type === "agent.prompt").length;
        const ids = appended.flatMap((body) =>
          body.type === "turn.started" && body.prompt_id ? [body.prompt_id] : [],
        );
        expect(prompts).toBe(ids.length);
        expect(new Set(ids).size).toBe(ids.length);
        const starts = effects.flatMap((one) => (one.type === "agent.start" ? [one.launch.command_id] : []));
        expect(new Set(starts).size).toBe(starts.length);
        const leaves = effects.findIndex((one) => one.type === "leave");
        if (leaves >= 0) expect(effects.slice(leaves).some((one) => one.type === "agent.start")).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });

  it("whatever happened, a teardown and the death of the group end it", async () => {
    const fc = await import("fast-check");
    fc.assert(
      fc.property(events(fc), (given) => {
        const before = run(given);
        const execution_id = before.state.execution?.execution_id ?? EXE;
        const { effects } = run([
          ...given,
          TEARDOWN,
          { type: "agent", execution_id, told: { type: "dead", stderr: "" } },
        ]);
        expect(effects.filter((one) => one.type === "leave").length).toBeGreaterThan(0);
      }),
      { numRuns: 1_000 },
    );
  });
});
