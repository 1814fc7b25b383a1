/** What the inbox's keyboard comes to. */
export type InboxIntent =
  | { readonly type: "select"; readonly id: string }
  | { readonly type: "open" | "approve" | "resume" | "archive"; readonly id: string };

/**
 * j and k move, Enter opens, a approves, r resumes, e archives.
 * @param ids the rows from top to bottom @param selected the row that has the keyboard
 * @returns null where the key means nothing here
 */
export function inboxKey(key: string, ids: readonly string[], selected: string | null): InboxIntent | null {
  const at = selected === null ? -1 : ids.indexOf(selected);
  switch (key) {
    case "j":
    case "arrowdown":
      return select(ids[Math.min(at + 1, ids.length - 1)]);
    case "k":
    case "arrowup":
      return select(ids[at === -1 ? 0 : Math.max(at - 1, 0)]);
    case "enter":
      return act("open", ids[at]);
    case "a":
      return act("approve", ids[at]);
    case "r":
      return act("resume", ids[at]);
    case "e":
      return act("archive", ids[at]);
    default:
      return null;
  }
}

function select(id: string | undefined): InboxIntent | null {
  return id === undefined ? null : { type: "select", id };
}

function act(type: "open" | "approve" | "resume" | "archive", id: string | undefined): InboxIntent | null {
  return id === undefined ? null : { type, id };
}

/** Where the keyboard stands once a row has left the list: on the row that took its place. */
export function nextSelection(
  before: readonly string[],
  after: readonly string[],
  selected: string | null,
): string | null {
  if (selected === null || after.includes(selected)) return selected;
  const at = before.indexOf(selected);
  return after[Math.min(Math.max(at, 0), after.length - 1)] ?? null;
}
