import { describe, expect, it } from "vitest";
import type { PaneDown } from "./frames.ts";
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
});
