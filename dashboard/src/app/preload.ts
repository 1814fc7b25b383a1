/** The session's page, which nearly every visit goes to. */
export function loadSessionPage() {
  return import("../session/SessionPage.tsx");
}

/** Fetches what comes next most often, once the first page has nothing more to do. */
export function preload(): void {
  const later = globalThis.requestIdleCallback ?? ((work: () => void) => setTimeout(work, 1));
  later(() => {
    Promise.all([loadSessionPage(), import("../conversation/Markdown.tsx")]).catch((error: unknown) => {
      // It is asked for again when it is needed, and says so then.
      console.warn("The session's page could not be fetched ahead.", error);
    });
  });
}
