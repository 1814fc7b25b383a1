/** The session's page, which nearly every visit goes to. */
export function loadSessionPage() {
  return import("../session/SessionPage.tsx");
}

function loadMarkdown() {
  return import("../conversation/Markdown.tsx");
}

function fetchAhead(): void {
  Promise.all([loadSessionPage(), loadMarkdown()]).catch((error: unknown) => {
    // It is asked for again when it is needed, and says so then.
    console.warn("The session's page could not be fetched ahead.", error);
  });
}

/** Fetches the session's page ahead: at once where it is the first, else when the first has nothing more to do. */
export function preload(): void {
  if (location.pathname.startsWith("/sessions/")) {
    // This is the first page: its parts are fetched at once, not each when the one before it is drawn.
    fetchAhead();
    return;
  }
  const later = globalThis.requestIdleCallback ?? ((work: () => void) => setTimeout(work, 1));
  later(fetchAhead);
}
