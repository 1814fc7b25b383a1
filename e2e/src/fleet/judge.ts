import type { SessionStatus } from "@reprise/protocol";
import { NOTE_SLACK_MS } from "./limits.ts";
import type { AgentStart, TrueSession } from "./orders.ts";

type Moment = TrueSession["timeline"][number];

/** How a session truly was at a time. @returns null before its machine knew it */
export function truthAt(session: TrueSession, at: number): Moment | null {
  return session.timeline.findLast((moment) => moment.at <= at) ?? null;
}

function agrees(row: SessionStatus, moment: Moment | null): boolean {
  if (moment === null)
    return row.state === "ERROR" && row.end_reason === "failed" && row.resume_reason === "never_prompted";
  if (row.state !== moment.state) return false;
  const alive = moment.state === "RUNNING" || moment.state === "WAITING_FOR_INPUT";
  return alive ? row.is_agent_running && row.end_reason === null : row.end_reason === moment.end_reason;
}

/**
 * What is wrong with a row: null when it is what its machine knows now, or what that knew at the row's own `as_of` (T2).
 * Anything else is a guess.
 * @param between when the listing was asked and answered: the truth of any moment in between will do
 */
export function wrongWith(row: SessionStatus, session: TrueSession, between: readonly [number, number]): string | null {
  const [asked_at, answered_at] = between;
  if (row.as_of > answered_at) return `${row.session_id}: as of a time that is yet to come`;
  const since = Math.min(row.as_of, asked_at);
  const until = row.as_of < asked_at ? row.as_of : answered_at;
  const meanwhile = session.timeline.filter((moment) => moment.at > since && moment.at <= until);
  if ([truthAt(session, since), ...meanwhile].some((moment) => agrees(row, moment))) return null;
  return (
    `${session.machine} ${row.session_id}: listed as ${row.state} (${row.end_reason}, agent ${row.is_agent_running}, ` +
    `${row.node.presence}), truly ${JSON.stringify(truthAt(session, until))}, as of ${row.as_of - asked_at} ms from the question`
  );
}

/**
 * The most automatic starts at a time on any one machine (X5): of those that began lately, and of all together. One that
 * takes long keeps its place among the first while the slow lane is full.
 */
export function startsAtATime(starts: readonly AgentStart[], slowAfterMs: number): { young: number; all: number } {
  const most = { young: 0, all: 0 };
  for (const machine of new Set(starts.map((start) => start.machine))) {
    const mine = starts.filter((start) => start.machine === machine && start.automatic);
    // The most at a time is reached when one begins.
    for (const { began_at: at } of mine) {
      const going = mine.filter((start) => start.began_at <= at && (start.over_at ?? Number.POSITIVE_INFINITY) > at);
      const young = going.filter((start) => at - start.began_at < slowAfterMs - NOTE_SLACK_MS);
      most.young = Math.max(most.young, young.length);
      most.all = Math.max(most.all, going.length);
    }
  }
  return most;
}
