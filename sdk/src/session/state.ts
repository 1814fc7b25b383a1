import type { LogCopy, LogRow, SessionStatus, ViewerDown } from "@reprise/protocol";
import type { Refusal } from "../link/core.ts";

/** A stretch of an item's text that is not in the log yet (L3). */
export interface Preview {
  execution_id: string;
  turn_id: string | null;
  item_id: string;
  kind: "text" | "thought";
  text: string;
  /** The whole item was asked for, because a stretch was missing; until it comes, `text` is what is known for sure. */
  asked: boolean;
}

/** How current the copy is. `behind`: it is the truth as of `since`, and the socket is on its way. */
export type Connection =
  | { kind: "live" }
  | { kind: "behind"; since: number }
  | { kind: "refused"; since: number; refusal: Refusal };

/** One viewer's picture of one session. */
export interface SessionCopy {
  session_id: string;
  /** null until the first snapshot or hydration. */
  log: LogCopy | null;
  status: SessionStatus | null;
  /** By the id of the row that the item becomes. */
  previews: ReadonlyMap<string, Preview>;
  connection: Connection;
}

type Events = { log_id: string; cursor: number; from_pos: number; rows: LogRow[] };

export type SessionEvent =
  | { type: "frame"; frame: ViewerDown }
  /** A page's inlined data, or `events` and `status` read over HTTP. */
  | { type: "hydrate"; status: SessionStatus; events: Events }
  /** An answer of `events?before=`: older history. */
  | { type: "older"; before: number; page: Events }
  | { type: "lost" }
  | { type: "refused"; refusal: Refusal };

export type SessionEffect =
  /** Ask for the item from its beginning (L3). */
  | { type: "whole"; item_id: string }
  /** The copy can't be continued: connect again, without a cursor if it is gone. */
  | { type: "restart" };

export interface SessionStep {
  state: SessionCopy;
  effects: SessionEffect[];
}

/** A copy that knows nothing yet. @param now since when it is behind */
export function emptySession(sessionId: string, now: number): SessionCopy {
  return {
    session_id: sessionId,
    log: null,
    status: null,
    previews: new Map(),
    connection: { kind: "behind", since: now },
  };
}
