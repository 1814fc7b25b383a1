import type { LogRow, SessionStatus } from "@reprise/protocol";
import { FileDiff, GitCompare } from "lucide-react";
import { lazy, type ReactNode, Suspense, useMemo, useState } from "react";
import { fileChanges } from "../conversation/changes.ts";
import { Stat } from "../conversation/Stat.tsx";
import { FoldLine } from "../conversation/ToolCall.tsx";
import { relativePath } from "../conversation/tool-line.ts";
import { useNow } from "../lib/clock.ts";
import { clockTime } from "../lib/time.ts";
import { PresenceDot } from "../state/PresenceDot.tsx";
import { StateBadge } from "../state/StateBadge.tsx";
import { CopyButton } from "../ui/CopyButton.tsx";
import { EmptyState } from "../ui/EmptyState.tsx";
import { Tabs } from "../ui/Tabs.tsx";

const DiffView = lazy(() => import("../conversation/DiffView.tsx"));

/** What the agent edited, file by file, as its tool calls told. */
export function Changes({
  rows,
  cwd,
  partial,
}: {
  readonly rows: readonly LogRow[];
  readonly cwd: string;
  readonly partial: boolean;
}) {
  const files = useMemo(() => fileChanges(rows), [rows]);
  if (files.length === 0) {
    return (
      <EmptyState icon={<GitCompare size={20} />} title="No edits yet">
        Files that the agent edits with its own tools appear here. What its commands change, git shows.
      </EmptyState>
    );
  }
  return (
    <div className="flex flex-col p-4">
      {partial ? (
        <p className="mb-2 text-xs text-text-3">Edits from before the messages shown are not counted.</p>
      ) : null}
      {files.map((file) => {
        const path = relativePath(file.path, cwd);
        const slash = path.lastIndexOf("/") + 1;
        return (
          <FoldLine
            key={file.path}
            label={`Changes of ${path}`}
            icon={<FileDiff size={15} />}
            summary={
              <span className="min-w-0 truncate font-mono text-[12.5px]">
                <span className="text-text-3">{path.slice(0, slash)}</span>
                {path.slice(slash)}
              </span>
            }
            end={<Stat stat={file.stat} />}
          >
            {() => (
              <div className="-ml-6 flex flex-col gap-2">
                {file.edits.map((edit, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: edits of a file are only ever added
                  <div key={index} className="overflow-hidden rounded-md border border-line bg-surface">
                    <Suspense fallback={<div className="h-24" />}>
                      <DiffView path={edit.path} oldText={edit.old_text} newText={edit.new_text} />
                    </Suspense>
                  </div>
                ))}
              </div>
            )}
          </FoldLine>
        );
      })}
    </div>
  );
}

function Fact({
  name,
  children,
  copy,
}: {
  readonly name: string;
  readonly children: ReactNode;
  readonly copy?: string | undefined;
}) {
  return (
    <div className="flex min-h-9 items-center gap-3 border-b border-line py-1 last:border-b-0">
      <dt className="w-28 shrink-0 text-text-3">{name}</dt>
      <dd className="flex min-w-0 flex-1 items-center gap-1.5">{children}</dd>
      {copy === undefined ? null : <CopyButton text={copy} label={`Copy ${name.toLowerCase()}`} />}
    </div>
  );
}

const mono = "truncate font-mono text-[12px]";

/** What is known of a session, in full. */
export function Details({ status }: { readonly status: SessionStatus }) {
  const now = useNow();
  const path = status.worktree_path ?? status.workspace_path;
  return (
    <dl className="p-4 text-sm">
      <Fact name="State">
        <StateBadge status={status} />
      </Fact>
      <Fact name="Agent">
        <span className="truncate">{status.agent_name}</span>
      </Fact>
      <Fact name="Resume">
        <span className="text-pretty">
          {status.supports_session_resume
            ? "This agent can resume earlier sessions"
            : "This agent can't resume earlier sessions"}
        </span>
      </Fact>
      <Fact name="By itself">
        {
          {
            interrupted: "Resumes after an interruption",
            always: "Resumes after any end but a stop",
            never: "Never resumes",
          }[status.auto_resume]
        }
      </Fact>
      <Fact name="Machine">
        <PresenceDot presence={status.node.presence} />
        <span className="truncate">{status.node.name}</span>
        {status.node.presence === "online" ? null : (
          <span className="text-text-3">
            {status.node.presence} since {clockTime(status.node.since, now)}
          </span>
        )}
      </Fact>
      <Fact name="Folder" copy={path}>
        <span className={mono} title={path}>
          {path}
        </span>
      </Fact>
      {status.worktree_branch === null ? null : (
        <Fact name="Branch" copy={status.worktree_branch}>
          <span className={mono}>{status.worktree_branch}</span>
        </Fact>
      )}
      <Fact name="Executor">
        {status.executor_status}
        <span className="text-text-3">{status.executor_type.replace("_", ", ")}</span>
      </Fact>
      {status.agent_execution_id === null ? null : (
        <Fact name="Execution" copy={status.agent_execution_id}>
          <span className={mono}>{status.agent_execution_id}</span>
        </Fact>
      )}
      {status.exit_code === null ? null : <Fact name="Exit code">{status.exit_code}</Fact>}
      {status.error_message === null ? null : (
        <Fact name="Error">
          <span className="text-red wrap-anywhere">{status.error_message}</span>
        </Fact>
      )}
      <Fact name="Session" copy={status.session_id}>
        <span className={mono}>{status.session_id}</span>
      </Fact>
      <Fact name="Begun">{clockTime(status.created_at, now)}</Fact>
    </dl>
  );
}

/** The panel beside the conversation. */
export function Workspace({
  status,
  rows,
  partial,
}: {
  readonly status: SessionStatus;
  readonly rows: readonly LogRow[];
  readonly partial: boolean;
}) {
  const [tab, setTab] = useState("changes");
  const count = useMemo(() => fileChanges(rows).length, [rows]);
  const cwd = status.worktree_path ?? status.workspace_path;
  return (
    <Tabs
      label="Workspace"
      value={tab}
      onChange={setTab}
      tabs={[
        { id: "changes", label: "Changes", count, content: <Changes rows={rows} cwd={cwd} partial={partial} /> },
        { id: "details", label: "Details", content: <Details status={status} /> },
      ]}
    />
  );
}
