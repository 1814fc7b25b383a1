import {
  emptyCopy,
  foldRows,
  isTerminalUp,
  type LogCopy,
  type RowFrame,
  type SessionStatus,
  type ViewerDown,
} from "@reprise/protocol";
import { foldPreview, keepOpenPreviews, settlePreviews } from "./previews.ts";
import type { SessionCopy, SessionEvent, SessionStep } from "./state.ts";

type Snapshot = Extract<ViewerDown, { type: "session.snapshot" }>;
type Catchup = Extract<ViewerDown, { type: "session.catchup" }>;

/** The pure core of a viewer: a copy and what happened give the next copy (L2, L3). */
export function stepSession(state: SessionCopy, event: SessionEvent, now: number): SessionStep {
  switch (event.type) {
    case "frame":
      return onFrame(state, event.frame, now);
    case "hydrate":
      return hydrate(state, event);
    case "older":
      return older(state, event);
    case "lost":
      return only({ ...behind(state, now), previews: unasked(state) });
    case "refused":
      return only({ ...state, connection: { kind: "refused", since: now, refusal: event.refusal } });
  }
}

function only(state: SessionCopy): SessionStep {
  return { state, effects: [] };
}

function behind(state: SessionCopy, now: number): SessionCopy {
  return state.connection.kind === "live" ? { ...state, connection: { kind: "behind", since: now } } : state;
}

/** Questions die with their socket. */
function unasked(state: SessionCopy): SessionCopy["previews"] {
  return new Map([...state.previews].map(([id, preview]) => [id, { ...preview, asked: false }]));
}

function onFrame(state: SessionCopy, frame: ViewerDown, now: number): SessionStep {
  if (frame.type === "error") return onError(state, frame);
  // One socket is one session's; another's frame is the server's mistake, and must not be mixed in.
  if (frame.session_id !== state.session_id) return only(state);
  // A pane's own.
  if (isTerminalUp(frame)) return only(state);
  switch (frame.type) {
    case "session.snapshot":
      return only(onSnapshot(state, frame));
    case "session.catchup":
      return onCatchup(state, frame, now);
    case "session.message.added":
    case "session.message.updated":
    case "session.permission.requested":
    case "session.permission.resolved":
    case "session.prompt.updated":
    case "session.turn.started":
    case "session.turn.ended":
    case "session_resumed":
    case "session.log":
      return only(onRow(state, frame));
    case "session.preview": {
      const { previews, gap } = foldPreview(state.previews, state.log, frame);
      return { state: { ...state, previews }, effects: gap ? [{ type: "whole", item_id: frame.item_id }] : [] };
    }
    case "task.session.status":
      return only({ ...state, status: newer(state.status, frame.status) });
    case "node.presence": {
      const { status } = state;
      if (status === null || status.node.id !== frame.node_id) return only(state);
      const { presence, since, reason } = frame;
      return only({ ...state, status: { ...status, node: { ...status.node, presence, since, reason } } });
    }
    case "session.state_changed":
    case "session.agentctl_starting":
    case "session.agentctl_ready":
    case "session.agentctl_error":
    case "terminal.link":
      // Told for those who watch events; the status that comes with them says it all.
      return only(state);
  }
}

function onSnapshot(state: SessionCopy, frame: Snapshot): SessionCopy {
  const log = foldRows({ ...emptyCopy(frame.log_id), from_pos: frame.from_pos }, frame.rows, frame.cursor);
  return {
    ...state,
    log,
    // It replaces the copy, and with it a status that was of another log's life.
    status: state.log?.log_id === frame.log_id ? newer(state.status, frame.status) : frame.status,
    previews: keepOpenPreviews(state.previews, log),
    connection: { kind: "live" },
  };
}

function onCatchup(state: SessionCopy, frame: Catchup, now: number): SessionStep {
  if (state.log?.log_id !== frame.log_id) {
    // It continues a log that is not here, so that nothing can be made of it.
    return { state: { ...behind(state, now), log: null, previews: new Map() }, effects: [{ type: "restart" }] };
  }
  const log = foldRows(state.log, frame.rows, frame.cursor);
  return only({
    ...state,
    log,
    status: newer(state.status, frame.status),
    previews: settlePreviews(state.previews, frame.rows, log),
    connection: frame.live ? { kind: "live" } : state.connection,
  });
}

function onRow(state: SessionCopy, frame: RowFrame): SessionCopy {
  if (state.log === null) return state;
  // Before the catch-up is through, a row that comes early must not move the cursor over those still to come.
  const cursor = state.connection.kind === "live" ? frame.seq : state.log.cursor;
  const log = foldRows(state.log, [frame.row], cursor);
  return { ...state, log, previews: settlePreviews(state.previews, [frame.row], log) };
}

function onError(state: SessionCopy, frame: Extract<ViewerDown, { type: "error" }>): SessionStep {
  switch (frame.retry) {
    case "from_snapshot":
      return { state: { ...state, log: null, previews: new Map() }, effects: [{ type: "restart" }] };
    case "never":
    case "backoff":
      // About one frame of ours, and the copy is none the worse; where the socket can't go on, its close code says so.
      return only(state);
  }
}

function hydrate(state: SessionCopy, event: Extract<SessionEvent, { type: "hydrate" }>): SessionStep {
  const { log_id, cursor, from_pos, rows } = event.events;
  // A page read before the socket spoke is older than what the socket told.
  if (state.log !== null && (state.log.log_id !== log_id || state.log.cursor >= cursor)) return only(state);
  const log: LogCopy = foldRows({ ...emptyCopy(log_id), from_pos }, rows, cursor);
  return only({
    ...state,
    log,
    status: newer(state.status, event.status),
    previews: keepOpenPreviews(state.previews, log),
  });
}

function older(state: SessionCopy, { before, page }: Extract<SessionEvent, { type: "older" }>): SessionStep {
  const { log } = state;
  // It joins on only where it was asked for: a snapshot in between has moved the edge.
  if (log === null || log.log_id !== page.log_id || log.from_pos !== before) return only(state);
  return only({ ...state, log: { ...foldRows(log, page.rows, log.cursor), from_pos: page.from_pos } });
}

/** A status of a lower version was overtaken on its way. */
function newer(known: SessionStatus | null, told: SessionStatus): SessionStatus {
  return known !== null && known.version > told.version ? known : told;
}
