import { describe, expect, it } from "vitest";
import { type AgentInput, type AgentOutput, type AgentState, stepAgent } from "./agent.ts";
import type { Said } from "./said.ts";

const WHO = { pid: 20, start_time: "1", boot_id: "b" };
/** A hook of the agent (21) under its wrapper (20) under the shell (10). */
const OWN = [22, 21, 20, 10, 1];
/** A hook of an agent (31) that the agent runs as a tool. */
const NESTED = [32, 31, 30, 21, 20, 10, 1];

const ORDERED: AgentState = {
  phase: "ordered",
  spec: {
    agent_kind: "claude-code",
    agent_name: "Claude Code",
    driver: "terminal",
    command: "claude",
    args: [],
    env: {},
    resume_args: ["--resume"],
  },
  resumes: null,
  reporter: { root: null, id: null, depth: null },
  token: null,
  turn: null,
  unsaid: null,
  tells_turns: true,
  prompted: false,
  asks: false,
  left: null,
};

let turns = 0;
const say = (said: Said, chain: readonly number[] = OWN): AgentInput => ({
  type: "said",
  said,
  chain,
  at: 5,
  turn_id: `trn_new${++turns}`,
});
const WRAPPED: AgentInput = { type: "wrapped", who: WHO };
const conversation = (id: string, chain = OWN) => say({ type: "conversation", id }, chain);
const prompted = (id = "a") => say({ type: "prompted", id });
const bye = (explicit: boolean) => say({ type: "goodbye", id: "a", reason: "other", explicit });
const over = (outcome: "done" | "failed" = "done", id = "a") => say({ type: "turn_over", id, outcome, message: null });

function run(first: Partial<AgentState>, inputs: readonly AgentInput[]): { state: AgentState; outputs: AgentOutput[] } {
  let state: AgentState = { ...ORDERED, ...first };
  const outputs: AgentOutput[] = [];
  for (const input of inputs) {
    const step = stepAgent(state, input);
    state = step.state;
    outputs.push(...step.outputs);
  }
  return { state, outputs };
}

/** In short: what was told, and done. */
function shortly(outputs: readonly AgentOutput[]): string[] {
  return outputs.map((one) => {
    if (one.type !== "tell") return one.type === "type" ? `type ${one.text}` : one.type;
    const { event } = one;
    switch (event.type) {
      case "agent.ready":
        return `ready ${event.token} ${event.how}${event.verified ? "" : " unverified"}`;
      case "agent.token":
        return `token ${event.token}`;
      case "turn.over":
        return `over ${event.outcome}`;
      case "agent.attention":
        return `attention ${event.text}`;
      case "agent.goodbye":
        return `goodbye ${event.reason}${event.explicit ? "!" : ""}`;
      default:
        return event.type;
    }
  });
}

const START = ["agent.spawned", "agent.initialized", "go"];

describe("a terminal agent", () => {
  it.each<[string, Partial<AgentState>, AgentInput[], string[]]>([
    ["L1: nothing runs before it is on disk that it does", {}, [WRAPPED], START],
    ["is ready by its first conversation", {}, [WRAPPED, conversation("a")], [...START, "ready a new"]],
    ["R2: says no token twice", {}, [WRAPPED, conversation("a"), conversation("a")], [...START, "ready a new"]],
    [
      "R2: goes to another conversation inside itself",
      {},
      [WRAPPED, conversation("a"), conversation("b")],
      [...START, "ready a new", "token b"],
    ],
    [
      "another agent that it runs as a tool is not itself",
      {},
      [WRAPPED, conversation("a"), conversation("b", NESTED), say({ type: "prompted", id: "b" }, NESTED)],
      [...START, "ready a new"],
    ],
    ["an agent of another terminal is not this one", {}, [WRAPPED, conversation("b", [42, 41, 40, 1])], START],
    ["is ready without a word once it has settled", {}, [WRAPPED, { type: "settled" }], [...START, "ready null new"]],
    [
      "tells its token later",
      {},
      [WRAPPED, { type: "settled" }, { type: "token", token: "c" }, { type: "token", token: "c" }],
      [...START, "ready null new", "token c"],
    ],
    ["a word before its wrapper is nobody's", {}, [conversation("a"), { type: "settled" }], []],
    [
      "a goodbye makes none ready",
      {},
      [WRAPPED, say({ type: "goodbye", id: "a", reason: "other", explicit: false })],
      [...START, "goodbye other"],
    ],
    [
      "R7: a goodbye said several times is one, until it goes on; a person's own word counts beside another",
      {},
      [WRAPPED, conversation("a"), bye(false), bye(false), bye(true), bye(true), prompted(), bye(false)],
      [...START, "ready a new", "goodbye other", "goodbye other!", "turn.begun", "goodbye other"],
    ],
    ["nothing is heard after its end", {}, [WRAPPED, { type: "over" }, conversation("a")], START],
    ["R1: resumes", { resumes: "a" }, [WRAPPED, conversation("a")], [...START, "ready a resume"]],
    [
      "R4: another id than it was given is unverified",
      { resumes: "a" },
      [WRAPPED, conversation("b")],
      [...START, "ready b resume unverified"],
    ],
    [
      "a resumed one that says nothing keeps its token",
      { resumes: "a" },
      [WRAPPED, { type: "settled" }],
      [...START, "ready a resume"],
    ],
  ])("%s", (_what, first, inputs, want) => {
    expect(shortly(run(first, inputs).outputs)).toEqual(want);
  });
});

