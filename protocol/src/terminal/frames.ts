import { z } from "zod";
import { MAX_TERMINAL_CHUNK, MAX_TERMINAL_COLS, MAX_TERMINAL_ROWS, MAX_TERMINAL_SCREEN_CHARS } from "../limits.ts";

/**
 * Terminals over the session socket (B1, B2): host -> daemon -> SessionObject -> viewer, and back. Nothing of it is stored.
 * A terminal is named by whoever opens it; each life of it is a `stream`, whose bytes are counted from 0. A pane is one
 * view of a terminal, with an id that its viewer made.
 */
export const TerminalId = z.string().regex(/^[a-z0-9_-]{1,40}$/, "1 to 40 small letters, digits, _ or -");
/** The terminal that a terminal agent runs in. Only a launch begins a life of it. */
export const AGENT_TERMINAL = "agent";

/** An agent's terminal, also one whose shell lives on under another name because something still runs in it. */
export function isAgentTerminal(terminalId: string): boolean {
  return terminalId === AGENT_TERMINAL || terminalId.startsWith(`${AGENT_TERMINAL}-`);
}
export const PaneId = z.string().regex(/^[A-Za-z0-9_-]{8,40}$/, "8 to 40 letters, digits, _ or -");

const offset = z.number().int().nonnegative();
const cols = z.number().int().min(2).max(MAX_TERMINAL_COLS);
const rows = z.number().int().min(1).max(MAX_TERMINAL_ROWS);
/** Base64 of at most `MAX_TERMINAL_CHUNK` bytes. */
export const TerminalBytes = z.base64().max(Math.ceil(MAX_TERMINAL_CHUNK / 3) * 4);
const pane = { terminal_id: TerminalId, pane_id: PaneId };

/** From a pane to its terminal. */
const DOWN = [
  z.object({
    type: z.literal("terminal.attach"),
    ...pane,
    cols,
    rows,
    /** Begin a new life of it where none lives. */
    start: z.boolean(),
    /** What this pane shows already: it goes on from there if it can. */
    have: z.object({ stream_id: z.string().max(64), offset }).nullable(),
  }),
  /** `n` counts a pane's inputs from 1; one that was taken already is not taken twice (P1's rule for keys). */
  z.object({ type: z.literal("terminal.input"), ...pane, n: z.number().int().positive(), data: TerminalBytes }),
  /** Shown up to here: so much more may be sent (B2). */
  z.object({ type: z.literal("terminal.ack"), ...pane, offset }),
  z.object({ type: z.literal("terminal.resize"), ...pane, cols, rows }),
  z.object({ type: z.literal("terminal.detach"), ...pane }),
] as const;

/** From a terminal to one of its panes. */
const UP = [
  /** The pane goes on from what it has. Input has been proven to arrive: this answers over the same way (B1). */
  z.object({
    type: z.literal("terminal.attached"),
    ...pane,
    stream_id: z.string(),
    offset,
    cols,
    rows,
    /** The last input of this pane that was taken. */
    input: z.number().int().nonnegative(),
  }),
  /** The whole screen as it is at `offset`, in place of what the pane shows. */
  z.object({
    type: z.literal("terminal.snapshot"),
    ...pane,
    stream_id: z.string(),
    offset,
    cols,
    rows,
    input: z.number().int().nonnegative(),
    /** `slow`: the pane fell behind, so what scrolled by meanwhile is only in the scrollback. */
    why: z.enum(["first", "other_stream", "too_old", "slow", "resized"]),
    screen: z.string().max(MAX_TERMINAL_SCREEN_CHARS),
  }),
  z.object({ type: z.literal("terminal.output"), ...pane, offset, data: TerminalBytes }),
  z.object({ type: z.literal("terminal.resized"), ...pane, cols, rows }),
  z.object({ type: z.literal("terminal.input_taken"), ...pane, n: z.number().int().positive() }),
  z.object({
    type: z.literal("terminal.ended"),
    ...pane,
    stream_id: z.string(),
    exit_code: z.number().int().nullable(),
    signal: z.string().nullable(),
  }),
  z.object({ type: z.literal("terminal.refused"), ...pane, code: z.string(), message: z.string() }),
] as const;

/** Which viewer's pane it is: made by the SessionObject, known to nobody beyond the host. */
const viewer = { viewer_id: z.string().min(1).max(64) };

export const PaneUp = z.discriminatedUnion("type", DOWN);
export type PaneUp = z.infer<typeof PaneUp>;
export const PaneDown = z.discriminatedUnion("type", UP);
export type PaneDown = z.infer<typeof PaneDown>;

/** The same, between SessionObject and host. */
export const TerminalDown = z.discriminatedUnion("type", [
  DOWN[0].extend(viewer),
  DOWN[1].extend(viewer),
  DOWN[2].extend(viewer),
  DOWN[3].extend(viewer),
  DOWN[4].extend(viewer),
  /** That viewer is gone, and its panes with it. */
  z.object({ type: z.literal("terminal.viewer_gone"), ...viewer }),
]);
export type TerminalDown = z.infer<typeof TerminalDown>;
export const TerminalUp = z.discriminatedUnion("type", [
  UP[0].extend(viewer),
  UP[1].extend(viewer),
  UP[2].extend(viewer),
  UP[3].extend(viewer),
  UP[4].extend(viewer),
  UP[5].extend(viewer),
  UP[6].extend(viewer),
]);
export type TerminalUp = z.infer<typeof TerminalUp>;

const UP_TYPES: ReadonlySet<string> = new Set(UP.map(({ shape }) => shape.type.value));
const DOWN_TYPES: ReadonlySet<string> = new Set(TerminalDown.options.map(({ shape }) => shape.type.value));
type OfTerminal<F, Of extends { type: string }> = Extract<F, { type: Of["type"] }>;

/** A terminal's frame among others, on its way to a pane: with the viewer's name or without. */
export function isTerminalUp<F extends { type: string }>(frame: F): frame is OfTerminal<F, TerminalUp> {
  return UP_TYPES.has(frame.type);
}

/** A pane's frame among others, on its way to the terminal. */
export function isTerminalDown<F extends { type: string }>(frame: F): frame is OfTerminal<F, TerminalDown> {
  return DOWN_TYPES.has(frame.type);
}

/** Whether a host can serve terminals. One that says nothing is older than they are. */
export const TerminalSupport = z.discriminatedUnion("ok", [
  z.object({ ok: z.literal(true) }),
  z.object({ ok: z.literal(false), code: z.string().max(64), message: z.string().max(1_000) }),
]);
export type TerminalSupport = z.infer<typeof TerminalSupport>;

/** Why there is no shell, where it isn't the machine's own words. */
export const TERMINAL_REFUSALS = {
  agentctl_too_old: "The agentctl on this machine is too old for a shell. Update it there, then open the shell again.",
  host_too_old:
    "This session's host was started by an agentctl that knew no shells. It gets one when it is started anew: stop and resume the session.",
  shell_off: "The owner of this machine has turned the shell off.",
  needs_websocket:
    "The network between this machine and the control plane breaks WebSockets, and a shell needs one. All else works.",
  terminal_ended: "This shell has ended.",
  agent_not_started: "No agent has been started in this terminal since its host began.",
  too_many: "So many shells are open in this session already. Close one.",
} as const;
