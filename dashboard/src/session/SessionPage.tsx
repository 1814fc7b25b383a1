import type { SessionStatus } from "@reprise/protocol";
import type { Connection } from "@reprise/sdk";
import { SearchX } from "lucide-react";
import { useCallback, useEffect, useMemo, useState } from "react";
import { Link, useParams } from "react-router";
import { useStore } from "zustand";
import { currentPlan, toBlocks } from "../conversation/blocks.ts";
import { Conversation } from "../conversation/Conversation.tsx";
import { PromptBubble } from "../conversation/Messages.tsx";
import { api } from "../data/api.ts";
import { BEHIND_AFTER_MS } from "../data/limits.ts";
import { useSessions } from "../data/queries.ts";
import { useNow } from "../lib/clock.ts";
import { useHotkeys } from "../lib/hotkeys.ts";
import { usePhone } from "../lib/useMedia.ts";
import { useStored } from "../lib/useStored.ts";
import { useTitle } from "../lib/useTitle.ts";
import { buttonClass } from "../ui/Button.tsx";
import { EmptyState } from "../ui/EmptyState.tsx";
import { Late, Skeleton } from "../ui/Skeleton.tsx";
import { Splitter } from "../ui/Splitter.tsx";
import { attempt } from "./actions.ts";
import { BannerSlot } from "./BannerSlot.tsx";
import { Composer } from "./Composer.tsx";
import { takeInlined } from "./inlined.ts";
import { LinkNotice } from "./LinkNotice.tsx";
import { type PhoneTab, PhoneTabs } from "./PhoneTabs.tsx";
import { PlanStrip } from "./PlanStrip.tsx";
import { waitingPrompts } from "./prompts.ts";
import { Queue, UnsurePrompts } from "./Queue.tsx";
import { SessionHeader } from "./SessionHeader.tsx";
import { createSessionStore, type SessionStore } from "./store.ts";
import { WorkingLine } from "./WorkingLine.tsx";
import { PhoneWorkspace, Workspace } from "./Workspace.tsx";

/** Width of the workspace panel, in pixels. */
const PANEL = { min: 300, max: 900, reset: 420 } as const;

/** One session: what was said, what is done, what comes next. */
export function SessionPage() {
  const { id = "" } = useParams();
  return <Followed key={id} sessionId={id} />;
}

function Followed({ sessionId }: { readonly sessionId: string }) {
  const [store] = useState(() => createSessionStore(sessionId, takeInlined(sessionId)));
  useEffect(() => store.follow(), [store]);
  const known = useStore(store, (state) => state.copy.status);
  // The lists know how it is before its log is here: enough for the header, and to write a prompt.
  const listed = useSessions().data?.find((each) => each.session_id === sessionId) ?? null;
  const status = known ?? listed;
  const connection = useStore(store, (state) => state.copy.connection);
  useTitle(status?.title);
  if (status !== null && !isGoneForGood(connection)) return <Session store={store} status={status} />;
  if (connection.kind !== "refused") return <Loading />;
  return (
    <EmptyState
      icon={<SearchX size={20} />}
      title={connection.refusal.message}
      action={
        <Link to="/" className={buttonClass("secondary")}>
          Go to the inbox
        </Link>
      }
    >
      It may have been deleted, or the address is not whole.
    </EmptyState>
  );
}

/** Signed out, the page still shows what it knew; a session that is gone shows nothing. */
function isGoneForGood(connection: Connection): boolean {
  return (
    connection.kind === "refused" &&
    ["session_not_found", "not_found", "session_over"].includes(connection.refusal.code)
  );
}

function Session({ store, status }: { readonly store: SessionStore; readonly status: SessionStatus }) {
  const phone = usePhone();
  const rows = useStore(store, (state) => state.rows);
  const partial = useStore(store, (state) => (state.copy.log?.from_pos ?? 0) > 0);
  const [open, setOpen] = useStored<boolean>("reprise.panel.open", true);
  const [width, setWidth] = useStored<number>("reprise.panel.width", PANEL.reset);
  const [tab, setTab] = useState<PhoneTab>("talk");
  const toggle = useCallback(() => setOpen(!open), [open, setOpen]);
  useHotkeys(
    useCallback(
      (key) => {
        if (key !== "mod+.") return false;
        toggle();
        return true;
      },
      [toggle],
    ),
  );
  const seen = useSeen(store, status);
  return (
    <div className="flex h-full min-h-0 flex-col">
      <SessionHeader status={seen} panelOpen={open} onPanel={toggle} />
      <div className="flex min-h-0 flex-1">
        {phone && tab !== "talk" ? (
          <div className="min-h-0 min-w-0 flex-1">
            <PhoneWorkspace panel={tab} store={store} status={seen} rows={rows} partial={partial} />
          </div>
        ) : (
          <Talk store={store} status={status} />
        )}
        {!phone && open ? (
          <>
            <Splitter label="Width of the workspace" value={width} {...PANEL} onChange={setWidth} />
            <aside
              aria-label="Workspace"
              className="min-h-0 shrink-0 bg-canvas"
              style={{ width: `min(${width}px, 55%)` }}
            >
              <Workspace store={store} status={seen} rows={rows} partial={partial} />
            </aside>
          </>
        ) : null}
      </div>
      {phone ? <PhoneTabs value={tab} onChange={setTab} /> : null}
    </div>
  );
}

/** A page whose own link is down knows only how things were, whatever the machine's presence was then. */
function useSeen(store: SessionStore, status: SessionStatus): SessionStatus {
  const connection = useStore(store, (state) => state.copy.connection);
  const now = useNow();
  if (connection.kind === "live" || now - connection.since < BEHIND_AFTER_MS) return status;
  return { ...status, node: { ...status.node, presence: "reconnecting", since: connection.since } };
}

function Talk({ store, status }: { readonly store: SessionStore; readonly status: SessionStatus }) {
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

function Loading() {
  return (
    <Late>
      <div className="flex flex-col">
        <div className="flex h-12 items-center gap-3 border-b border-line px-4">
          <Skeleton className="h-4 w-64" />
        </div>
        <LoadingMessages />
      </div>
    </Late>
  );
}

function LoadingMessages() {
  return (
    <div className="mx-auto flex w-full max-w-200 flex-col gap-4 px-6 pt-8">
      <Skeleton className="h-10 w-1/2 self-end" />
      <Skeleton className="h-4 w-11/12" />
      <Skeleton className="h-4 w-4/5" />
      <Skeleton className="h-4 w-2/3" />
      <Skeleton className="h-7 w-full" />
      <Skeleton className="h-7 w-full" />
    </div>
  );
}
