import type { GitFile, GitStatus, LogRow } from "@reprise/protocol";
import { useQuery } from "@tanstack/react-query";
import { ArrowDown, ArrowUp, GitBranch, GitCompare, RefreshCw } from "lucide-react";
import { lazy, Suspense } from "react";
import { Stat } from "../conversation/Stat.tsx";
import { FoldLine } from "../conversation/ToolCall.tsx";
import { api, sentence } from "../data/api.ts";
import { WORKSPACE_STALE_MS } from "../data/limits.ts";
import { keys } from "../data/queries.ts";
import { cx } from "../lib/cx.ts";
import { AgentEdits } from "../session/AgentEdits.tsx";
import { EmptyState } from "../ui/EmptyState.tsx";
import { IconButton } from "../ui/IconButton.tsx";
import { Late, SkeletonRows } from "../ui/Skeleton.tsx";
import { PanelError } from "./PanelError.tsx";

const PatchView = lazy(() => import("../conversation/PatchView.tsx"));

/** The repository's state, asked for again while it is looked at. @param live false: what was seen last stays */
export function useGit(sessionId: string, live: boolean) {
  return useQuery({
    queryKey: keys.git(sessionId),
    queryFn: ({ signal }) => api.sessions.git(sessionId, undefined, signal),
    enabled: live,
    refetchInterval: WORKSPACE_STALE_MS,
    staleTime: WORKSPACE_STALE_MS,
  });
}

interface Props {
  readonly sessionId: string;
  readonly live: boolean;
  /** null: this agent tells of no edits. */
  readonly told: readonly LogRow[] | null;
  readonly partial: boolean;
  readonly cwd: string;
}

/** What differs from the last commit; outside git, what the agent's own edits told. */
export function GitChanges({ sessionId, live, told, partial, cwd }: Props) {
  const git = useGit(sessionId, live);
  if (git.data === undefined) {
    if (git.error !== null) return <PanelError error={git.error} onRetry={() => void git.refetch()} />;
    return (
      <div className="p-4">
        <Late>
          <SkeletonRows rows={4} className="h-7" />
        </Late>
      </div>
    );
  }
  if (git.data.kind !== "status") {
    if (told !== null) return <AgentEdits rows={told} cwd={cwd} partial={partial} />;
    return (
      <EmptyState icon={<GitCompare size={20} />} title="Not in git">
        This folder is in no git repository, so what changes in it can't be shown.
      </EmptyState>
    );
  }
  const { status } = git.data;
  return (
    <div className="flex flex-col">
      <BranchLine status={status} busy={git.isFetching} onRefresh={() => void git.refetch()} />
      {git.error === null ? null : (
        <p role="alert" className="px-4 pt-2 text-xs text-red">
          {sentence(git.error)}
        </p>
      )}
      {status.files.length === 0 ? (
        <EmptyState icon={<GitCompare size={20} />} title="Nothing changed">
          Every file is as in the last commit.
        </EmptyState>
      ) : (
        <div className="px-4 py-2">
          {status.files.map((file) => (
            <FileLine key={file.path} sessionId={sessionId} file={file} />
          ))}
          {status.truncated ? (
            <p className="mt-2 text-xs text-text-3">More files changed than are shown here.</p>
          ) : null}
        </div>
      )}
    </div>
  );
}

function BranchLine({
  status,
  busy,
  onRefresh,
}: {
  readonly status: GitStatus;
  readonly busy: boolean;
  readonly onRefresh: () => void;
}) {
  const { branch, commit, ahead, behind, upstream } = status;
  return (
    <div className="flex h-10 shrink-0 items-center gap-2 border-b border-line pr-2 pl-4 text-xs text-text-2">
      <GitBranch size={13} className="shrink-0 text-text-3" />
      <span className="min-w-0 truncate font-mono" title={branch ?? commit ?? undefined}>
        {branch ?? (commit === null ? "no commit yet" : `at ${commit.slice(0, 9)}`)}
      </span>
      {upstream === null || (ahead === 0 && behind === 0) ? null : (
        <span className="tabular flex shrink-0 items-center gap-1.5 text-text-3" title={`Against ${upstream}`}>
          <span className="flex items-center">
            <ArrowUp size={12} aria-label="ahead" /> {ahead ?? 0}
          </span>
          <span className="flex items-center">
            <ArrowDown size={12} aria-label="behind" /> {behind ?? 0}
          </span>
        </span>
      )}
      <span className="flex-1" />
      <IconButton label="Look again" onClick={onRefresh}>
        <RefreshCw size={14} className={cx(busy && "animate-spin motion-reduce:animate-none")} />
      </IconButton>
    </div>
  );
}

const LETTERS: Record<GitFile["change"], { letter: string; word: string; tone: string }> = {
  added: { letter: "A", word: "added", tone: "text-green" },
  untracked: { letter: "U", word: "new, untracked", tone: "text-green" },
  modified: { letter: "M", word: "modified", tone: "text-amber" },
  renamed: { letter: "R", word: "renamed", tone: "text-accent" },
  deleted: { letter: "D", word: "deleted", tone: "text-red" },
  conflicted: { letter: "!", word: "in conflict", tone: "text-red" },
};

function FileLine({ sessionId, file }: { readonly sessionId: string; readonly file: GitFile }) {
  const slash = file.path.lastIndexOf("/", file.path.length - 2) + 1;
  const { letter, word, tone } = LETTERS[file.change];
  return (
    <FoldLine
      label={`Changes of ${file.path}`}
      icon={
        <span className={cx("w-3.5 text-center font-mono text-[12px] font-semibold", tone)}>
          <span aria-hidden>{letter}</span>
          <span className="sr-only">{word}</span>
        </span>
      }
      summary={
        <span
          className={cx("min-w-0 truncate font-mono text-[12.5px]", file.change === "deleted" && "line-through")}
          title={file.old_path === null ? file.path : `${file.old_path} → ${file.path}`}
        >
          <span className="text-text-3">{file.path.slice(0, slash)}</span>
          {file.path.slice(slash)}
        </span>
      }
      end={file.added === null ? undefined : <Stat stat={{ added: file.added, removed: file.removed ?? 0 }} />}
    >
      {file.path.endsWith("/") ? null : () => <Diff sessionId={sessionId} path={file.path} />}
    </FoldLine>
  );
}

function Diff({ sessionId, path }: { readonly sessionId: string; readonly path: string }) {
  const diff = useQuery({
    queryKey: keys.diff(sessionId, path),
    queryFn: ({ signal }) => api.sessions.git(sessionId, path, signal),
    staleTime: WORKSPACE_STALE_MS,
  });
  const shown = diff.data?.kind === "diff" ? diff.data.diff : null;
  return (
    <div className="-ml-6 overflow-hidden rounded-md border border-line bg-surface">
      {shown !== null ? (
        <>
          {shown.patch === null ? (
            <p className="px-3 py-2 text-xs text-text-3">This file isn't text.</p>
          ) : (
            <Suspense fallback={<div className="h-24" />}>
              <PatchView path={path} patch={shown.patch} />
            </Suspense>
          )}
          {shown.truncated ? (
            <p className="border-t border-line px-3 py-2 text-xs text-text-3">The diff is longer than is shown here.</p>
          ) : null}
        </>
      ) : diff.error !== null ? (
        <p role="alert" className="px-3 py-2 text-xs text-red">
          {sentence(diff.error)}
        </p>
      ) : (
        <div className="h-24" />
      )}
    </div>
  );
}
