import { describe, expect, it } from "vitest";
import { AGENT_TERMINAL, type PaneDown } from "./frames.ts";
import { newPane, type PaneEffect, type PaneEvent, type PaneState, stepPane } from "./pane.ts";

/** The words of these tests in base64, which the protocol has no function for. */
const BASE64: Readonly<Record<string, string>> = {
  a: "YQ==",
  b: "Yg==",
  c: "Yw==",
  x: "eA==",
  ab: "YWI=",
  rm: "cm0=",
  abc: "YWJj",
  bcd: "YmNk",
};
const base64 = (text: string) => BASE64[text] ?? "";
const SIZE = { cols: 80, rows: 24 };
const pane = { terminal_id: "shell", pane_id: "pane-aaaa" };
const attached = (part: Partial<Extract<PaneDown, { type: "terminal.attached" }>> = {}): PaneEvent => ({
  type: "frame",
  frame: { type: "terminal.attached", ...pane, stream_id: "s1", offset: 0, ...SIZE, input: 0, ...part },
});
const snapshot = (stream_id: string): PaneEvent => ({
  type: "frame",
  frame: { type: "terminal.snapshot", ...pane, stream_id, offset: 9, ...SIZE, input: 0, why: "first", screen: "hi" },
});
const output = (offset: number, text: string): PaneEvent => ({
  type: "frame",
  frame: { type: "terminal.output", ...pane, offset, data: base64(text) },
});

function play(...events: PaneEvent[]): { state: PaneState; effects: PaneEffect[] } {
  let state = newPane(pane.terminal_id, pane.pane_id, SIZE);
  let effects: PaneEffect[] = [];
  for (const event of events) ({ state, effects } = stepPane(state, event));
  return { state, effects };
}
const sent = (effects: readonly PaneEffect[]) => effects.flatMap((e) => (e.type === "send" ? [e.frame] : []));

