import { z } from "zod";
import { ErrorFrame } from "../errors.ts";
import { LogRow } from "../log/row.ts";
import { Presence, SessionState } from "../states.ts";
import { SessionStatus } from "../status/status.ts";
import { PaneDown, PaneUp } from "../terminal/frames.ts";

/** The socket of one viewer on one session: `GET /api/sessions/:id/ws?log=&since=`. Every frame names its session (§6). */
const about = { session_id: z.string(), task_id: z.string() };
const changed = { ...about, seq: z.number().int(), row: LogRow };

const [attached, snapshot, output, resized, inputTaken, ended, refused] = PaneDown.options;
const PANE_DOWN = [
  attached.extend(about),
  snapshot.extend(about),
  output.extend(about),
  resized.extend(about),
  inputTaken.extend(about),
  ended.extend(about),
  refused.extend(about),
] as const;

export const ViewerDown = z.discriminatedUnion("type", [
  /** Everything up to `cursor`, or its newest part: older places than `from_pos` are fetched by `events?before=`. */
  z.object({
    type: z.literal("session.snapshot"),
    ...about,
    log_id: z.string(),
    cursor: z.number().int(),
    from_pos: z.number().int(),
    /** `first`: no cursor was given. Else the cursor could not be used, and this replaces the copy (L2, C21). */
    why: z.enum(["first", "other_log", "too_old", "slow"]),
    rows: z.array(LogRow),
    status: SessionStatus,
  }),
  /** What changed above the viewer's cursor; a long catch-up comes in several, the last one with `live: true`. */
  z.object({
    type: z.literal("session.catchup"),
    ...about,
    log_id: z.string(),
    cursor: z.number().int(),
    rows: z.array(LogRow),
    live: z.boolean(),
    status: SessionStatus,
  }),
  z.object({ type: z.literal("session.message.added"), ...changed }),
  z.object({ type: z.literal("session.message.updated"), ...changed }),
  z.object({ type: z.literal("session.permission.requested"), ...changed }),
  z.object({ type: z.literal("session.permission.resolved"), ...changed }),
  z.object({ type: z.literal("session.prompt.updated"), ...changed }),
  z.object({ type: z.literal("session.turn.started"), ...changed }),
  z.object({ type: z.literal("session.turn.ended"), ...changed }),
  z.object({ type: z.literal("session_resumed"), ...changed }),
  /** An execution's end, or a notice: rows without an event of their own. */
  z.object({ type: z.literal("session.log"), ...changed }),
  /** A stretch of an open item's text (L3); not part of the log. */
  z.object({
    type: z.literal("session.preview"),
    ...about,
    execution_id: z.string(),
    turn_id: z.string().nullable(),
    item_id: z.string(),
    kind: z.enum(["text", "thought"]),
    offset: z.number().int(),
    text: z.string(),
  }),
  z.object({ type: z.literal("task.session.status"), ...about, status: SessionStatus }),
  z.object({ type: z.literal("session.state_changed"), ...about, from: SessionState, to: SessionState }),
  z.object({ type: z.literal("session.agentctl_starting"), ...about }),
  z.object({ type: z.literal("session.agentctl_ready"), ...about }),
  z.object({ type: z.literal("session.agentctl_error"), ...about, code: z.string(), message: z.string() }),
  z.object({
    type: z.literal("node.presence"),
    ...about,
    node_id: z.string(),
    presence: Presence,
    since: z.number(),
    reason: z.string().nullable(),
  }),
  /** Of this viewer's panes; they don't count as `seen`, for they have a credit of their own (B2). */
  ...PANE_DOWN,
  /** The way to the machine is there (again), or is gone: panes attach anew when it is. */
  z.object({ type: z.literal("terminal.link"), ...about, up: z.boolean() }),
  ErrorFrame,
]);
export type ViewerDown = z.infer<typeof ViewerDown>;
export type RowFrame = Extract<ViewerDown, { row: LogRow }>;

export const ViewerUp = z.discriminatedUnion("type", [
  /** Everything up to this cursor has been taken in (L4). `bytes`: total received on this socket, previews included. */
  z.object({ type: z.literal("seen"), cursor: z.number().int().nonnegative(), bytes: z.number().int().nonnegative() }),
  /** A preview left a gap: ask for the item from its beginning. */
  z.object({ type: z.literal("whole"), item_id: z.string().min(1).max(128) }),
  ...PaneUp.options,
]);
export type ViewerUp = z.infer<typeof ViewerUp>;

/** Which event tells of a row (§6). */
export function rowFrameType(row: LogRow, added: boolean): RowFrame["type"] {
  switch (row.body.kind) {
    case "message":
      return added ? "session.message.added" : "session.message.updated";
    case "prompt":
      return "session.prompt.updated";
    case "turn":
      return "session.turn.started";
    case "turn_end":
      return "session.turn.ended";
    case "permission":
      return row.body.approval.state === "pending" ? "session.permission.requested" : "session.permission.resolved";
    case "resumed":
      return "session_resumed";
    case "execution_end":
    case "notice":
      return "session.log";
  }
}
