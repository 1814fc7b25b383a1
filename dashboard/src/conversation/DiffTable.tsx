import { Fragment } from "react";
import { cx } from "../lib/cx.ts";
import { useHighlight } from "./Highlighted.tsx";
import { languageOf } from "./language.ts";
import type { DiffLine } from "./patch.ts";

/** Hunks of one file as a table: numbers, signs, coloured text. */
export function DiffTable({ path, hunks }: { readonly path: string; readonly hunks: readonly DiffLine[][] }) {
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
