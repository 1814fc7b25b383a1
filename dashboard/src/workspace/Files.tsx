import type { FileEntry, FilesAnswer } from "@reprise/protocol";
import { useQuery } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight, CornerUpRight, File, FileQuestion, Folder, FolderOpen } from "lucide-react";
import { useState } from "react";
import { Highlighted } from "../conversation/Highlighted.tsx";
import { languageOf } from "../conversation/language.ts";
import { api, sentence } from "../data/api.ts";
import { WORKSPACE_STALE_MS } from "../data/limits.ts";
import { keys } from "../data/queries.ts";
import { cx } from "../lib/cx.ts";
import { CopyButton } from "../ui/CopyButton.tsx";
import { EmptyState } from "../ui/EmptyState.tsx";
import { IconButton } from "../ui/IconButton.tsx";
import { Late, SkeletonRows } from "../ui/Skeleton.tsx";
import { PanelError } from "./PanelError.tsx";
import { fileSize } from "./size.ts";

interface At {
  readonly sessionId: string;
  /** May it be asked for now? If not, what was seen last stays. */
  readonly live: boolean;
}

function useFiles({ sessionId, live }: At, path: string) {
  return useQuery({
    queryKey: keys.files(sessionId, path),
    queryFn: ({ signal }) => api.sessions.files(sessionId, path, signal),
    enabled: live,
    staleTime: WORKSPACE_STALE_MS,
    refetchInterval: WORKSPACE_STALE_MS,
  });
}

/** The workspace's files: a tree that opens level by level, and the text of one. */
export function Files(at: At) {
  const [shown, setShown] = useState<string | null>(null);
  return shown === null ? (
    <Tree at={at} onFile={setShown} />
  ) : (
    <FileView at={at} path={shown} onBack={() => setShown(null)} />
  );
}

function Waiting() {
  return (
    <div className="p-4">
      <Late>
        <SkeletonRows rows={6} className="h-6" />
      </Late>
    </div>
  );
}

function Tree({ at, onFile }: { readonly at: At; readonly onFile: (path: string) => void }) {
  const root = useFiles(at, "");
  if (root.data === undefined)
    return root.error === null ? <Waiting /> : <PanelError error={root.error} onRetry={() => void root.refetch()} />;
  if (root.data.kind !== "folder" || root.data.entries.length === 0) {
    return (
      <EmptyState icon={<FolderOpen size={20} />} title="An empty folder">
        What the agent or you put into it appears here.
      </EmptyState>
    );
  }
  return (
    <ul aria-label="Files" className="py-2">
      <Level at={at} folder={root.data} depth={0} onFile={onFile} />
    </ul>
  );
}

interface LevelProps {
  readonly at: At;
  readonly folder: Extract<FilesAnswer, { kind: "folder" }>;
  readonly depth: number;
  readonly onFile: (path: string) => void;
}

function Level({ at, folder, depth, onFile }: LevelProps) {
  return (
    <>
      {folder.entries.map((entry) => (
        <Entry
          key={entry.name}
          at={at}
          entry={entry}
          path={folder.path === "" ? entry.name : `${folder.path}/${entry.name}`}
          depth={depth}
          onFile={onFile}
        />
      ))}
      {folder.truncated ? (
        <li className="px-4 py-1 text-xs text-text-3">This folder has more than is listed here.</li>
      ) : null}
    </>
  );
}

interface EntryProps {
  readonly at: At;
  readonly entry: FileEntry;
  readonly path: string;
  readonly depth: number;
  readonly onFile: (path: string) => void;
}