describe("turns", () => {
  const ready: AgentInput[] = [WRAPPED, conversation("a")];
  const since = (first: Partial<AgentState>, inputs: AgentInput[]) => {
    const before = run(first, ready).outputs.length;
    return shortly(run(first, [...ready, ...inputs]).outputs.slice(before));
  };

  it.each<[string, Partial<AgentState>, AgentInput[], string[]]>([
    [
      "typed there",
      {},
      [prompted(), over(), prompted(), over("failed")],
      ["turn.begun", "over done", "turn.begun", "over failed"],
    ],
    [
      "begun by Reprise are heard of in the same words",
      {},
      [{ type: "prompt", turn_id: "t", text: "go" }, prompted(), over()],
      ["type go", "over done"],
    ],
    ["the launch's own prompt is heard", { turn: "t" }, [prompted(), over()], ["over done"]],
    [
      "interrupted there, told by its waiting",
      {},
      [prompted(), say({ type: "idle", id: "a" })],
      ["turn.begun", "over cancelled"],
    ],
    [
      "cancelled by Reprise",
      {},
      [prompted(), { type: "cancel" }, { type: "rests" }, over()],
      ["turn.begun", "escape", "over cancelled"],
    ],
    [
      "T2: stopped at its terminal, which no hook tells",
      {},
      [prompted(), { type: "typed", submitted: false }, { type: "rests" }],
      ["turn.begun", "over cancelled"],
    ],
    [
      "P3: at rest before a question, its turn goes on",
      {},
      [prompted(), say({ type: "asks", id: "a", text: "May I?" }), { type: "rests" }],
      ["turn.begun", "attention May I?"],
    ],
    [
      "P4: a cancel dismisses its question",
      {},
      [prompted(), say({ type: "asks", id: "a", text: "May I?" }), { type: "cancel" }, { type: "rests" }],
      ["turn.begun", "attention May I?", "attention null", "escape", "over cancelled"],
    ],
    ["an end without a turn is none", {}, [over(), say({ type: "idle", id: "a" }), { type: "cancel" }], []],
    ["another conversation's words are nobody's", {}, [prompted("z"), over("done", "z")], []],
    [
      "a prompt that its command line did not carry is typed once it is ready",
      { turn: "t", unsaid: "go" },
      [prompted()],
      [],
    ],
  ])("%s", (_what, first, inputs, want) => {
    expect(since(first, inputs)).toEqual(want);
  });

  it("P1: a first prompt that is typed follows the word that the agent is ready", () => {
    const { outputs } = run({ turn: "t", unsaid: "go" }, ready);
    expect(shortly(outputs)).toEqual([...START, "ready a new", "type go"]);
  });

  it("R7: where nobody tells of turns, a submitted line counts once as a prompt, and what Reprise gave is over with that", () => {
    const first = { tells_turns: false, turn: "t", unsaid: "go" };
    const { outputs } = run(first, [
      WRAPPED,
      { type: "typed", submitted: false },
      { type: "settled" },
      { type: "typed", submitted: true },
      { type: "typed", submitted: true },
      { type: "prompt", turn_id: "u", text: "on" },
    ]);
    expect(shortly(outputs)).toEqual([
      ...START,
      "ready null new",
      "type go",
      "over done",
      "agent.prompted",
      "type on",
      "over done",
    ]);
  });

  it("R7: hooks that were to speak and never do tell of no turns, until they do", () => {
    const { outputs } = run({ turn: "t" }, [
      WRAPPED,
      { type: "settled" },
      { type: "mute" },
      { type: "typed", submitted: true },
      prompted(),
      { type: "typed", submitted: true },
    ]);
    const want = [...START, "ready null new", "over done", "agent.prompted", "token a", "turn.begun"];
    expect(shortly(outputs)).toEqual(want);
    expect(since({}, [{ type: "mute" }, { type: "typed", submitted: true }])).toEqual([]);
  });

  it("R7: where hooks tell of prompts, a submitted line is none (a slash command, a password)", () => {
    expect(since({}, [{ type: "typed", submitted: true }])).toEqual([]);
  });

  it.each<[string, AgentInput]>([
    ["any key", { type: "typed", submitted: false }],
    ["the next prompt", prompted()],
    ["the turn's end", over()],
    ["its goodbye", say({ type: "goodbye", id: "a", reason: "exit", explicit: true })],
  ])("what it asks is settled by %s", (_what, input) => {
    const asks = say({ type: "asks", id: "a", text: "May I?" });
    expect(since({}, [prompted(), asks, input])).toContain("attention null");
    expect(since({}, [prompted(), asks])).toEqual(["turn.begun", "attention May I?"]);
  });
});
