import type { SessionStatus } from "@reprise/protocol";
import { useQuery } from "@tanstack/react-query";
import { GitBranch, Plus, SearchX } from "lucide-react";
import { useEffect } from "react";
import { Link, useParams } from "react-router";
import { api, isGone } from "../data/api.ts";
import { useSessions } from "../data/queries.ts";
import { useTitle } from "../lib/useTitle.ts";
import { BannerSlot } from "../session/BannerSlot.tsx";
import { ListError } from "../shell/ListError.tsx";
import { PageHeader } from "../shell/PageHeader.tsx";
import { StateBadge } from "../state/StateBadge.tsx";
import { buttonClass } from "../ui/Button.tsx";
import { EmptyState } from "../ui/EmptyState.tsx";
import { SkeletonRows } from "../ui/Skeleton.tsx";
import { TaskMenu } from "./BoardPage.tsx";

/** A task: its sessions side by side. */
export function TaskPage() {
  const { id = "" } = useParams();
  const task = useQuery({ queryKey: ["tasks", id], queryFn: ({ signal }) => api.tasks.get(id, signal) });
  const live = useSessions();
  useTitle(task.data?.task.title);
  const { refetch } = task;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list follows the feed; a change there may be one of ours
  useEffect(() => void refetch(), [live.dataUpdatedAt, refetch]);

  if (task.data === undefined) {
    if (task.error === null) {
      return (
        <div className="p-5">
          <SkeletonRows rows={3} className="h-28" />
        </div>
      );
    }
    if (!isGone(task.error)) return <ListError error={task.error} onRetry={() => void refetch()} />;
    return (
      <EmptyState
        icon={<SearchX size={20} />}
        title="There is no such task"
        action={
          <Link to="/board" className={buttonClass("secondary")}>
            Go to the board
          </Link>
        }
      >
        It may have been deleted, or the address is not whole.
      </EmptyState>
    );
  }
  const newest = new Map((live.data ?? []).map((status) => [status.session_id, status]));
  const sessions = task.data.sessions.map((status) => newest.get(status.session_id) ?? status);
  const last = sessions.at(-1);
  return (
    <div className="flex h-full min-h-0 flex-col">
      <PageHeader
        title={task.data.task.title}
        hint={sessions.length === 1 ? "1 session" : `${sessions.length} sessions`}
      >
        <Link to={last === undefined ? "/new" : `/new?from=${last.session_id}`} className={buttonClass("primary")}>
          <Plus size={15} /> New session
        </Link>
        <TaskMenu task={task.data.task} />
      </PageHeader>
      <ul className="scroll-y grid min-h-0 flex-1 auto-rows-min grid-cols-[repeat(auto-fill,minmax(min(100%,340px),1fr))] gap-4 p-5 max-md:p-4">
        {sessions.map((status) => (
          <SessionCard key={status.session_id} status={status} />
        ))}
      </ul>
    </div>
  );
}

function SessionCard({ status }: { readonly status: SessionStatus }) {
  return (
    <li className="relative flex flex-col gap-3 rounded-lg border border-line bg-surface p-4 shadow-sm hover:border-line-strong">
      <div>
        <Link to={`/sessions/${status.session_id}`} className="font-medium text-pretty after:absolute after:inset-0">
          {status.title}
        </Link>
        <p className="mt-0.5 flex items-center gap-1.5 text-xs text-text-3">
          {status.agent_name} · {status.node.name}
          {status.worktree_branch === null ? null : (
            <span className="flex min-w-0 items-center gap-1 truncate font-mono">
              <GitBranch size={11} className="shrink-0" /> {status.worktree_branch}
            </span>
          )}
        </p>
      </div>
      <StateBadge status={status} />
      <p className="line-clamp-3 text-sm text-text-2">{status.last_line ?? "Nothing was said yet."}</p>
      <div className="relative z-10 mt-auto">
        <BannerSlot status={status} />
      </div>
    </li>
  );
}
