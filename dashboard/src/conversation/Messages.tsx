import { type ItemOf, type PromptBlocks, promptText } from "@reprise/protocol";
import { Brain, Circle, CircleCheck, CircleDot } from "lucide-react";
import { type ReactNode, useState } from "react";
import { cx } from "../lib/cx.ts";
import { Markdown } from "./Markdown.tsx";
import { FoldLine } from "./ToolCall.tsx";

/** Longer prompts (pasted logs, mostly) are folded to about this many lines. */
const LONG_PROMPT_CHARS = 1_600;

/** The person's words: quiet, and bound to the right. */
export function PromptBubble({
  blocks,
  pending = false,
  note,
}: {
  readonly blocks: PromptBlocks;
  readonly pending?: boolean;
  readonly note?: ReactNode;
}) {
  const [whole, setWhole] = useState(false);
  const text = promptText(blocks);
  const long = text.length > LONG_PROMPT_CHARS;
  return (
    <div className="flex flex-col items-end py-3">
      <article
        aria-label="You said"
        className={cx(
          "max-w-[85%] rounded-xl rounded-br-xs bg-active px-3.5 py-2 whitespace-pre-wrap wrap-anywhere",
          pending && "opacity-60",
        )}
      >
        {long && !whole ? `${text.slice(0, LONG_PROMPT_CHARS)}…` : text}
        {long ? (
          <button type="button" className="ml-2 text-sm text-accent" onClick={() => setWhole(!whole)}>
            {whole ? "Show less" : "Show all"}
          </button>
        ) : null}
      </article>
      {note === undefined ? null : <div className="mt-1 text-xs text-text-3">{note}</div>}
    </div>
  );
}

/** What the agent says, as markdown. */
export function AgentText({ item }: { readonly item: ItemOf<"text"> }) {
  return (
    <article aria-label="Agent said" className="py-2" aria-busy={item.status === "open" || undefined}>
      <Markdown text={item.text} />
      {item.truncated ? (
        <p className="mt-2 text-xs text-amber">This answer was cut: it outgrew what one message may hold.</p>
      ) : null}
      {item.status === "interrupted" ? <p className="mt-1 text-xs text-orange">cut off here</p> : null}
    </article>
  );
}

/** What the agent thought on the way: folded, with its first words. */
export function Thought({ item }: { readonly item: ItemOf<"thought"> }) {
  const open = item.status === "open";
  const words =
    item.text
      .trim()
      .replaceAll(/[*_`#]/g, "")
      .split("\n")[0] ?? "";
  return (
    <FoldLine
      icon={<Brain size={15} className={open ? "animate-pulse-soft motion-reduce:animate-none" : ""} />}
      summary={
        <>
          <span className="shrink-0 text-text-2">{open ? "Thinking" : "Thought"}</span>
          <span className="truncate text-text-3">{words}</span>
        </>
      }
    >
      {() => (
        <div className="border-l-2 border-line pl-3 text-sm text-text-2">
          <Markdown text={item.text} />
        </div>
      )}
    </FoldLine>
  );
}

type PlanEntry = ItemOf<"plan">["entries"][number];

function PlanMark({ status }: { readonly status: PlanEntry["status"] }) {
  if (status === "completed") return <CircleCheck size={15} className="text-green" aria-label="done" />;
  if (status === "in_progress") return <CircleDot size={15} className="text-accent" aria-label="in progress" />;
  return <Circle size={15} className="text-text-3" aria-label="to do" />;
}

/** What the agent means to do, and how far it is. */
export function PlanList({ plan }: { readonly plan: ItemOf<"plan"> }) {
  return (
    <ol className="flex flex-col gap-1.5 text-sm" aria-label="Plan">
      {plan.entries.map((entry, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a plan's entries have no other identity
        <li key={index} className="flex items-start gap-2">
          <span className="mt-0.75 shrink-0">
            <PlanMark status={entry.status} />
          </span>
          <span
            className={cx(
              entry.status === "completed" && "text-text-3",
              entry.status === "in_progress" && "font-medium",
            )}
          >
            {entry.content}
          </span>
        </li>
      ))}
    </ol>
  );
}
