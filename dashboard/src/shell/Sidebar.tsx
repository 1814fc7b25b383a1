import { display, type SessionStatus } from "@reprise/protocol";
import { ChevronRight, Columns3, Inbox, type LucideIcon, Plus, Search, Server, Settings } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import { Link, NavLink, useLocation } from "react-router";
import { useNodes, useSessions, useTasks } from "../data/queries.ts";
import { needsYouCount } from "../inbox/groups.ts";
import { cx } from "../lib/cx.ts";
import { PresenceDot } from "../state/PresenceDot.tsx";
import { StateShape } from "../state/StateBadge.tsx";
import { IconButton } from "../ui/IconButton.tsx";
import { Kbd } from "../ui/Kbd.tsx";
import { Tooltip } from "../ui/Tooltip.tsx";
import { FeedNotice } from "./FeedNotice.tsx";
import { Logo } from "./Logo.tsx";
import { type TaskBranch, taskTree } from "./tree.ts";

const row =
  "flex h-7.5 min-w-0 items-center gap-2.5 rounded-sm px-2 text-sm transition-colors duration-75 hover:bg-hover";

function Nav({
  to,
  icon: Icon,
  children,
  badge,
}: {
  readonly to: string;
  readonly icon: LucideIcon;
  readonly children: string;
  readonly badge?: number;
}) {
  return (
    <NavLink
      to={to}
      end={to === "/"}
      className={({ isActive }) => cx(row, isActive ? "bg-active font-medium text-text" : "text-text-2")}
    >
      <Icon size={16} className="shrink-0 text-text-3" />
      <span className="flex-1 truncate">{children}</span>
      {badge === undefined || badge === 0 ? null : (
        <span className="tabular rounded-full bg-amber-fill px-1.5 text-[11px] leading-4.5 font-semibold text-[oklch(0.25_0.05_70)]">
          <span className="sr-only">needing you: </span>
          {badge}
        </span>
      )}
    </NavLink>
  );
}

/** The desk's left edge: where one can go, and what goes on there. */
export function Sidebar({ onSearch }: { readonly onSearch: () => void }) {
  const sessions = useSessions();
  const tasks = useTasks();
  const nodes = useNodes();
  const { pathname } = useLocation();
  const tree = useMemo(() => taskTree(tasks.data ?? [], sessions.data ?? []), [tasks.data, sessions.data]);
  return (
    <nav aria-label="Main" className="flex h-full w-60 shrink-0 flex-col border-r border-line bg-sunken">
      <div className="flex h-12 items-center gap-2 pr-2 pl-4">
        <Link to="/" className="flex min-w-0 flex-1 items-center gap-2 rounded-xs font-semibold tracking-tight">
          <Logo /> Reprise
        </Link>
        <Tooltip label="New session" keys="c">
          <Link
            to="/new"
            aria-label="New session"
            className="flex size-7 items-center justify-center rounded-sm border border-line-strong bg-raised text-text-2 shadow-sm hover:text-text"
          >
            <Plus size={16} />
          </Link>
        </Tooltip>
      </div>
      <div className="px-2">
        <button
          type="button"
          onClick={onSearch}
          className="flex h-7.5 w-full items-center gap-2.5 rounded-sm border border-line bg-surface px-2 text-sm text-text-3 hover:border-line-strong"
        >
          <Search size={15} className="shrink-0" />
          <span className="flex-1 text-left">Search or jump to…</span>
          <Kbd keys="mod k" />
        </button>
      </div>
      <div className="mt-3 flex flex-col gap-px px-2">
        <Nav to="/" icon={Inbox} badge={needsYouCount(sessions.data ?? [])}>
          Inbox
        </Nav>
        <Nav to="/board" icon={Columns3}>
          Board
        </Nav>
        <Nav to="/machines" icon={Server}>
          Machines
        </Nav>
      </div>
      <div className="scroll-y mt-2 min-h-0 flex-1 px-2 pb-2">
        <Group title="Tasks">
          {tree.length === 0 && tasks.data !== undefined ? (
            <p className="px-2 py-1 text-xs text-text-3">What you start appears here.</p>
          ) : null}
          {tree.map((branch) => (
            <TaskRow key={branch.task.id} branch={branch} />
          ))}
        </Group>
        <Group
          title="Machines"
          action={
            <Link
              to="/machines?join=1"
              aria-label="Join a machine"
              className="flex size-5 items-center justify-center rounded-xs text-text-3 hover:bg-active hover:text-text"
            >
              <Plus size={13} />
            </Link>
          }
        >
          {nodes.data?.map((node) => (
            <NavLink key={node.id} to={`/machines#${node.id}`} className={cx(row, "text-text-2")}>
              <span className="flex w-4 justify-center">
                <PresenceDot presence={node.presence} />
              </span>
              <span className={cx("flex-1 truncate", node.presence === "offline" && "text-text-3")}>{node.name}</span>
            </NavLink>
          ))}
        </Group>
      </div>
      <div className="flex flex-col gap-1 border-t border-line p-2">
        {pathname.startsWith("/sessions/") ? null : <FeedNotice />}
        <Nav to="/settings" icon={Settings}>
          Settings
        </Nav>
      </div>
    </nav>
  );
}

function Group({
  title,
  action,
  children,
}: {
  readonly title: string;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section aria-label={title} className="mt-3">
      <div className="flex h-6 items-center justify-between pr-1 pl-2">
        <h2 className="text-[11px] font-medium tracking-wide text-text-3 uppercase">{title}</h2>
        {action}
      </div>
      <div className="flex flex-col gap-px">{children}</div>
    </section>
  );
}

function TaskRow({ branch: { task, sessions } }: { readonly branch: TaskBranch }) {
  const [open, setOpen] = useState(false);
  const only = sessions.length === 1 ? sessions[0] : undefined;
  if (only !== undefined) return <SessionLink status={only} label={task.title} />;
  return (
    <>
      <div className="group/task relative flex items-center">
        <IconButton
          label={open ? "Fold" : "Unfold"}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="absolute left-1 size-6!"
        >
          <ChevronRight size={13} className={cx("transition-transform duration-100", open && "rotate-90")} />
        </IconButton>
        <NavLink
          to={`/tasks/${task.id}`}
          className={({ isActive }) => cx(row, "flex-1 pl-8.5", isActive ? "bg-active text-text" : "text-text-2")}
        >
          <span className="flex-1 truncate">{task.title}</span>
          {open ? null : <Shapes sessions={sessions} />}
        </NavLink>
      </div>
      {open
        ? sessions.map((status) => <SessionLink key={status.session_id} status={status} label={status.title} deep />)
        : null}
    </>
  );
}

function SessionLink({
  status,
  label,
  deep = false,
}: {
  readonly status: SessionStatus;
  readonly label: string;
  readonly deep?: boolean;
}) {
  const shown = display(status);
  return (
    <NavLink
      to={`/sessions/${status.session_id}`}
      className={({ isActive }) => cx(row, deep && "pl-8.5", isActive ? "bg-active text-text" : "text-text-2")}
    >
      <StateShape kind={shown.kind} tone={shown.tone} faded={shown.last_known} />
      <span className="sr-only">{shown.label}: </span>
      <span className="flex-1 truncate">{label}</span>
    </NavLink>
  );
}

function Shapes({ sessions }: { readonly sessions: readonly SessionStatus[] }) {
  return (
    <span className="flex gap-0.5">
      {sessions.slice(0, 3).map((status) => {
        const shown = display(status);
        return <StateShape key={status.session_id} kind={shown.kind} tone={shown.tone} faded={shown.last_known} />;
      })}
    </span>
  );
}
