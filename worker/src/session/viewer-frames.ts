import {
  type EventsPage,
  type LogRow,
  rowFrameType,
  type SessionStatus,
  sessionStatus,
  type ViewerDown,
} from "@reprise/protocol";
import { factsOf } from "./core/facts.ts";
import type { SessionCore } from "./core/state.ts";
import { MAX_PAGE_CHARS, type SessionStore } from "./log.ts";
import type { Preview } from "./previews.ts";

/** Rows of a first snapshot; older ones are fetched when somebody scrolls there. */
export const SNAPSHOT_ROWS = 300;
/** Rows in one catch-up frame. */
const CATCHUP_ROWS = 200;

/** The session's status as its own page shows it: the object knows more than the node's last inventory. */
export function statusOf(core: SessionCore, attached: boolean, now: number): SessionStatus {
  return sessionStatus({
    facts: factsOf(core),
    node: { id: core.node_id, ...core.node, as_of: core.node.since, entry: null },
    attached,
    now,
  });
}

export function about(core: SessionCore): { session_id: string; task_id: string } {
  return { session_id: core.session_id, task_id: core.task_id };
}

type Why = Extract<ViewerDown, { type: "session.snapshot" }>["why"];

export function snapshot(core: SessionCore, page: EventsPage, why: Why, now: number): ViewerDown {
  const { log_id, cursor, from_pos, rows } = page;
  return {
    type: "session.snapshot",
    ...about(core),
    log_id,
    cursor,
    from_pos,
    why,
    rows,
    status: statusOf(core, true, now),
  };
}

/**
 * What a viewer gets when it attaches (L2): all above its cursor, or a snapshot that says why it is one. Rows written
 * later follow on the same socket, so that nothing falls between.
 */
export function greeting(
  core: SessionCore,
  store: SessionStore,
  at: { log: string | null; since: number | null },
  now: number,
): ViewerDown[] {
  if (at.log === null || at.since === null || !Number.isSafeInteger(at.since) || at.since < 0)
    return [snapshot(core, store.page(core.log_id, undefined, SNAPSHOT_ROWS), "first", now)];
  if (at.log !== core.log_id || at.since > store.cursor) {
    return [snapshot(core, store.page(core.log_id, undefined, SNAPSHOT_ROWS), "other_log", now)];
  }
  const rows = store.since(at.since);
  if (rows === null) return [snapshot(core, store.page(core.log_id, undefined, SNAPSHOT_ROWS), "too_old", now)];
  const status = statusOf(core, true, now);
  const parts = inFrames(rows);
  return parts.map((part, i) => {
    const live = i === parts.length - 1;
    const cursor = live ? store.cursor : (part.at(-1)?.seq ?? store.cursor);
    return { type: "session.catchup", ...about(core), log_id: core.log_id, cursor, rows: part, live, status };
  });
}

/** Rows as frames can carry them; one frame where there are none. */
function inFrames(rows: readonly LogRow[]): LogRow[][] {
  let part: LogRow[] = [];
  const parts = [part];
  let size = 0;
  for (const row of rows) {
    const chars = JSON.stringify(row).length;
    if (part.length === CATCHUP_ROWS || (part.length > 0 && size + chars > MAX_PAGE_CHARS)) {
      part = [];
      parts.push(part);
      size = 0;
    }
    part.push(row);
    size += chars;
  }
  return parts;
}

export function rowFrame(core: SessionCore, row: LogRow, added: boolean): ViewerDown {
  return { type: rowFrameType(row, added), ...about(core), seq: row.seq, row };
}

export function previewFrame(core: SessionCore, p: Preview): ViewerDown {
  return { ...p, type: "session.preview", ...about(core) };
}

/** What a step changed for those who look, as the events of §6. */
export function statusFrames(before: SessionCore | null, after: SessionCore, now: number): ViewerDown[] {
  if (before !== null && before.version === after.version && before.node === after.node) return [];
  const frames: ViewerDown[] = [{ type: "task.session.status", ...about(after), status: statusOf(after, true, now) }];
  if (before !== null && before.state !== after.state) {
    frames.push({ type: "session.state_changed", ...about(after), from: before.state, to: after.state });
  }
  if (before?.executor.status !== after.executor.status) {
    const { status, failure } = after.executor;
    if (status === "starting") frames.push({ type: "session.agentctl_starting", ...about(after) });
    if (status === "ready") frames.push({ type: "session.agentctl_ready", ...about(after) });
    if (status === "error") {
      frames.push({
        type: "session.agentctl_error",
        ...about(after),
        code: failure?.code ?? "internal",
        message: failure?.message ?? "The executor failed.",
      });
    }
  }
  if (before !== null && before.node.presence !== after.node.presence) {
    const { presence, since, reason } = after.node;
    frames.push({ type: "node.presence", ...about(after), node_id: after.node_id, presence, since, reason });
  }
  return frames;
}
