import { describe, expect, it } from "vitest";
import { launch, run, TURN } from "./testing.ts";
import type { AgentEvent, HostEvent } from "./types.ts";

const EXE = "exe_aaaa0001";
const told = (one: AgentEvent): HostEvent => ({ type: "agent", execution_id: EXE, told: one });
const READY: HostEvent[] = [
  { type: "launch", command: launch(EXE) },
  { type: "permit.granted", execution_id: EXE },
  told({ type: "agent.ready", token: "t", how: "new", replayed: 0, verified: true }),
];
const PROMPT = {
  type: "prompt",
  execution_id: EXE,
  prompt_id: "prompt-0001",
  turn_id: TURN,
  blocks: [{ type: "text", text: "go" }],
} satisfies HostEvent;
const OVER = told({ type: "turn.over", turn_id: TURN, outcome: "done", message: null });
const BEGUN = told({ type: "turn.begun", turn_id: TURN });
const BYE = told({ type: "agent.goodbye", reason: "other", explicit: true, at: 1 });
const END: HostEvent[] = [told({ type: "exited", exit_code: 1, signal: null }), told({ type: "dead", stderr: "" })];

describe("terminal agents", () => {
  const SPAWNED = told({ type: "agent.spawned", pid: 1, start_time: null, boot_id: "b" });
  const prompt = { prompt_id: PROMPT.prompt_id, turn_id: TURN, text: "go" };
  const given = (command_id: string): HostEvent[] => [
    { type: "launch", command: { ...launch(command_id), prompt } },
    { type: "permit.granted", execution_id: command_id },
  ];

  it("P1: what one starts with is on disk with its spawn, and its turn's limit runs", () => {
    const { state, effects, appended } = run([...given(EXE), SPAWNED]);
    expect(appended.map((body) => body.type)).toEqual(["execution.opened", "agent.spawned", "turn.started"]);
    expect(appended.at(-1)).toMatchObject({ turn_id: TURN, prompt_id: prompt.prompt_id });
    expect(state.execution?.turn?.turn_id).toBe(TURN);
    expect(effects.some((one) => one.type === "timer.set" && one.name === "turn_limit")).toBe(true);
  });

  it("P1: one that reached an agent before is not given to another", () => {
    const { effects } = run([...READY, PROMPT, OVER, ...END, ...given("exe_aaaa0002")]);
    const started = effects.findLast((one) => one.type === "agent.start");
    expect(started).toMatchObject({ launch: { command_id: "exe_aaaa0002", prompt: null } });
  });

  it("a turn that its person began is one like any other; a second one meanwhile is none", () => {
    const { appended } = run([...READY, BEGUN, told({ type: "turn.begun", turn_id: "trn_aaaa0002" }), OVER]);
    expect(appended.slice(-2)).toMatchObject([
      { type: "turn.started", turn_id: TURN, prompt_id: null },
      { type: "turn.ended", turn_id: TURN, outcome: "done" },
    ]);
  });

  it("P2: one that said goodbye gets no prompt: its shell would", () => {
    const { effects } = run([...READY, BYE, PROMPT]);
    expect(effects.at(-1)).toMatchObject({ type: "tell", frame: { type: "prompt.refused", code: "no_agent" } });
  });

  it("R7: one that a person started is a new execution, and a launch that waits gives way to it", () => {
    const found: HostEvent = { type: "found", launch: launch("exe_aaaa0002") };
    const { state, effects, appended } = run([{ type: "launch", command: launch(EXE) }, found, found]);
    expect(appended).toEqual([{ type: "execution.opened", how: "found", automatic: false }]);
    expect(state).toMatchObject({ waiting: null, execution: { execution_id: "exe_aaaa0002" } });
    expect(effects.filter((one) => one.type === "agent.start")).toHaveLength(1);
    expect(effects.at(-1)).toMatchObject({ type: "reply", frame: { type: "command.failed", command_id: EXE } });
  });

  it.each<[string, HostEvent[]]>([
    ["while another runs", READY],
    ["while the session is removed", [{ type: "teardown", command_id: "cmd_3" }]],
  ])("R3: none is found %s", (_what, before) => {
    const { appended } = run([...before, { type: "found", launch: launch("exe_aaaa0002") }]);
    expect(appended.filter((body) => body.type === "execution.opened" && body.how === "found")).toEqual([]);
  });
});
