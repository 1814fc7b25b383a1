import type { SessionStatus } from "@reprise/protocol";
import { useCallback, useMemo } from "react";
import { useStore } from "zustand";
import { currentPlan, toBlocks } from "../conversation/blocks.ts";
import { Conversation } from "../conversation/Conversation.tsx";
import { PromptBubble } from "../conversation/Messages.tsx";
import { api } from "../data/api.ts";
import { Late } from "../ui/Skeleton.tsx";
import { attempt } from "./actions.ts";
import { BannerSlot } from "./BannerSlot.tsx";
import { Composer } from "./Composer.tsx";
import { LinkNotice } from "./LinkNotice.tsx";
import { LoadingMessages } from "./LoadingMessages.tsx";
import { PlanStrip } from "./PlanStrip.tsx";
import { waitingPrompts } from "./prompts.ts";
import { Queue, UnsurePrompts } from "./Queue.tsx";
import type { SessionStore } from "./store.ts";
import { WorkingLine } from "./WorkingLine.tsx";

/** The conversation with an agent, and where a person says something. */
export function Talk({ store, status }: { readonly store: SessionStore; readonly status: SessionStatus }) {
  const rows = useStore(store, (state) => state.rows);
  const outgoing = useStore(store, (state) => state.outgoing);
  const connection = useStore(store, (state) => state.copy.connection);
  const hasEarlier = useStore(store, (state) => (state.copy.log?.from_pos ?? 0) > 0);
  const blocks = useMemo(() => toBlocks(rows), [rows]);
  const loaded = useStore(store, (state) => state.copy.log !== null);
  const plan = useMemo(() => currentPlan(rows), [rows]);
  const waiting = useMemo(() => waitingPrompts(rows, outgoing, status), [rows, outgoing, status]);
  const onEarlier = useCallback(async () => {
    await attempt(store.loadEarlier);
  }, [store]);
  const onAnswer = useCallback(
    async (requestId: string, execution_id: string, option_id: string) => {
      await attempt(() => api.sessions.answer(store.sessionId, requestId, { execution_id, option_id }));
    },
    [store],
  );
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col bg-canvas">
      {loaded ? (
        <Conversation
          blocks={blocks}
          cwd={status.worktree_path ?? status.workspace_path}
          hasEarlier={hasEarlier}
          onEarlier={onEarlier}
          onAnswer={onAnswer}
          tail={
            <>
              {waiting.going.map((prompt) => (
                <PromptBubble key={prompt.prompt_id} blocks={prompt.blocks} pending />
              ))}
              <WorkingLine status={status} last={blocks.at(-1)} />
            </>
          }
        />
      ) : (
        <div className="min-h-0 flex-1">
          <Late>
            <LoadingMessages />
          </Late>
        </div>
      )}
      <div className="mx-auto flex w-full max-w-200 shrink-0 flex-col gap-2 px-6 pb-4 max-md:px-3 max-md:pb-2">
        <LinkNotice connection={connection} />
        <PlanStrip plan={plan} />
        <UnsurePrompts store={store} unsure={waiting.unsure} />
        {/* With the link down, it is no machine's fault that nothing is heard: the notice says so. */}
        {connection.kind === "live" || status.node.presence === "online" ? <BannerSlot status={status} /> : null}
        <Queue store={store} queue={waiting.queue} held={status.queue_held} running={status.is_agent_running} />
        <Composer store={store} status={status} />
      </div>
    </div>
  );
}
