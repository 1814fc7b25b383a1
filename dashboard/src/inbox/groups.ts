import { display, type InboxGroup, inboxGroup, type SessionStatus } from "@reprise/protocol";
import { RECENTLY_DONE } from "../data/limits.ts";

export interface Group {
  readonly id: InboxGroup;
  readonly title: string;
  readonly sessions: readonly SessionStatus[];
}

const TITLES: Record<InboxGroup, string> = {
  needs_you: "Needs you",
  working: "Working",
  your_turn: "Your turn",
  done: "Recently done",
};

/** The inbox: what needs a person first; in each group the latest on top. Empty groups are left out. */
export function inboxGroups(sessions: readonly SessionStatus[]): Group[] {
  const groups: Record<InboxGroup, SessionStatus[]> = { needs_you: [], working: [], your_turn: [], done: [] };
  for (const session of sessions) {
    if (session.archived_at === null) groups[inboxGroup(session)].push(session);
  }
  const order: readonly InboxGroup[] = ["needs_you", "working", "your_turn", "done"];
  return order.flatMap((id) => {
    const sorted = groups[id].toSorted(
      (a, b) => lastChange(b) - lastChange(a) || (a.session_id < b.session_id ? -1 : 1),
    );
    const shown = id === "done" ? sorted.slice(0, RECENTLY_DONE) : sorted;
    return shown.length === 0 ? [] : [{ id, title: TITLES[id], sessions: shown }];
  });
}

function lastChange(session: SessionStatus): number {
  return Math.max(display(session).since, session.created_at);
}

/** How many sessions need a person now: the number on the badge. */
export function needsYouCount(sessions: readonly SessionStatus[]): number {
  return sessions.filter((session) => session.archived_at === null && inboxGroup(session) === "needs_you").length;
}
