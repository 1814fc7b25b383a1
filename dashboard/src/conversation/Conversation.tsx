import { ArrowDown } from "lucide-react";
import { memo, type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import { Button } from "../ui/Button.tsx";
import { ApprovalCard } from "./ApprovalCard.tsx";
import { type Block, sameBlock } from "./blocks.ts";
import { Told, TurnEnd } from "./Dividers.tsx";
import { AgentText, PlanList, PromptBubble, Thought } from "./Messages.tsx";
import { ReadsGroup, ToolCall } from "./ToolCall.tsx";
import { useStickToEnd } from "./useStickToEnd.ts";

/** Drawn above and below what is seen: find-in-page and screen readers reach it, and fast scrolling shows no blanks. */
const DRAW_AHEAD_PX = 2_400;

export interface ConversationProps {
  readonly blocks: readonly Block[];
  readonly cwd: string | null;
  /** What stands below the last block: prompts on their way, the working line. */
  readonly tail: ReactNode;
  readonly hasEarlier: boolean;
  readonly onEarlier: () => Promise<void>;
  readonly onAnswer: (requestId: string, executionId: string, optionId: string) => Promise<void>;
}

/** The conversation, from its beginning to now. It follows its end only while the reader is there. */
export function Conversation({ blocks, cwd, tail, hasEarlier, onEarlier, onAnswer }: ConversationProps) {
  const scrollRef = useRef<HTMLDivElement>(null);
  const contentRef = useRef<HTMLDivElement>(null);
  const listRef = useRef<VirtualizerHandle>(null);
  const { atEnd, toEnd } = useStickToEnd(scrollRef, contentRef);
  const [prepending, setPrepending] = useState(false);
  const [loading, setLoading] = useState(false);
  const unseen = useUnseen(blocks.at(-1)?.key, atEnd);
  const hot = blocks.find((block) => block.type === "approval" && block.approval.state === "pending")?.key;

  const earlier = useCallback(() => {
    setLoading(true);
    setPrepending(true);
    void onEarlier().finally(() => {
      setLoading(false);
      requestAnimationFrame(() => setPrepending(false));
    });
  }, [onEarlier]);

  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={scrollRef}
        className="scroll-y h-full outline-none"
        role="log"
        aria-label="Conversation"
        aria-live="off"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard
        tabIndex={0}
      >
        <div ref={contentRef} className="mx-auto w-full max-w-200 px-6 pt-4 pb-6 max-md:px-4">
          {hasEarlier ? (
            <div className="flex justify-center pb-2">
              <Button variant="ghost" size="sm" busy={loading} onClick={earlier}>
                Show earlier messages
              </Button>
            </div>
          ) : null}
          <Virtualizer
            ref={listRef}
            scrollRef={scrollRef}
            shift={prepending}
            bufferSize={DRAW_AHEAD_PX}
            startMargin={hasEarlier ? 50 : 16}
          >
            {blocks.map((block) => (
              <div key={block.key} data-block={block.type}>
                <BlockView block={block} cwd={cwd} hot={block.key === hot} onAnswer={onAnswer} />
              </div>
            ))}
          </Virtualizer>
          {tail}
        </div>
      </div>
      {atEnd ? null : (
        <div className="pointer-events-none absolute inset-x-0 bottom-3 flex justify-center">
          <Button
            size="sm"
            className="pointer-events-auto animate-rise rounded-full! shadow-md"
            icon={<ArrowDown size={14} />}
            onClick={toEnd}
          >
            {unseen ? "New messages" : "To the end"}
          </Button>
        </div>
      )}
    </div>
  );
}

/** Whether something came at the end while the reader was elsewhere. */
function useUnseen(last: string | undefined, atEnd: boolean): boolean {
  const [seen, setSeen] = useState(last);
  useEffect(() => {
    if (atEnd) setSeen(last);
  }, [atEnd, last]);
  return !atEnd && last !== seen;
}

/** Drawn again only when its rows changed: twenty previews a second come while an answer streams. */
const BlockView = memo(
  BlockViewInner,
  (before, after) =>
    sameBlock(before.block, after.block) &&
    before.cwd === after.cwd &&
    before.hot === after.hot &&
    before.onAnswer === after.onAnswer,
);

function BlockViewInner({
  block,
  cwd,
  hot,
  onAnswer,
}: {
  readonly block: Block;
  readonly cwd: string | null;
  readonly hot: boolean;
  readonly onAnswer: ConversationProps["onAnswer"];
}) {
  switch (block.type) {
    case "prompt":
      return <PromptBubble blocks={block.turn.blocks} />;
    case "text":
      return <AgentText item={block.item} />;
    case "thought":
      return <Thought item={block.item} />;
    case "tool":
      return <ToolCall item={block.item} cwd={cwd} />;
    case "reads":
      return <ReadsGroup items={block.items} cwd={cwd} />;
    case "plan":
      return (
        <div className="my-3 rounded-lg border border-line bg-surface px-4 py-3">
          <PlanList plan={block.item} />
        </div>
      );
    case "approval":
      return (
        <ApprovalCard
          approval={block.approval}
          cwd={cwd}
          hot={hot}
          onAnswer={(optionId) => onAnswer(block.approval.request_id, block.approval.execution_id, optionId)}
        />
      );
    case "turn_end":
      return <TurnEnd block={block} />;
    case "execution_end":
    case "resume_failed":
    case "resumed":
    case "notice":
      return <Told block={block} />;
  }
}
