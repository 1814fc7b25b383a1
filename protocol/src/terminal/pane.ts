import { TERMINAL_ACK_BYTES } from "../limits.ts";
import { isAgentTerminal, type PaneDown, type PaneUp, type TERMINAL_REFUSALS } from "./frames.ts";

interface Size {
  cols: number;
  rows: number;
}

/** One view of a terminal, from its viewer's side: whatever breaks on the way, it goes on from where it is (B1). */
export interface PaneState {
  readonly terminal_id: string;
  readonly pane_id: string;
  /** `waiting`: there is no way to the host. Keys typed before it is `attached` are kept, and sent once. */
  readonly phase: "waiting" | "attaching" | "attached" | "ended" | "refused";
  readonly size: Size;
  readonly stream_id: string | null;
  /** Received up to here, shown, and told to be shown. */
  readonly offset: number;
  readonly acked: number;
  /** Inputs made, and those that nobody has confirmed yet, oldest first. */
  readonly made: number;
  readonly unconfirmed: readonly { n: number; data: string }[];
  readonly exit: { exit_code: number | null; signal: string | null } | null;
  readonly refusal: { code: string; message: string } | null;
}

export type PaneEvent =
  /** The way to the host is there, or gone. */
  | { type: "link"; up: boolean }
  | { type: "frame"; frame: PaneDown }
  /** `data` is base64 of at most `MAX_TERMINAL_CHUNK` bytes. */
  | { type: "input"; data: string }
  | { type: "resize"; size: Size }
  /** Everything up to there is on the screen. */
  | { type: "shown"; offset: number }
  /** A person wants a new life of it, or another try. */
  | { type: "start" }
  /** Its program may be there again, which nobody told a pane that was refused or whose host is gone. */
  | { type: "again" }
  /** Nobody answered for a while. */
  | { type: "overdue" };

export type PaneEffect =
  | { type: "send"; frame: PaneUp }
  /** Take the screen instead of all that is shown; `renewed`: it is another program than before. */
  | { type: "screen"; offset: number; size: Size; screen: string; renewed: boolean }
  | { type: "output"; offset: number; data: string; skip: number }
  | { type: "size"; size: Size }
  /** Keys for a program that is gone: another one must not get them. */
  | { type: "lost_input" };

export interface PaneStep {
  state: PaneState;
  effects: PaneEffect[];
}

export function newPane(terminal_id: string, pane_id: string, size: Size): PaneState {
  return {
    terminal_id,
    pane_id,
    phase: "waiting",
    size,
    stream_id: null,
    offset: 0,
    acked: 0,
    made: 0,
    unconfirmed: [],
    exit: null,
    refusal: null,
  };
}

/** The pane's state machine. */
export function stepPane(state: PaneState, event: PaneEvent): PaneStep {
  const { terminal_id, pane_id } = state;
  const pane = { terminal_id, pane_id };
  switch (event.type) {
    case "link":
      if (event.up) return state.phase === "refused" ? attach({ ...state, refusal: null }) : attach(state);
      return only(state.phase === "attached" || state.phase === "attaching" ? { ...state, phase: "waiting" } : state);
    case "overdue":
      return state.phase === "waiting" || state.phase === "attaching" ? attach(state) : only(state);
    case "start":
      if (state.phase !== "ended" && state.phase !== "refused") return only(state);
      return attach({ ...state, phase: "waiting", exit: null, refusal: null });
    case "again":
      if (state.phase === "ended") return attach(state);
      return state.phase === "refused" ? attach({ ...state, refusal: null }) : only(state);
    case "resize": {
      const next = { ...state, size: event.size };
      if (state.phase !== "attached") return only(next);
      return { state: next, effects: [{ type: "send", frame: { type: "terminal.resize", ...pane, ...event.size } }] };
    }
    case "input": {
      if (state.phase === "ended" || state.phase === "refused") return only(state);
      const made = { n: state.made + 1, data: event.data };
      const next = { ...state, made: made.n, unconfirmed: [...state.unconfirmed, made] };
      return { state: next, effects: state.phase === "attached" ? [input(pane, made)] : [] };
    }
    case "shown": {
      const shown = Math.min(event.offset, state.offset);
      if (state.phase !== "attached" || shown - state.acked < TERMINAL_ACK_BYTES) return only(state);
      const frame: PaneUp = { type: "terminal.ack", ...pane, offset: shown };
      return { state: { ...state, acked: shown }, effects: [{ type: "send", frame }] };
    }
    case "frame":
      return onFrame(state, event.frame);
  }
}

function only(state: PaneState): PaneStep {
  return { state, effects: [] };
}

function input(pane: { terminal_id: string; pane_id: string }, made: { n: number; data: string }): PaneEffect {
  return { type: "send", frame: { type: "terminal.input", ...pane, ...made } };
}

