import { display, type SessionStatus } from "@reprise/protocol";
import { GitBranch } from "lucide-react";
import { forwardRef } from "react";
import { Link } from "react-router";
import { cx } from "../lib/cx.ts";
import { usePhone } from "../lib/useMedia.ts";
import { StateBadge } from "../state/StateBadge.tsx";
import { Button } from "../ui/Button.tsx";
import { Kbd } from "../ui/Kbd.tsx";
import { lastLine } from "./last-line.ts";
import { type RowAction, rowAction } from "./row-action.ts";

const KEYS: Record<RowAction["type"], string> = { approve: "a", banner: "r", open: "enter" };

export interface InboxRowProps {
  readonly status: SessionStatus;
  readonly selected: boolean;
  readonly busy: boolean;
  readonly onSelect: () => void;
  readonly onAct: (action: RowAction) => void;
}

/** One session in a list: what it is, how it stands, what it said last, and what to do. */
export const InboxRow = forwardRef<HTMLAnchorElement, InboxRowProps>(function InboxRow(
  { status, selected, busy, onSelect, onAct },
  ref,
) {
  const action = rowAction(status);
  const asks = display(status).kind === "needs_you";
  const phone = usePhone();
  const branch = status.worktree_branch;
  return (
    <li
      data-session={status.session_id}
      aria-current={selected || undefined}
      className={cx(
        "group/row relative flex items-center gap-4 border-b border-line px-5 py-3 transition-colors duration-75 hover:bg-hover max-md:px-4",
        selected && "bg-hover shadow-[inset_2px_0_0_var(--color-accent)]",
      )}
    >
      <div className="min-w-0 flex-1">
        <div className="flex items-baseline gap-2">
          <Link
            ref={ref}
            to={`/sessions/${status.session_id}`}
            onFocus={onSelect}
            className="truncate font-medium -outline-offset-1 after:absolute after:inset-0"
          >
            {status.title}
          </Link>
          <span className="flex min-w-0 shrink items-baseline gap-1.5 truncate text-xs text-text-3 max-md:hidden">
            {status.agent_name} · {status.node.name}
            {branch === null ? null : (
              <span className="flex min-w-0 items-center gap-1 self-center truncate font-mono text-[11.5px]">
                <GitBranch size={11} className="shrink-0" />
                {branch}
              </span>
            )}
          </span>
        </div>
        {phone ? (
          <div className="mt-1 flex flex-wrap items-center gap-x-2 text-xs text-text-3">
            <StateBadge status={status} />
            <span>
              {status.agent_name} · {status.node.name}
            </span>
          </div>
        ) : null}
        <p className={cx("mt-0.5 truncate text-sm", status.attention === null ? "text-text-3" : "text-text-2")}>
          {lastLine(status)}
        </p>
      </div>
      {phone ? null : (
        <div className="flex w-64 shrink-0 justify-start">
          <StateBadge status={status} />
        </div>
      )}
      <div
        className={cx(
          "relative z-10 flex w-28 shrink-0 justify-end",
          phone && "w-auto",
          phone && action.type === "open" && "hidden",
        )}
      >
        <Button
          size="sm"
          variant={action.type === "approve" ? "primary" : action.type === "open" && !asks ? "ghost" : "secondary"}
          busy={busy}
          tabIndex={selected ? 0 : -1}
          aria-label={`${action.label}: ${status.title}`}
          className={cx(
            action.type === "open" &&
              !asks &&
              !selected &&
              "opacity-0 group-hover/row:opacity-100 focus-visible:opacity-100",
          )}
          onClick={() => onAct(action)}
        >
          {action.label}
          {selected && !phone && action.type !== "approve" ? <Kbd keys={KEYS[action.type]} /> : null}
          {selected && !phone && action.type === "approve" ? <span className="text-[11px] opacity-70">A</span> : null}
        </Button>
      </div>
    </li>
  );
});
