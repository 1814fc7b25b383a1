import type { ToolContent } from "@reprise/protocol";
import { lazy, Suspense } from "react";
import { cx } from "../lib/cx.ts";
import { readInput } from "./input.ts";
import { relativePath } from "./tool-line.ts";

const DiffView = lazy(() => import("./DiffView.tsx"));

const box = "overflow-hidden rounded-md border border-line bg-sunken";
const pre = "max-h-80 overflow-auto p-3 font-mono text-[12.5px] leading-5 whitespace-pre-wrap wrap-anywhere";

/** What a tool call brought: diffs, output, and the input it was given. */
export function ToolContents({
  content,
  input,
  cwd,
  textLabel = "Output",
}: {
  readonly content: readonly ToolContent[];
  readonly input: string | null;
  readonly cwd: string | null;
  /** What a text is: an asked call has no output yet. */
  readonly textLabel?: string;
}) {
  const given = readInput(input);
  const hasDiff = content.some((each) => each.type === "diff");
  return (
    <div className="flex flex-col gap-2">
      {given === null || hasDiff ? null : (
        <Labelled label={given.label} note={given.note}>
          {given.text}
        </Labelled>
      )}
      {content.map((each, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a call's contents are only ever replaced as a whole
        <Content key={index} content={each} cwd={cwd} textLabel={textLabel} />
      ))}
    </div>
  );
}

function Labelled({
  label,
  children,
  note,
}: {
  readonly label: string;
  readonly children: string;
  readonly note?: string | null;
}) {
  return (
    <section className={box} aria-label={label}>
      <div className="flex h-7 items-center justify-between gap-4 border-b border-line px-3 text-xs text-text-3">
        {label}
        {note == null ? null : <span className="truncate">{note}</span>}
      </div>
      <pre className={pre}>{children}</pre>
    </section>
  );
}

function Content({
  content,
  cwd,
  textLabel,
}: {
  readonly content: ToolContent;
  readonly cwd: string | null;
  readonly textLabel: string;
}) {
  switch (content.type) {
    case "text":
      return (
        <Labelled label={textLabel} note={content.truncated ? "cut: only its beginning is kept" : null}>
          {unfence(content.text)}
        </Labelled>
      );
    case "terminal":
      return <Labelled label="Terminal">{content.output === "" ? "(no output)" : content.output}</Labelled>;
    case "diff":
      return (
        <section className={cx(box, "bg-surface")} aria-label={`Change of ${content.path}`}>
          <div className="flex h-8 items-center justify-between gap-3 border-b border-line bg-sunken px-3 font-mono text-xs text-text-2">
            <span className="truncate">{relativePath(content.path, cwd)}</span>
            {content.truncated ? <span className="font-sans text-amber">cut</span> : null}
          </div>
          <Suspense fallback={<div className="h-24" />}>
            <DiffView path={content.path} oldText={content.old_text} newText={content.new_text} />
          </Suspense>
        </section>
      );
    case "media":
      return (
        <p className="text-sm text-text-3">
          {content.mime}: {content.note}
        </p>
      );
  }
}

/** Agents wrap output in a code fence; here it is one already. */
function unfence(text: string): string {
  return /^\s*```[^\n]*\n([\s\S]*?)\n?```\s*$/.exec(text)?.[1] ?? text;
}