describe("B1: a pane", () => {
  it("B1: is attached when its attach was answered over the same way, not before", () => {
    expect(play({ type: "link", up: true }).state.phase).toBe("attaching");
    expect(play({ type: "link", up: true }, snapshot("s1")).state).toMatchObject({ phase: "attached", offset: 9 });
  });

  it("B1: comes back with what it has, and takes nothing twice", () => {
    const back = play(
      { type: "link", up: true },
      attached(),
      output(0, "abc"),
      { type: "link", up: false },
      { type: "link", up: true },
    );
    expect(sent(back.effects)).toMatchObject([{ type: "terminal.attach", have: { stream_id: "s1", offset: 3 } }]);
    const { state } = back;
    const again = stepPane(stepPane(state, attached({ offset: 3 })).state, output(1, "bcd"));
    expect(again.effects).toMatchObject([{ type: "output", offset: 4, skip: 2 }]);
    expect(stepPane(again.state, output(0, "ab")).effects).toEqual([]);
  });

  it("B1: a gap is never shown: it attaches anew", () => {
    const { effects } = play({ type: "link", up: true }, attached(), output(5, "x"));
    expect(sent(effects)).toMatchObject([{ type: "terminal.attach", have: { offset: 0 } }]);
  });

  it("B2: keys typed on a broken way are sent when it is back, those taken already are not", () => {
    const key = (text: string): PaneEvent => ({ type: "input", data: base64(text) });
    const { effects } = play(
      { type: "link", up: true },
      attached(),
      key("a"),
      key("b"),
      { type: "link", up: false },
      key("c"),
      { type: "link", up: true },
      attached({ input: 1 }),
    );
    expect(sent(effects)).toMatchObject([
      { type: "terminal.input", n: 2, data: base64("b") },
      { type: "terminal.input", n: 3, data: base64("c") },
    ]);
  });

  it("B2: another program gets none of them, and the person is told", () => {
    const { state, effects } = play(
      { type: "link", up: true },
      attached(),
      { type: "input", data: base64("rm") },
      { type: "link", up: false },
      { type: "link", up: true },
      snapshot("s2"),
    );
    expect(effects).toMatchObject([{ type: "screen", renewed: true }, { type: "lost_input" }]);
    expect(state).toMatchObject({ unconfirmed: [], made: 0 });
  });

  it("one that has ended begins anew only when a person says so", () => {
    const ended: PaneEvent = {
      type: "frame",
      frame: { type: "terminal.ended", ...pane, stream_id: "s1", exit_code: 0, signal: null },
    };
    const { state, effects } = play(
      { type: "link", up: true },
      attached(),
      ended,
      { type: "link", up: false },
      { type: "link", up: true },
    );
    expect(state).toMatchObject({ phase: "ended", exit: { exit_code: 0 } });
    expect(sent(effects)).toMatchObject([{ type: "terminal.attach", start: false }]);
    expect(sent(stepPane(state, { type: "start" }).effects)).toMatchObject([{ type: "terminal.attach", start: true }]);
  });

  it("a refusal stands until the way changes, or a person tries again", () => {
    const refused: PaneEvent = {
      type: "frame",
      frame: { type: "terminal.refused", ...pane, code: "shell_off", message: "no" },
    };
    const { state } = play({ type: "link", up: true }, refused);
    expect(state).toMatchObject({ phase: "refused", refusal: { code: "shell_off" } });
    expect(stepPane(state, { type: "start" }).state.phase).toBe("attaching");
    expect(stepPane(state, { type: "link", up: true }).state.phase).toBe("attaching");
  });

  describe("of an agent's terminal", () => {
    const agent = { terminal_id: AGENT_TERMINAL, pane_id: "pane-aaaa" };
    const frame = (told: PaneEvent & { type: "frame" }): PaneEvent => ({
      type: "frame",
      frame: { ...told.frame, ...agent },
    });
    const refused = (code: string) =>
      frame({ type: "frame", frame: { type: "terminal.refused", ...pane, code, message: "no" } });
    const shows = (stream_id: string, size = SIZE) =>
      frame({
        type: "frame",
        frame: {
          type: "terminal.snapshot",
          ...pane,
          stream_id,
          offset: 9,
          ...size,
          input: 0,
          why: "first",
          screen: "hi",
        },
      });
    const ends = (stream_id: string) =>
      frame({
        type: "frame",
        frame: { type: "terminal.ended", ...pane, stream_id, exit_code: null, signal: "SIGKILL" },
      });
    const follow = (...events: PaneEvent[]) => {
      let step: { state: PaneState; effects: PaneEffect[] } = {
        state: newPane(agent.terminal_id, agent.pane_id, SIZE),
        effects: [],
      };
      for (const event of events) step = stepPane(step.state, event);
      return step;
    };

    it("B1: no pane begins a life of it, not even by another try", () => {
      expect(sent(follow({ type: "link", up: true }).effects)).toMatchObject([{ start: false }]);
      const tried = follow({ type: "link", up: true }, refused("agent_not_started"), { type: "start" });
      expect(sent(tried.effects)).toMatchObject([{ type: "terminal.attach", start: false }]);
    });

    it("B1: the next execution's screen takes the place of the one that ended, in the pane's own size", () => {
      const { state, effects } = follow({ type: "link", up: true }, shows("s1"), ends("s1"), {
        ...shows("s2", { cols: 100, rows: 30 }),
      });
      expect(state).toMatchObject({ phase: "attached", stream_id: "s2", exit: null });
      expect(effects).toMatchObject([
        { type: "screen", renewed: true },
        { type: "send", frame: { type: "terminal.resize", ...SIZE } },
      ]);
    });

    it("B1: asked again, one that ended keeps what it shows, and one that was refused gets its try", () => {
      const again: PaneEvent = { type: "again" };
      const ended = follow({ type: "link", up: true }, shows("s1"), ends("s1"), again);
      expect(ended.state.phase).toBe("ended");
      expect(sent(ended.effects)).toMatchObject([{ start: false, have: { stream_id: "s1", offset: 9 } }]);
      expect(follow({ type: "link", up: true }, refused("agent_not_started"), again).state).toMatchObject({
        phase: "attaching",
        refusal: null,
      });
      expect(follow({ type: "link", up: true }, shows("s1"), again).effects).toEqual([]);
    });

    it("B1, B2: one that ended with its host keeps its last screen, and keys that nobody took are told of", () => {
      const { state, effects } = follow(
        { type: "link", up: true },
        shows("s1"),
        { type: "input", data: base64("a") },
        { type: "link", up: false },
        { type: "link", up: true },
        refused("agent_not_started"),
      );
      expect(state).toMatchObject({ phase: "ended", refusal: null, exit: null, unconfirmed: [] });
      expect(effects).toEqual([{ type: "lost_input" }]);
    });
  });
});
