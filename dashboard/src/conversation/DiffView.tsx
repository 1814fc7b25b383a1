import { structuredPatch } from "diff";
import { Fragment, useMemo } from "react";
import { cx } from "../lib/cx.ts";
import { useHighlight } from "./Highlighted.tsx";
import { languageOf } from "./language.ts";

interface Line {
  readonly sign: "+" | "-" | " ";
  readonly text: string;
  readonly old: number | null;
  readonly now: number | null;
}

/** Lines around a change that are shown with it. */
const CONTEXT_LINES = 3;

function hunksOf(oldText: string | null, newText: string): Line[][] {
  const patch = structuredPatch("a", "b", oldText ?? "", newText, "", "", { context: CONTEXT_LINES });
  return patch.hunks.map((hunk) => {
    let old = hunk.oldStart;
    let now = hunk.newStart;
    return hunk.lines
      .filter((line) => !line.startsWith("\\"))
      .map((line): Line => {
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
  const highlight = useHighlight();
  const language = languageOf(path);
  if (hunks.length === 0) return <p className="px-3 py-2 text-xs text-text-3">Nothing changed in this file.</p>;
  return (
    <figure className="diff overflow-x-auto text-[12.5px] leading-5" aria-label={`Diff of ${path}`}>
      <table>
        <tbody>
          {hunks.map((lines, index) => (
            <Fragment key={`${lines[0]?.old}:${lines[0]?.now}`}>
              {index === 0 ? null : (
                <tr className="diff-gap">
                  <td colSpan={4}>⋯</td>
                </tr>
              )}
              {lines.map((line) => (
                <tr
                  key={`${line.sign}${line.old}:${line.now}`}
                  className={cx(line.sign === "+" && "diff-add", line.sign === "-" && "diff-del")}
                >
                  <td className="diff-no">{line.old}</td>
                  <td className="diff-no">{line.now}</td>
                  <td className="diff-sign">{line.sign}</td>
                  <td className="diff-text">
                    {highlight === undefined || language === null ? line.text : highlight(line.text, language)}
                  </td>
                </tr>
              ))}
            </Fragment>
          ))}
        </tbody>
      </table>
    </figure>
  );
}
