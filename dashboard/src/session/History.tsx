import type { LogRow } from "@reprise/protocol";
import { useMemo } from "react";
import { toBlocks } from "../conversation/blocks.ts";
import { isTold, Told } from "../conversation/Dividers.tsx";

/** What became of a session whose conversation is in its own terminal: ends, resumes, notices; the newest last. */
export function History({ rows }: { readonly rows: readonly LogRow[] }) {
  const told = useMemo(() => toBlocks(rows).filter(isTold), [rows]);
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
