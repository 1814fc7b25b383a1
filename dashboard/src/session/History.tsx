import type { LogRow } from "@reprise/protocol";
import { useMemo } from "react";
import { type Block, toBlocks } from "../conversation/blocks.ts";
import { ExecutionEnd, Notice, Resumed, ResumeFailed } from "../conversation/Dividers.tsx";

/** What became of a session whose conversation is in its own terminal: ends, resumes, notices; the newest last. */
export function History({ rows }: { readonly rows: readonly LogRow[] }) {
  const told = useMemo(() => toBlocks(rows).filter(({ type }) => TOLD.has(type)), [rows]);
  if (told.length === 0) return null;
  return (
    <section aria-label="History" className="px-4 pb-4">
      <h3 className="pb-1 text-xs font-medium text-text-2">History</h3>
      {told.map((block) => (
        <Told key={block.key} block={block} />
      ))}
    </section>
  );
}

const TOLD: ReadonlySet<Block["type"]> = new Set<Block["type"]>([
  "execution_end",
  "resume_failed",
  "resumed",
  "notice",
]);

function Told({ block }: { readonly block: Block }) {
  switch (block.type) {
    case "execution_end":
      return <ExecutionEnd end={block.end} />;
    case "resume_failed":
      return <ResumeFailed end={block.end} />;
    case "resumed":
      return <Resumed resumed={block.resumed} />;
    case "notice":
      return <Notice notice={block.notice} />;
    default:
      return null;
  }
}
