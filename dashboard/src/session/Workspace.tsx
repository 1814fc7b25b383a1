import type { LogRow, SessionStatus } from "@reprise/protocol";
import { lazy, type ReactNode, Suspense, useMemo, useState } from "react";
import { cx } from "../lib/cx.ts";
import { Spinner } from "../ui/Spinner.tsx";
import { type TabSpec, Tabs } from "../ui/Tabs.tsx";
import { Files } from "../workspace/Files.tsx";
import { Gate, LastKnown } from "../workspace/Gate.tsx";
import { GitChanges, useGit } from "../workspace/GitChanges.tsx";
import { Details } from "./Details.tsx";
import { keptTerminals } from "./notices.ts";
import type { SessionStore } from "./store.ts";
import { useSessionResumption } from "./useSessionResumption.ts";

/** The terminal is the largest part of the page, and most visits need none: it is fetched when it is opened. */
const Shells = lazy(() => import("../workspace/Shells.tsx"));

interface Props {
  readonly store: SessionStore;
  readonly status: SessionStatus;
  readonly rows: readonly LogRow[];
  readonly partial: boolean;
}

/** What the workspace's panels have in common: they open with the executor, whatever became of the agent (X3). */
function usePanels({ store, status, rows, partial }: Props) {
  const offered = useSessionResumption(status.session_id, status);
  const access = offered?.workspace ?? { kind: "starting" as const, message: "" };
  const live = access.kind === "open";
  const sessionId = status.session_id;
  const git = useGit(sessionId, live);
  const counts = live || access.kind === "silent";
  const count = counts && git.data?.kind === "status" ? git.data.status.files.length : undefined;
  const [seen, setSeen] = useState(live);
  if (live && !seen) setSeen(true);

  // Once seen, a silent machine's panels stay as they were, in the very same place: a terminal that is made anew would lose
  // the focus and what is being typed. Anything else that is in the way stands in their place.
  const gated = (panel: ReactNode, fills = false): ReactNode => {
    if (access.kind !== "open" && !(access.kind === "silent" && seen))
      return <Gate access={access} busy={offered?.busy === "check_again"} onRetry={() => offered?.checkAgain()} />;
    return (
      <div className={cx("flex flex-col", fills ? "h-full min-h-0" : "min-h-full")}>
        {access.kind === "silent" ? <LastKnown message={access.message} /> : null}
        <div className={cx("flex-1", fills && "min-h-0", !live && "opacity-60")}>{panel}</div>
      </div>
    );
  };
  const cwd = status.worktree_path ?? status.workspace_path;
  // In its own terminal an agent tells nobody what it edits.
  const told = status.driver === "terminal" ? null : rows;
  const kept = useMemo(() => keptTerminals(rows), [rows]);
  return {
    access,
    disabled: access.kind === "starting",
    count,
    changes: gated(<GitChanges sessionId={sessionId} live={live} told={told} partial={partial} cwd={cwd} />),
    files: gated(<Files sessionId={sessionId} live={live} />),
    shell: gated(
      <Suspense fallback={null}>
        <Shells store={store} live={live} kept={kept} />
      </Suspense>,
      true,
    ),
  };
}

/** The panel beside the conversation. */
export function Workspace(props: Props) {
  const [tab, setTab] = useState("changes");
  const { access, disabled, count, changes, files, shell } = usePanels(props);
  const tabs: TabSpec[] = [
    { id: "changes", label: "Changes", count, disabled, content: changes },
    { id: "files", label: "Files", disabled, content: files },
    { id: "shell", label: "Shell", disabled, content: shell, fills: true },
    { id: "details", label: "Details", content: <Details status={props.status} rows={props.rows} /> },
  ];
  return (
    <Tabs
      label="Workspace"
      value={tab}
      onChange={setTab}
      tabs={tabs}
      actions={
        access.kind === "starting" ? (
          <Spinner size={14} label="The workspace is getting ready" />
        ) : access.kind === "error" ? (
          <span className="rounded-full bg-red-soft px-2 py-0.5 text-xs font-medium text-red">Error</span>
        ) : null
      }
    />
  );
}

/** On a phone the panels take the conversation's place, one at a time. */
export function PhoneWorkspace({ panel, ...props }: Props & { readonly panel: "changes" | "shell" }) {
  const [tab, setTab] = useState("changes");
  const { disabled, count, changes, files, shell } = usePanels(props);
  if (panel === "shell") return <div className={cx("h-full min-h-0", disabled && "opacity-60")}>{shell}</div>;
  return (
    <Tabs
      label="Workspace"
      value={tab}
      onChange={setTab}
      tabs={[
        { id: "changes", label: "Changes", count, disabled, content: changes },
        { id: "files", label: "Files", disabled, content: files },
        { id: "details", label: "Details", content: <Details status={props.status} rows={props.rows} /> },
      ]}
    />
  );
}