/** One that has ended stays so: only a person begins a new life of it, and of an agent's only a launch. */
function attach(state: PaneState): PaneStep {
  const { terminal_id, pane_id, stream_id, offset, size } = state;
  const ended = state.phase === "ended";
  const have = stream_id === null ? null : { stream_id, offset };
  const start = !ended && !isAgentTerminal(terminal_id);
  const frame: PaneUp = { type: "terminal.attach", terminal_id, pane_id, ...size, start, have };
  return { state: ended ? state : { ...state, phase: "attaching" }, effects: [{ type: "send", frame }] };
}

function onFrame(state: PaneState, frame: PaneDown): PaneStep {
  if (frame.terminal_id !== state.terminal_id || frame.pane_id !== state.pane_id) return only(state);
  switch (frame.type) {
    case "terminal.attached":
      return goOn(state, frame, []);
    case "terminal.snapshot": {
      const { offset, cols, rows, screen, stream_id } = frame;
      const renewed = state.stream_id !== null && state.stream_id !== stream_id;
      return goOn(state, frame, [{ type: "screen", offset, size: { cols, rows }, screen, renewed }]);
    }
    case "terminal.output": {
      if (frame.offset > state.offset) return attach(state);
      const skip = state.offset - frame.offset;
      const length = byteLength(frame.data);
      if (length <= skip) return only(state);
      return {
        state: { ...state, offset: frame.offset + length },
        effects: [{ type: "output", offset: frame.offset + length, data: frame.data, skip }],
      };
    }
    case "terminal.resized":
      return { state, effects: [{ type: "size", size: { cols: frame.cols, rows: frame.rows } }] };
    case "terminal.input_taken":
      return only({ ...state, unconfirmed: state.unconfirmed.filter(({ n }) => n > frame.n) });
    case "terminal.ended": {
      if (frame.stream_id !== state.stream_id) return only(state);
      const { exit_code, signal } = frame;
      return only({ ...state, phase: "ended", unconfirmed: [], exit: { exit_code, signal } });
    }
    case "terminal.refused":
      // It had ended already, and its host with it.
      if (state.phase === "ended") return only(state);
      if (state.stream_id !== null && GONE.has(frame.code)) return endedUnseen(state);
      return only({ ...state, phase: "refused", refusal: { code: frame.code, message: frame.message } });
  }
}

/** Refusals that say of a pane's terminal that it lives no more. */
const GONE: ReadonlySet<string> = new Set<keyof typeof TERMINAL_REFUSALS>(["terminal_ended", "agent_not_started"]);

/** It ended with its host, which could tell nobody: what it showed last stays. */
function endedUnseen(state: PaneState): PaneStep {
  const lost: PaneEffect[] = state.unconfirmed.length > 0 ? [{ type: "lost_input" }] : [];
  return { state: { ...state, phase: "ended", unconfirmed: [], exit: null }, effects: lost };
}

/** Input is proven to arrive: what was not taken goes again, in its order, and never to another program. */
function goOn(
  state: PaneState,
  {
    stream_id,
    offset,
    cols,
    rows,
    input: taken,
  }: Extract<PaneDown, { type: "terminal.attached" | "terminal.snapshot" }>,
  shows: PaneEffect[],
): PaneStep {
  const same = state.stream_id === null || state.stream_id === stream_id;
  const kept = same ? state.unconfirmed.filter(({ n }) => n > taken) : [];
  const again = kept.map(({ data }, i) => ({ n: taken + 1 + i, data }));
  const next: PaneState = {
    ...state,
    phase: state.phase === "ended" && same ? "ended" : "attached",
    stream_id,
    offset,
    acked: offset,
    made: taken + again.length,
    unconfirmed: again,
    exit: same ? state.exit : null,
    refusal: null,
  };
  const lost: PaneEffect[] = !same && state.unconfirmed.length > 0 ? [{ type: "lost_input" }] : [];
  const sized: PaneEffect[] = shows.length === 0 ? [{ type: "size", size: { cols, rows } }] : shows;
  const mine = state.size.cols === cols && state.size.rows === rows;
  // Only what was wished for while it attached, or for a program that has just begun: a later size is another pane's
  // wish, and two must not fight over it.
  const joins = state.phase === "attaching" || !same;
  const resize: PaneEffect[] =
    mine || !joins || next.phase === "ended"
      ? []
      : [{ type: "send", frame: { type: "terminal.resize", ...paneOf(state), ...state.size } }];
  return { state: next, effects: [...sized, ...lost, ...resize, ...again.map((made) => input(paneOf(state), made))] };
}

function paneOf({ terminal_id, pane_id }: PaneState): { terminal_id: string; pane_id: string } {
  return { terminal_id, pane_id };
}

/** Of base64, without decoding it. */
function byteLength(data: string): number {
  const padding = data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0;
  return (data.length / 4) * 3 - padding;
}
