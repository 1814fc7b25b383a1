import { type ReactNode, useEffect, useState } from "react";
import type { Highlight } from "./highlight.ts";

/** Colouring longer code would block the page longer than it helps to read it. */
const MAX_HIGHLIGHT_CHARS = 60_000;

let loaded: Highlight | undefined;
let loading: Promise<Highlight> | undefined;

/** The highlighter, once it is here; it is fetched when the first code is shown. */
export function useHighlight(): Highlight | undefined {
  const [highlight, setHighlight] = useState(() => loaded);
  useEffect(() => {
    if (highlight !== undefined) return;
    let gone = false;
    loading ??= import("./highlight.ts").then((module) => module.highlight);
    loading.then(
      (value) => {
        loaded = value;
        if (!gone) setHighlight(() => value);
      },
      (error: unknown) => {
        // Plain code is readable; the next code shown asks again.
        loading = undefined;
        console.warn("The highlighter could not be loaded; code stays plain.", error);
      },
    );
    return () => {
      gone = true;
    };
  }, [highlight]);
  return highlight;
}

/** Code with its colours, or plain until they are there. */
export function Highlighted({
  code,
  language,
}: {
  readonly code: string;
  readonly language: string | null;
}): ReactNode {
  const highlight = useHighlight();
  if (highlight === undefined || language === null || code.length > MAX_HIGHLIGHT_CHARS) return code;
  return highlight(code, language);
}
