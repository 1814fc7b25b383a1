import type { LogRow } from "@reprise/protocol";
import { FileDiff, GitCompare } from "lucide-react";
import { lazy, Suspense, useMemo } from "react";
import { fileChanges } from "../conversation/changes.ts";
import { Stat } from "../conversation/Stat.tsx";
import { FoldLine } from "../conversation/ToolCall.tsx";
import { relativePath } from "../conversation/tool-line.ts";
import { EmptyState } from "../ui/EmptyState.tsx";

const DiffView = lazy(() => import("../conversation/DiffView.tsx"));

/** What the agent edited, file by file, as its tool calls told. */
export function AgentEdits({
  rows,
  cwd,
  partial,
}: {
  readonly rows: readonly LogRow[];
  readonly cwd: string;
  readonly partial: boolean;
}) {
  const files = useMemo(() => fileChanges(rows), [rows]);
  if (files.length === 0) {
    return (
      <EmptyState icon={<GitCompare size={20} />} title="No edits yet">
        Files that the agent edits with its own tools appear here. This folder is in no git repository, so what its
        commands change is not.
      </EmptyState>
    );
  }
  return (
    <div className="flex flex-col p-4">
      {partial ? (
        <p className="mb-2 text-xs text-text-3">Edits from before the messages shown are not counted.</p>
      ) : null}
      {files.map((file) => {
        const path = relativePath(file.path, cwd);
        const slash = path.lastIndexOf("/") + 1;
        return (
          <FoldLine
            key={file.path}
            label={`Changes of ${path}`}
            icon={<FileDiff size={15} />}
            summary={
              <span className="min-w-0 truncate font-mono text-[12.5px]">
                <span className="text-text-3">{path.slice(0, slash)}</span>
                {path.slice(slash)}
              </span>
            }
            end={<Stat stat={file.stat} />}
          >
            {() => (
              <div className="-ml-6 flex flex-col gap-2">
                {file.edits.map((edit, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: edits of a file are only ever added
                  <div key={index} className="overflow-hidden rounded-md border border-line bg-surface">
                    <Suspense fallback={<div className="h-24" />}>
                      <DiffView path={edit.path} oldText={edit.old_text} newText={edit.new_text} />
                    </Suspense>
                  </div>
                ))}
              </div>
            )}
          </FoldLine>
        );
      })}
    </div>
  );
}
