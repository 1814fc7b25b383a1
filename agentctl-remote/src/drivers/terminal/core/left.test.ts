import { describe, expect, it } from "vitest";
import { type Left, type LeftOpen, type LeftReport, whatIsLeft } from "./left.ts";
import type { Said } from "./said.ts";

const EXE = "exe_aaaa0001";
const OPEN: LeftOpen = { execution_id: EXE, root: 7, token: "a", turn: null, goodbye: null };
const GOODBYE = { explicit: false, at: 2 };

/** What each hook's words mean. */
const meanings = new Map<unknown, Said>();
const hook = (meaning: Said, at: number, chain = [1]): LeftReport => {
  const payload = { n: meanings.size };
  meanings.set(payload, meaning);
  return { report: { type: "hook", agent_kind: "k", chain, payload }, at };
};
const exit = (status: number, at: number, execution_id = EXE): LeftReport => ({
  report: { type: "exit", execution_id, status, hung_up: false },
  at,
});
const gasp = (at: number, id = "a") => hook({ type: "goodbye", id, reason: "other", explicit: false }, at);
const said = (_kind: string, payload: unknown) => meanings.get(payload) ?? null;

describe("R7: what a dead host did not hear", () => {
  it.each<[string, Partial<LeftOpen>, LeftReport[], Partial<Left>, string[]]>([
    ["nothing", {}, [], { exit: null, goodbye: null, turnOpen: false }, []],
    ["an exit", {}, [exit(0, 3)], { exit: { how: "exited", status: 0, hung_up: false, at: 3 } }, []],
    ["an exit of another execution", {}, [exit(0, 3, "exe_aaaa0002")], { exit: null }, []],
    ["a death gasp", {}, [gasp(2)], { goodbye: GOODBYE }, ["agent.goodbye"]],
    ["a goodbye that was heard", { goodbye: GOODBYE }, [exit(129, 3)], { goodbye: GOODBYE }, []],
    ["another conversation's goodbye", {}, [gasp(2, "z")], { goodbye: null }, []],
    ["words after the end", {}, [exit(0, 1), gasp(2)], { goodbye: null }, []],
    ["an open turn", { turn: "trn_aaaa0001" }, [gasp(2)], { turnOpen: true }, ["agent.goodbye"]],
    [
      "the end of a turn",
      { turn: "trn_aaaa0001" },
      [hook({ type: "turn_over", id: "a", outcome: "done", message: null }, 2)],
      { turnOpen: false },
      ["turn.ended"],
    ],
    [
      "a turn that began unheard",
      { goodbye: GOODBYE },
      [hook({ type: "prompted", id: "a" }, 3)],
      { turnOpen: true, goodbye: null },
      ["turn.started"],
    ],
    [
      "the conversation itself",
      { token: null },
      [gasp(1), hook({ type: "conversation", id: "b" }, 2), gasp(3, "b")],
      { goodbye: { explicit: false, at: 3 } },
      ["agent.token", "agent.goodbye"],
    ],
    [
      "a conversation of nobody below its wrapper",
      { token: null },
      [hook({ type: "conversation", id: "b" }, 2, [9, 8])],
      {},
      [],
    ],
    [
      "another conversation of its own, but not that of what it runs as a tool",
      { token: null },
      [
        hook({ type: "conversation", id: "b" }, 2, [9, 7]),
        hook({ type: "conversation", id: "c" }, 3, [9, 7]),
        hook({ type: "conversation", id: "d" }, 4, [11, 10, 9, 7]),
      ],
      {},
      ["agent.token", "agent.token"],
    ],
    [
      "another conversation below a known one's wrapper",
      {},
      [hook({ type: "conversation", id: "d" }, 2, [9, 7])],
      {},
      [],
    ],
  ])("%s", (_what, open, reports, want, events) => {
    const left = whatIsLeft({ ...OPEN, ...open }, reports, said, () => "trn_new1");
    expect(left).toMatchObject(want);
    expect(left.events.map((one) => one.type)).toEqual(events);
  });
});
