import { Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { useNow } from "../lib/clock.ts";
import { cx } from "../lib/cx.ts";
import { clockTime, took } from "../lib/time.ts";
import { type Block, howItEnded } from "./blocks.ts";

type DividerTone = "grey" | "orange" | "red" | "accent";

const TONES: Record<DividerTone, string> = {
  grey: "text-text-3",
  orange: "text-orange",
  red: "text-red",
  accent: "text-accent",
};

/** A line across the conversation, where something happened to it. */
export function Divider({
  tone,
  at,
  children,
}: {
  readonly tone: DividerTone;
  readonly at: number;
  readonly children: ReactNode;
}) {
  const now = useNow();
  return (
    <p role="note" data-testid="divider" className={cx("flex items-center gap-3 py-3 text-xs", TONES[tone])}>
      <span className="h-px flex-1 bg-line" />
      <span className="max-w-[75%] text-center text-pretty wrap-anywhere">
        {children}
        <span className="tabular ml-1.5 text-text-3">{clockTime(at, now)}</span>
      </span>
      <span className="h-px flex-1 bg-line" />
    </p>
  );
}

/** How a turn ended: only a length where all went well, a divider where not. */
export function TurnEnd({ block }: { readonly block: Extract<Block, { type: "turn_end" }> }) {
  const { end } = block;
  const because = end.message === null ? "" : `: ${end.message}`;
  switch (end.outcome) {
    case "done":
      return block.took === null ? null : (
        <p className="tabular pb-2 text-xs text-text-3">{took(Math.max(0, block.took))}</p>
      );
    case "cancelled":
      return (
        <Divider tone="grey" at={end.ended_at}>
          Turn cancelled
        </Divider>
      );
    case "failed":
      return (
        <Divider tone="red" at={end.ended_at}>
          Turn failed{because}
        </Divider>
      );
    case "timed_out":
      return (
        <Divider tone="red" at={end.ended_at}>
          Turn ran into its limit
        </Divider>
      );
    case "interrupted":
      return (
        <Divider tone="orange" at={end.ended_at}>
          Turn interrupted{because}
        </Divider>
      );
  }
}

/** How an agent's process ended. */
function ExecutionEnd({ end }: { readonly end: Extract<Block, { type: "execution_end" }>["end"] }) {
  switch (end.end_reason) {
    case "interrupted":
      return (
        <Divider tone="orange" at={end.ended_at}>
          Interrupted: {howItEnded(end)}
        </Divider>
      );
    case "failed":
      return (
        <Divider tone="red" at={end.ended_at}>
          Failed: {howItEnded(end)}
        </Divider>
      );
    case "completed":
      return (
        <Divider tone="grey" at={end.ended_at}>
          Marked done
        </Divider>
      );
    case "stopped":
      return (
        <Divider tone="grey" at={end.ended_at}>
          Stopped
        </Divider>
      );
    case "agent_exit":
      return (
        <Divider tone="grey" at={end.ended_at}>
          The agent ended the conversation
        </Divider>
      );
    case "disposed":
    case "superseded":
      return null;
  }
}

/** Where the conversation should have been taken up again. */
function ResumeFailed({ end }: { readonly end: Extract<Block, { type: "resume_failed" }>["end"] }) {
  return (
    <Divider tone="red" at={end.ended_at}>
      Could not resume: {howItEnded(end)}
    </Divider>
  );
}

/** Where the conversation was taken up again. */
function Resumed({ resumed }: { readonly resumed: Extract<Block, { type: "resumed" }>["resumed"] }) {
  const what =
    resumed.strategy === "context" ? "Restarted without its conversation; it was given the progress so far" : "Resumed";
  return (
    <Divider tone="accent" at={resumed.at}>
      {what}
      {resumed.mode === "retry" ? " to retry" : ""}
      {resumed.automatic ? " by itself" : ""}
    </Divider>
  );
}

/** Something that its person should know. */
function Notice({ notice }: { readonly notice: Extract<Block, { type: "notice" }>["notice"] }) {
  return (
    <p className="flex items-start gap-2 py-1.5 text-sm text-text-3" role="note">
      {notice.level === "warning" ? (
        <TriangleAlert size={15} className="mt-0.75 shrink-0 text-amber" />
      ) : (
        <Info size={15} className="mt-0.75 shrink-0" />
      )}
      <span className="whitespace-pre-wrap wrap-anywhere">{notice.text}</span>
    </p>
  );
}

const TOLD = ["execution_end", "resume_failed", "resumed", "notice"] as const satisfies readonly Block["type"][];
type ToldBlock = Extract<Block, { type: (typeof TOLD)[number] }>;

/** What became of the session, as against what was said in it. */
export function isTold(block: Block): block is ToldBlock {
  return TOLD.some((type) => type === block.type);
}

export function Told({ block }: { readonly block: ToldBlock }) {
  switch (block.type) {
    case "execution_end":
      return <ExecutionEnd end={block.end} />;
    case "resume_failed":
      return <ResumeFailed end={block.end} />;
    case "resumed":
      return <Resumed resumed={block.resumed} />;
    case "notice":
      return <Notice notice={block.notice} />;
  }
}
