import { structuredPatch } from "diff";
import { useMemo } from "react";
import { DiffTable } from "./DiffTable.tsx";
import type { DiffLine } from "./patch.ts";

/** Lines around a change that are shown with it. */
const CONTEXT_LINES = 3;

function hunksOf(oldText: string | null, newText: string): DiffLine[][] {
  const patch = structuredPatch("a", "b", oldText ?? "", newText, "", "", { context: CONTEXT_LINES });
  return patch.hunks.map((hunk) => {
    let old = hunk.oldStart;
    let now = hunk.newStart;
    return hunk.lines
      .filter((line) => !line.startsWith("\\"))
      .map((line): DiffLine => {
        const text = line.slice(1);
        if (line.startsWith("+")) return { sign: "+", text, old: null, now: now++ };
        if (line.startsWith("-")) return { sign: "-", text, old: old++, now: null };
        return { sign: " ", text, old: old++, now: now++ };
      });
  });
}

/** A change of one file as a unified diff. The line numbers are those of the text that the agent gave. */
export default function DiffView({
  path,
  oldText,
  newText,
}: {
  readonly path: string;
  readonly oldText: string | null;
  readonly newText: string;
}) {
  const hunks = useMemo(() => hunksOf(oldText, newText), [oldText, newText]);
  return <DiffTable path={path} hunks={hunks} />;
}
