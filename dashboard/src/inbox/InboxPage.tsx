import type { SessionStatus } from "@reprise/protocol";
import { Inbox as InboxIcon, Plus, ServerOff } from "lucide-react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { Link, useNavigate } from "react-router";
import { api } from "../data/api.ts";
import { useNodes, useSessions } from "../data/queries.ts";
import { cx } from "../lib/cx.ts";
import { useHotkeys } from "../lib/hotkeys.ts";
import { useTitle } from "../lib/useTitle.ts";
import { attempt, bannerStep } from "../session/actions.ts";
import { ListError } from "../shell/ListError.tsx";
import { PageHeader } from "../shell/PageHeader.tsx";
import { buttonClass } from "../ui/Button.tsx";
import { EmptyState } from "../ui/EmptyState.tsx";
import { Kbd } from "../ui/Kbd.tsx";
import { SkeletonRows } from "../ui/Skeleton.tsx";
import { toast } from "../ui/toast.ts";
import { ApproveDialog } from "./ApproveDialog.tsx";
import { inboxGroups, needsYouCount } from "./groups.ts";
import { InboxRow } from "./InboxRow.tsx";
import { inboxKey, nextSelection } from "./keys.ts";
import { type RowAction, rowAction } from "./row-action.ts";

/** Home: does anything need me, what is each doing, what came of it. */
export function InboxPage() {
  const sessions = useSessions();
  const count = needsYouCount(sessions.data ?? []);
  useTitle(count === 0 ? "Inbox" : `(${count}) Inbox`);
  return (
    <div className="flex h-full min-h-0 flex-col">
      <PageHeader title="Inbox" hint={sessions.data === undefined ? undefined : summary(count, sessions.data.length)}>
        <Link to="/new" className={cx(buttonClass("primary"), "max-md:hidden")}>
          <Plus size={15} /> New session
        </Link>
      </PageHeader>
      <div className="scroll-y min-h-0 flex-1">
        {sessions.data === undefined ? (
          sessions.error === null ? (
            <div className="p-5">
              <SkeletonRows rows={6} className="h-12" />
            </div>
          ) : (
            <ListError error={sessions.error} onRetry={() => void sessions.refetch()} />
          )
        ) : (
          <Rows sessions={sessions.data} />
        )}
      </div>
    </div>
  );
}

function summary(needsYou: number, all: number): string | undefined {
  if (all === 0) return undefined;
  if (needsYou === 0) return "Nothing needs you";
  return needsYou === 1 ? "1 needs you" : `${needsYou} need you`;
}

function Rows({ sessions }: { readonly sessions: readonly SessionStatus[] }) {
  const navigate = useNavigate();
  const groups = useMemo(() => inboxGroups(sessions), [sessions]);
  const rows = useMemo(() => groups.flatMap((group) => group.sessions), [groups]);
  const ids = useMemo(() => rows.map((row) => row.session_id), [rows]);
  const [selected, setSelected] = useState<string | null>(null);
  const [approving, setApproving] = useState<string | null>(null);
  const [busy, setBusy] = useState<string | null>(null);
  const links = useRef(new Map<string, HTMLAnchorElement>());
  const before = useRef(ids);
  useEffect(() => {
    setSelected((was) => nextSelection(before.current, ids, was));
    before.current = ids;
  }, [ids]);

  const select = useCallback((id: string) => {
    setSelected(id);
    links.current.get(id)?.focus({ preventScroll: true });
    links.current.get(id)?.closest("li")?.scrollIntoView({ block: "nearest" });
  }, []);
  const act = useCallback(
    async (status: SessionStatus, action: RowAction) => {
      if (action.type === "approve") setApproving(status.session_id);
      else if (action.type === "open") await navigate(`/sessions/${status.session_id}`);
      else {
        const step = bannerStep(action.action, status);
        if (step.kind === "go") await navigate(step.to);
        if (step.kind !== "call") return;
        setBusy(status.session_id);
        await attempt(step.run);
        setBusy(null);
      }
    },
    [navigate],
  );
  const archive = useCallback(async (status: SessionStatus) => {
    const done = await attempt(() => api.sessions.archive(status.session_id));
    const undo = () => void attempt(() => api.sessions.archive(status.session_id, false));
    if (done) toast(`Archived “${status.title}”.`, { action: { label: "Undo", run: undo } });
  }, []);

  useHotkeys(
    useCallback(
      (key) => {
        const intent = inboxKey(key, ids, selected);
        if (intent === null) return false;
        if (intent.type === "select") {
          select(intent.id);
          return true;
        }
        const status = rows.find((row) => row.session_id === intent.id);
        if (status === undefined) return false;
        const fits = rowAction(status);
        if (intent.type === "open") void navigate(`/sessions/${intent.id}`);
        else if (intent.type === "archive") void archive(status);
        else if (intent.type === "approve" && fits.type === "approve") void act(status, fits);
        else if (intent.type === "resume" && fits.type === "banner") void act(status, fits);
        else return false;
        return true;
      },
      [ids, rows, selected, select, act, archive, navigate],
    ),
  );

  if (rows.length === 0) return <Nothing any={sessions.length > 0} />;
  const asked = rows.find((row) => row.session_id === approving);
  return (
    <>
      {groups.map((group) => (
        <section key={group.id} aria-label={group.title}>
          <h2 className="sticky top-0 z-20 -mt-px flex h-9 items-center gap-2 border-y border-line bg-sunken/95 px-5 text-xs font-medium text-text-2 backdrop-blur-sm max-md:px-4">
            {group.title}
            <span className="tabular text-text-3">{group.sessions.length}</span>
          </h2>
          <ul>
            {group.sessions.map((status) => (
              <InboxRow
                key={status.session_id}
                ref={(link) => {
                  if (link === null) links.current.delete(status.session_id);
                  else links.current.set(status.session_id, link);
                }}
                status={status}
                selected={selected === status.session_id}
                busy={busy === status.session_id}
                onSelect={() => setSelected(status.session_id)}
                onAct={(action) => void act(status, action)}
              />
            ))}
          </ul>
        </section>
      ))}
      <p className="flex justify-center gap-4 py-6 text-xs text-text-3 max-md:hidden">
        <Hint keys="j k">move</Hint>
        <Hint keys="enter">open</Hint>
        <Hint keys="a">review</Hint>
        <Hint keys="r">resume</Hint>
        <Hint keys="e">archive</Hint>
      </p>
      {asked === undefined ? null : <ApproveDialog status={asked} onClose={() => setApproving(null)} />}
    </>
  );
}

function Hint({ keys, children }: { readonly keys: string; readonly children: string }) {
  return (
    <span className="flex items-center gap-1.5">
      <Kbd keys={keys} /> {children}
    </span>
  );
}

function Nothing({ any }: { readonly any: boolean }) {
  const nodes = useNodes();
  if (nodes.data?.length === 0) {
    return (
      <EmptyState
        icon={<ServerOff size={20} />}
        title="No machine has joined yet"
        action={
          <Link to="/machines?join=1" className={buttonClass("primary")}>
            Join a machine
          </Link>
        }
      >
        Agents run on machines that you own. Join one with a single command, then start your first session.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={<InboxIcon size={20} />}
      title={any ? "All clear" : "No sessions yet"}
      action={
        <Link to="/new" className={buttonClass("primary")}>
          <Plus size={15} /> New session
        </Link>
      }
    >
      {any
        ? "Everything is archived. Start something new whenever you like."
        : "Pick a machine, an agent and a folder, and say what should be done."}
    </EmptyState>
  );
}
