import type { TaskState } from "@reprise/protocol";
import { Columns3, MoreHorizontal, Plus } from "lucide-react";
import { useMemo } from "react";
import { Link } from "react-router";
import { api } from "../data/api.ts";
import { keys, queryClient, useSessions, useTasks } from "../data/queries.ts";
import { useNow } from "../lib/clock.ts";
import { cx } from "../lib/cx.ts";
import { ago } from "../lib/time.ts";
import { useTitle } from "../lib/useTitle.ts";
import { attempt } from "../session/actions.ts";
import { ListError } from "../shell/ListError.tsx";
import { PageHeader } from "../shell/PageHeader.tsx";
import { StateBadge } from "../state/StateBadge.tsx";
import { buttonClass } from "../ui/Button.tsx";
import { EmptyState } from "../ui/EmptyState.tsx";
import { IconButton } from "../ui/IconButton.tsx";
import { Menu, MenuItem } from "../ui/Menu.tsx";
import { SkeletonRows } from "../ui/Skeleton.tsx";
import { type BoardCard, boardColumns, type Column } from "./columns.ts";

/** Tasks by state, for those who like columns. */
export function BoardPage() {
  useTitle("Board");
  const tasks = useTasks();
  const sessions = useSessions();
  const columns = useMemo(() => boardColumns(tasks.data ?? [], sessions.data ?? []), [tasks.data, sessions.data]);
  const shown = columns.filter((column) => column.state !== "CANCELLED" || column.cards.length > 0);
  return (
    <div className="flex h-full min-h-0 flex-col">
      <PageHeader title="Board">
        <Link to="/new" className={cx(buttonClass("primary"), "max-md:hidden")}>
          <Plus size={15} /> New session
        </Link>
      </PageHeader>
      {tasks.data === undefined ? (
        tasks.error === null ? (
          <div className="p-5">
            <SkeletonRows rows={3} className="h-24" />
          </div>
        ) : (
          <ListError error={tasks.error} onRetry={() => void tasks.refetch()} />
        )
      ) : tasks.data.length === 0 ? (
        <EmptyState
          icon={<Columns3 size={20} />}
          title="No tasks yet"
          action={
            <Link to="/new" className={buttonClass("primary")}>
              <Plus size={15} /> New session
            </Link>
          }
        >
          A task comes with its first session, and moves across this board by itself as its agents work.
        </EmptyState>
      ) : (
        <div className="flex min-h-0 flex-1 snap-x snap-mandatory gap-4 overflow-x-auto p-5 max-md:scroll-px-4 max-md:gap-3 max-md:p-4">
          {shown.map((column) => (
            <BoardColumn key={column.state} column={column} />
          ))}
        </div>
      )}
    </div>
  );
}

function BoardColumn({ column }: { readonly column: Column }) {
  return (
    <section
      aria-label={column.title}
      className={cx(
        "flex w-72 min-w-64 flex-1 snap-start flex-col max-md:w-[82vw] max-md:flex-none",
        column.cards.length === 0 && "max-md:hidden",
      )}
    >
      <h2 className="flex h-8 items-center gap-2 text-sm font-medium text-text-2">
        {column.title} <span className="tabular font-normal text-text-3">{column.cards.length}</span>
      </h2>
      <ul className="scroll-y -mx-1 flex min-h-0 flex-1 flex-col gap-2 px-1 pb-2">
        {column.cards.map((card) => (
          <Card key={card.task.id} card={card} />
        ))}
        {column.cards.length === 0 ? (
          <li className="rounded-lg border border-dashed border-line py-6 text-center text-xs text-text-3">
            Nothing here
          </li>
        ) : null}
      </ul>
    </section>
  );
}

function Card({ card: { task, sessions } }: { readonly card: BoardCard }) {
  const now = useNow();
  const only = sessions.length === 1 ? sessions[0] : undefined;
  return (
    <li className="group/card relative rounded-lg border border-line bg-surface p-3 shadow-sm transition-[border-color,box-shadow] duration-100 hover:border-line-strong hover:shadow-md">
      <div className="flex items-start gap-2">
        <Link
          to={only === undefined ? `/tasks/${task.id}` : `/sessions/${only.session_id}`}
          className="min-w-0 flex-1 font-medium text-pretty after:absolute after:inset-0"
        >
          {task.title}
        </Link>
        <TaskMenu task={task} />
      </div>
      <ul className="mt-2.5 flex flex-col gap-1.5">
        {sessions.map((status) => (
          <li key={status.session_id} className="flex items-center justify-between gap-2 text-xs text-text-3">
            <StateBadge status={status} compact />
            <span className="truncate">
              {status.agent_name} · {status.node.name}
            </span>
          </li>
        ))}
        {sessions.length === 0 ? (
          <li className="text-xs text-text-3">No session · {ago(task.updated_at, now)}</li>
        ) : null}
      </ul>
    </li>
  );
}

const MOVES: readonly (readonly [TaskState, string])[] = [
  ["DONE", "Mark done"],
  ["CANCELLED", "Cancel the task"],
  ["REVIEW", "Back to review"],
];

/** What a person can say of a task; the rest its sessions say. */
export function TaskMenu({ task }: { readonly task: BoardCard["task"] }) {
  const update = (body: { state?: TaskState; archived?: boolean }) =>
    void attempt(async () => {
      await api.tasks.update(task.id, body);
      await queryClient.invalidateQueries({ queryKey: keys.tasks });
    });
  return (
    <div className="relative z-10 -mt-1 -mr-1">
      <Menu
        label="Task"
        trigger={
          <IconButton plain label={`Actions for ${task.title}`} size="sm">
            <MoreHorizontal size={15} />
          </IconButton>
        }
      >
        {MOVES.filter(
          ([state]) =>
            state !== task.state && (state !== "REVIEW" || task.state === "DONE" || task.state === "CANCELLED"),
        ).map(([state, label]) => (
          <MenuItem key={state} onSelect={() => update({ state })}>
            {label}
          </MenuItem>
        ))}
        <MenuItem onSelect={() => update({ archived: true })}>Archive</MenuItem>
      </Menu>
    </div>
  );
}
