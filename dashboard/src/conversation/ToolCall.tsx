import {
  ChevronRight,
  CircleX,
  FileText,
  Globe,
  Lightbulb,
  MoveRight,
  Pencil,
  Search,
  SquareTerminal,
  Trash2,
  Wrench,
} from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import { useNow } from "../lib/clock.ts";
import { cx } from "../lib/cx.ts";
import { took } from "../lib/time.ts";
import { Spinner } from "../ui/Spinner.tsx";
import type { ToolItem } from "./blocks.ts";
import { Stat } from "./Stat.tsx";
import { ToolContents } from "./ToolContents.tsx";
import { toolLine, toolPhase, toolStat } from "./tool-line.ts";

const ICONS: Record<ToolItem["tool_kind"], typeof FileText> = {
  read: FileText,
  edit: Pencil,
  delete: Trash2,
  move: MoveRight,
  search: Search,
  execute: SquareTerminal,
  think: Lightbulb,
  fetch: Globe,
  switch_mode: Wrench,
  other: Wrench,
};

function isRunning(item: ToolItem): boolean {
  return toolPhase(item) === "running";
}

/** A line that unfolds, the same for a single call and for a fold of several. */
export function FoldLine({
  icon,
  summary,
  end,
  label,
  children,
}: {
  readonly icon: ReactNode;
  readonly summary: ReactNode;
  readonly end?: ReactNode;
  readonly label?: string;
  readonly children: (() => ReactNode) | null;
}) {
  const [open, setOpen] = useState(false);
  return (
    <div className="my-0.5">
      <button
        type="button"
        aria-expanded={children === null ? undefined : open}
        aria-label={label}
        disabled={children === null}
        onClick={() => setOpen(!open)}
        className="group/fold -mx-2 flex min-h-7.5 w-[calc(100%+16px)] items-center gap-2 rounded-sm px-2 text-left text-sm transition-colors enabled:hover:bg-hover max-md:min-h-10"
      >
        <span className="flex w-4 shrink-0 justify-center text-text-3">{icon}</span>
        <span className="flex min-w-0 flex-1 items-baseline gap-1.5">{summary}</span>
        {end}
        <ChevronRight
          size={14}
          aria-hidden
          className={cx(
            "shrink-0 text-text-3 transition-transform duration-100",
            open && "rotate-90",
            children === null ? "invisible" : "opacity-40 group-hover/fold:opacity-100",
          )}
        />
      </button>
      {open && children !== null ? <div className="mt-1 mb-2 ml-6">{children()}</div> : null}
    </div>
  );
}

/** How long a call took, or takes. */
function Time({ item }: { readonly item: ToolItem }) {
  const now = useNow();
  const end = isRunning(item) ? Math.max(now, item.started_at) : item.ended_at;
  if (end === null) return null;
  return <span className="tabular shrink-0 text-xs text-text-3">{took(end - item.started_at)}</span>;
}

/** One tool call in one line; it unfolds to its diffs, its output, its input. */
export function ToolCall({ item, cwd }: { readonly item: ToolItem; readonly cwd: string | null }) {
  const line = toolLine(item, cwd);
  const stat = useMemo(() => toolStat(item), [item]);
  const Icon = ICONS[item.tool_kind];
  const hasMore = item.content.length > 0 || item.input !== null;
  const cut = item.status === "interrupted";
  return (
    <FoldLine
      icon={
        isRunning(item) ? (
          <Spinner size={14} />
        ) : line.failed ? (
          <CircleX size={15} className="text-red" />
        ) : (
          <Icon size={15} />
        )
      }
      summary={
        <>
          <span className={cx("shrink-0", line.failed ? "text-red" : "text-text-2")}>{line.verb}</span>
          <span className={cx("truncate", line.mono ? "font-mono text-[0.92em] text-text" : "text-text")}>
            {line.object}
          </span>
          {stat === null ? null : <Stat stat={stat} />}
          {line.result === null ? null : <span className="shrink-[6] truncate text-xs text-red">{line.result}</span>}
          {cut ? <span className="shrink-0 text-xs text-orange">cut off</span> : null}
        </>
      }
      end={<Time item={item} />}
    >
      {hasMore ? () => <ToolContents content={item.content} input={item.input} cwd={cwd} /> : null}
    </FoldLine>
  );
}

/** Consecutive reads, folded into one line. */
export function ReadsGroup({ items, cwd }: { readonly items: readonly ToolItem[]; readonly cwd: string | null }) {
  const running = items.some(isRunning);
  const names = [...new Set(items.map((item) => toolLine(item, cwd).object.split("/").at(-1) ?? ""))];
  return (
    <FoldLine
      icon={running ? <Spinner size={14} /> : <FileText size={15} />}
      summary={
        <>
          <span className="shrink-0 text-text-2">
            {running ? "Reading" : "Read"} {items.length} files
          </span>
          <span className="truncate font-mono text-[0.88em] text-text-3">{names.join(", ")}</span>
        </>
      }
    >
      {() => (
        <div className="-ml-1">
          {items.map((item) => (
            <ToolCall key={item.item_id} item={item} cwd={cwd} />
          ))}
        </div>
      )}
    </FoldLine>
  );
}