function Entry({ at, entry, path, depth, onFile }: EntryProps) {
  const [open, setOpen] = useState(false);
  const folder = entry.kind === "folder";
  const Icon = folder ? (open ? FolderOpen : Folder) : entry.kind === "file" ? File : FileQuestion;
  return (
    <li>
      <button
        type="button"
        aria-expanded={folder ? open : undefined}
        disabled={entry.kind === "other"}
        onClick={() => (folder ? setOpen(!open) : onFile(path))}
        style={{ paddingLeft: `${12 + depth * 16}px` }}
        className="flex h-7 w-full items-center gap-1.5 pr-4 text-left text-sm -outline-offset-2 hover:bg-hover disabled:opacity-50 max-md:h-10"
      >
        <ChevronRight
          size={14}
          className={cx("shrink-0 text-text-3 transition-transform", open && "rotate-90", !folder && "invisible")}
        />
        <Icon size={15} className={cx("shrink-0", folder ? "text-accent" : "text-text-3")} />
        <span className={cx("min-w-0 truncate", entry.name.startsWith(".") && "text-text-3")} title={entry.name}>
          {entry.name}
        </span>
        {entry.link ? <CornerUpRight size={12} className="shrink-0 text-text-3" aria-label="a link" /> : null}
        <span className="flex-1" />
        {entry.size === null ? null : (
          <span className="tabular shrink-0 text-xs text-text-3">{fileSize(entry.size)}</span>
        )}
      </button>
      {folder && open ? <Opened at={at} path={path} depth={depth + 1} onFile={onFile} /> : null}
    </li>
  );
}

function Opened({ at, path, depth, onFile }: Omit<EntryProps, "entry">) {
  const folder = useFiles(at, path);
  const indent = { paddingLeft: `${34 + depth * 16}px` };
  if (folder.error !== null && folder.data === undefined) {
    return (
      <p role="alert" style={indent} className="py-1 pr-4 text-xs text-red">
        {sentence(folder.error)}
      </p>
    );
  }
  if (folder.data?.kind !== "folder") return null;
  if (folder.data.entries.length === 0) {
    return (
      <p style={indent} className="py-1 text-xs text-text-3">
        Empty
      </p>
    );
  }
  return (
    <ul>
      <Level at={at} folder={folder.data} depth={depth} onFile={onFile} />
    </ul>
  );
}

function FileView({ at, path, onBack }: { readonly at: At; readonly path: string; readonly onBack: () => void }) {
  const file = useFiles(at, path);
  const slash = path.lastIndexOf("/") + 1;
  const shown = file.data?.kind === "file" ? file.data : null;
  return (
    <div className="flex min-h-full flex-col">
      <div className="sticky top-0 z-10 flex h-10 shrink-0 items-center gap-1.5 border-b border-line bg-canvas pr-2 pl-1.5">
        <IconButton label="Back to the files" onClick={onBack}>
          <ChevronLeft size={16} />
        </IconButton>
        <span className="min-w-0 truncate font-mono text-[12.5px]" title={path}>
          <span className="text-text-3">{path.slice(0, slash)}</span>
          {path.slice(slash)}
        </span>
        <span className="flex-1" />
        {shown === null ? null : <span className="tabular shrink-0 text-xs text-text-3">{fileSize(shown.size)}</span>}
        {shown?.text == null ? null : <CopyButton text={shown.text} label="Copy the file" />}
      </div>
      {shown !== null ? (
        <FileText path={path} text={shown.text} truncated={shown.truncated} />
      ) : file.error !== null ? (
        <PanelError error={file.error} onRetry={() => void file.refetch()} />
      ) : (
        <Waiting />
      )}
    </div>
  );
}

function FileText({
  path,
  text,
  truncated,
}: {
  readonly path: string;
  readonly text: string | null;
  readonly truncated: boolean;
}) {
  if (text === null) {
    return (
      <EmptyState icon={<FileQuestion size={20} />} title="Not text">
        This file can't be shown here.
      </EmptyState>
    );
  }
  const lines = text.replace(/\n$/, "").split("\n").length;
  return (
    <>
      <section aria-label={`Text of ${path}`} className="flex flex-1 overflow-x-auto font-mono text-[12.5px] leading-5">
        <pre
          aria-hidden
          className="tabular sticky left-0 shrink-0 bg-canvas py-3 pr-3 pl-4 text-right text-text-3 select-none"
        >
          {Array.from({ length: lines }, (_, i) => i + 1).join("\n")}
        </pre>
        <pre className="min-w-0 py-3 pr-4">
          <Highlighted code={text} language={languageOf(path)} />
        </pre>
      </section>
      {truncated ? (
        <p className="border-t border-line px-4 py-2 text-xs text-text-3">Only the beginning of this file is shown.</p>
      ) : null}
    </>
  );
}
