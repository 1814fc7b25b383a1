import type { PageData } from "@reprise/protocol";

let inlined: PageData["session"] = null;

/** Keeps the session that came with the page's HTML, for the page that shows it first. */
export function keepInlined(session: PageData["session"]): void {
  inlined = session;
}

/** @returns the session's inlined data, if it is the one that came, and no older than this load of the page */
export function takeInlined(sessionId: string): PageData["session"] {
  return inlined?.session_id === sessionId ? inlined : null;
}
