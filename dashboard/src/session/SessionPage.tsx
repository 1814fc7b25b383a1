import { display, type SessionStatus } from "@reprise/protocol";
import type { Connection } from "@reprise/sdk";
import { SearchX } from "lucide-react";
import { lazy, Suspense, useCallback, useEffect, useState } from "react";
import { Link, useParams } from "react-router";
import { useStore } from "zustand";
import { BEHIND_AFTER_MS } from "../data/limits.ts";
import { useSessions } from "../data/queries.ts";
import { useNow } from "../lib/clock.ts";
import { useHotkeys } from "../lib/hotkeys.ts";
import { useKeyboard } from "../lib/useKeyboard.ts";
import { usePhone } from "../lib/useMedia.ts";
import { useStored } from "../lib/useStored.ts";
import { useTitle } from "../lib/useTitle.ts";
import { buttonClass } from "../ui/Button.tsx";
import { EmptyState } from "../ui/EmptyState.tsx";
import { Late, Skeleton } from "../ui/Skeleton.tsx";
import { Splitter } from "../ui/Splitter.tsx";
import { takeInlined } from "./inlined.ts";
import { LoadingMessages } from "./LoadingMessages.tsx";
import { type PhoneTab, PhoneTabs } from "./PhoneTabs.tsx";
import { SessionHeader } from "./SessionHeader.tsx";
import { createSessionStore, type SessionStore } from "./store.ts";
import { Talk } from "./Talk.tsx";
import { PhoneWorkspace, Workspace } from "./Workspace.tsx";

/** Most sessions are conversations: a terminal is fetched when one is opened. */
const AgentTerminal = lazy(() => import("./AgentTerminal.tsx"));

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
  const keyboard = useKeyboard();
  const inTerminal = status.driver === "terminal";
  const away = phone && tab !== "talk";
  return (
    <div className="flex h-full min-h-0 flex-col" style={{ paddingBottom: phone ? keyboard.covered : 0 }}>
      <SessionHeader status={seen} panelOpen={open} onPanel={toggle} />
      <div className="flex min-h-0 flex-1">
        {away ? (
          <div className="min-h-0 min-w-0 flex-1">
            <PhoneWorkspace panel={tab} store={store} status={seen} rows={rows} partial={partial} />
          </div>
        ) : inTerminal ? null : (
          <Talk store={store} status={status} />
        )}
        {/* Under another tab it stays as it is: opened anew, it would have to be drawn anew. */}
        {inTerminal ? (
          <div className={away ? "hidden" : "min-h-0 min-w-0 flex-1"}>
            <Suspense fallback={null}>
              <AgentTerminal store={store} status={status} seen={seen} />
            </Suspense>
          </div>
        ) : null}
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
      {phone && !keyboard.open ? (
        <PhoneTabs driver={status.driver} asks={display(status).kind === "needs_you"} value={tab} onChange={setTab} />
      ) : null}
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
