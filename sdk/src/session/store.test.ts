import { rowId, type ViewerDown } from "@reprise/protocol";
import { describe, expect, it } from "vitest";
import { about, EXECUTION, ModelLog, preview, rowFrame, SESSION, status, textRow } from "../testing/model.ts";
import { emptySession, type SessionCopy, type SessionEffect } from "./state.ts";
import { stepSession } from "./store.ts";
import { conversation } from "./view.ts";

function take(start: SessionCopy, ...frames: ViewerDown[]): { state: SessionCopy; effects: SessionEffect[] } {
  let state = start;
  const effects: SessionEffect[] = [];
  for (const frame of frames) {
    const step = stepSession(state, { type: "frame", frame }, 100);
    state = step.state;
    effects.push(...step.effects);
  }
  return { state, effects };
}

function live(log = new ModelLog()): SessionCopy {
  return take(emptySession(SESSION, 0), log.snapshot("first", 100)).state;
}

const text = (state: SessionCopy, item = "a") => state.previews.get(rowId.message(EXECUTION, item))?.text;

describe("previews (L3)", () => {
  it("L3: stretches join by their offsets; repeated and overlapping ones change nothing", () => {
    const { state, effects } = take(
      live(),
      preview("a", 0, "Hel"),
      preview("a", 3, "lo"),
      preview("a", 0, "Hello"),
      preview("a", 4, "o you"),
    );
    expect(text(state)).toBe("Hello you");
    expect(effects).toEqual([]);
  });

  it("L3: a gap asks for the whole item, once, and the whole closes it", () => {
    const gap = take(live(), preview("a", 0, "He"), preview("a", 5, " you"), preview("a", 9, "!"));
    expect(gap.effects).toEqual([{ type: "whole", item_id: "a" }]);
    expect(text(gap.state)).toBe("He");
    const whole = take(gap.state, preview("a", 0, "Hello you!"), preview("a", 10, "!"));
    expect(text(whole.state)).toBe("Hello you!!");
    const again = take(whole.state, preview("a", 99, "x"));
    expect(again.effects).toEqual([{ type: "whole", item_id: "a" }]);
  });

  it("L3: a checkpoint in the log is as good as the stretches before it", () => {
    const { state, effects } = take(
      live(),
      rowFrame(textRow("a", 1, 1, "Hello", "open"), true),
      preview("a", 5, " you"),
    );
    expect(effects).toEqual([]);
    expect(text(state)).toBe("Hello you");
    expect(conversation(state).rows[0]?.body).toMatchObject({ item: { text: "Hello you" } });
  });

  it("L3: the finished item takes the preview's place, and a straggler does not bring it back", () => {
    const { state } = take(
      live(),
      preview("a", 0, "Hello"),
      rowFrame(textRow("a", 1, 1, "Hello.", "done"), true),
      preview("a", 5, "?"),
    );
    expect(state.previews.size).toBe(0);
    expect(conversation(state).rows[0]?.body).toMatchObject({ item: { text: "Hello." } });
  });

  it("L3: an execution's end takes its previews with it", () => {
    const body = { kind: "execution_end", end_reason: "interrupted", code: null, message: null } as const;
    const end = { ...body, exit_code: null, signal: "SIGKILL", ended_at: 1 };
    const row = { id: `x:${EXECUTION}`, pos: 1, seq: 1, execution_id: EXECUTION, body: end };
    const before = take(live(), preview("a", 0, "Hel")).state;
    expect(conversation(before).upcoming).toHaveLength(1);
    expect(conversation(take(before, rowFrame(row, true)).state).upcoming).toEqual([]);
  });

  it("L3: an unanswered question is asked again on the next socket", () => {
    const asked = take(live(), preview("a", 5, "x")).state;
    const lost = stepSession(asked, { type: "lost" }, 200).state;
    expect(take(lost, preview("a", 7, "x")).effects).toEqual([{ type: "whole", item_id: "a" }]);
  });
});

describe("the log (L2)", () => {
  it("L2: a row told before the catch-up is through does not move the cursor", () => {
    const log = new ModelLog();
    for (let i = 0; i < 4; i++) log.write(i, true);
    const behind = stepSession(live(log), { type: "lost" }, 50).state;
    for (let i = 4; i < 8; i++) log.write(i, true);
    const [first, second] = log.catchup(4, 2);
    const early = log.write(9, true);
    if (!first || !second) throw new Error("two pieces");
    const { state } = take(behind, first, rowFrame(early.row, true));
    expect(state.log?.cursor).toBe(6);
    expect(state.connection).toEqual({ kind: "behind", since: 50 });
    expect(take(state, second).state.log?.rows.size).toBe(9);
  });

  it("L2: a catch-up of another log is refused, and the next connect asks for a snapshot", () => {
    const other = new ModelLog();
    other.log_id = "log_0002";
    const { state, effects } = take(live(), ...other.catchup(0, 5));
    expect(effects).toEqual([{ type: "restart" }]);
    expect(state.log).toBeNull();
  });

  it("§6: another session's frame is not mixed in", () => {
    const state = live();
    const frame = { ...rowFrame(textRow("a", 1, 1, "x", "done"), true), session_id: "ses_other" };
    expect(take(state, frame as ViewerDown).state).toBe(state);
  });

  it("hydrates from a page's data, unless the socket is further already", () => {
    const log = new ModelLog();
    log.write(1, true);
    const { log_id, cursor, from_pos, rows } = log.snapshot("first", 9);
    const events = { log_id, cursor, from_pos, rows };
    const hydrate = { type: "hydrate", status: status(1), events } as const;
    const state = stepSession(emptySession(SESSION, 7), hydrate, 7).state;
    expect(state.log?.cursor).toBe(1);
    expect(state.connection).toEqual({ kind: "behind", since: 7 });
    const further = take(state, rowFrame(log.write(2, true).row, true), ...log.catchup(1, 5)).state;
    expect(stepSession(further, hydrate, 9).state).toBe(further);
  });

  it("older history joins only where it was asked for", () => {
    const log = new ModelLog();
    for (let i = 0; i < 9; i++) log.write(i, true);
    const state = take(emptySession(SESSION, 0), log.snapshot("first", 3)).state;
    const page = log.older(7, 4);
    expect(stepSession(state, { type: "older", before: 5, page }, 0).state).toBe(state);
    const more = stepSession(state, { type: "older", before: 7, page }, 0).state;
    expect(conversation(more).rows.map(({ pos }) => pos)).toEqual([3, 4, 5, 6, 7, 8, 9]);
    expect(more.log).toMatchObject({ cursor: 9, from_pos: 3 });
  });
});

describe("status and errors", () => {
  it("a status that was overtaken changes nothing; presence comes at once", () => {
    const of = (version: number): ViewerDown => ({ type: "task.session.status", ...about, status: status(version) });
    const { state } = take(live(), of(5), of(4));
    expect(state.status?.version).toBe(5);
    const node_id = status(1).node.id;
    const away = {
      type: "node.presence",
      ...about,
      node_id,
      presence: "reconnecting",
      since: 9,
      reason: "lost",
    } as const;
    expect(take(state, away).state.status?.node).toMatchObject({ presence: "reconnecting", since: 9 });
  });

  it.each([
    ["never", []],
    ["from_snapshot", [{ type: "restart" }]],
    ["backoff", []],
  ] as const)("N5: an error frame with retry %s", (retry, effects) => {
    const got = take(live(), { type: "error", code: "c", message: "m", retry });
    expect(got.effects).toEqual(effects);
    expect(got.state.log === null).toBe(retry === "from_snapshot");
  });
});
