import type { LogRow, SessionStatus } from "@reprise/protocol";
import type { ReactNode } from "react";
import { useNow } from "../lib/clock.ts";
import { clockTime } from "../lib/time.ts";
import { PresenceDot } from "../state/PresenceDot.tsx";
import { StateBadge } from "../state/StateBadge.tsx";
import { CopyButton } from "../ui/CopyButton.tsx";
import { whetherItResumes } from "./capability.ts";
import { History } from "./History.tsx";

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
export function Details({ status, rows }: { readonly status: SessionStatus; readonly rows: readonly LogRow[] }) {
  const now = useNow();
  const path = status.worktree_path ?? status.workspace_path;
  return (
    <>
      <dl className="p-4 text-sm">
        <Fact name="State">
          <StateBadge status={status} />
        </Fact>
        <Fact name="Agent">
          <span className="truncate">{status.agent_name}</span>
          {status.driver === "terminal" ? <span className="text-text-3">in its own terminal</span> : null}
        </Fact>
        <Fact name="Resume">
          <span className="text-pretty">{whetherItResumes(status)}</span>
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
          <span className="text-text-3">
            {status.executor_type === "remote" ? `remote, ${status.runtime}` : status.executor_type.replace("_", ", ")}
          </span>
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
      {status.driver === "terminal" ? <History rows={rows} /> : null}
    </>
  );
}
