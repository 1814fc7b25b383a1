import type { NodeDetail, NodeSummary } from "@reprise/protocol";
import { Link } from "react-router";
import { sentence } from "../data/api.ts";
import { useNode } from "../data/queries.ts";
import { useNow } from "../lib/clock.ts";
import { cx } from "../lib/cx.ts";
import { ago, span } from "../lib/time.ts";
import { CopyButton } from "../ui/CopyButton.tsx";
import { SkeletonRows } from "../ui/Skeleton.tsx";

type Entry = NodeDetail["executions"][number];

/** What runs on a machine, by its last inventory: hosts, agents, and who is an orphan. */
export function Executions({ node }: { readonly node: NodeSummary }) {
  const now = useNow();
  const detail = useNode(node.id);
  if (detail.data === undefined) {
    return (
      <div className="border-t border-line p-4">
        {detail.error === null ? (
          <SkeletonRows rows={2} className="h-8" />
        ) : (
          <p className="text-sm text-red">{sentence(detail.error)}</p>
        )}
      </div>
    );
  }
  const { executions, waiting_commands, boot_id } = detail.data;
  return (
    <div className="border-t border-line px-4 py-3 text-sm">
      {executions.length === 0 ? (
        <p className="text-text-3">Nothing runs here.</p>
      ) : (
        <div className="overflow-x-auto">
          {node.presence === "online" ? null : <p className="mb-2 text-text-3">Last known, {ago(node.as_of, now)}:</p>}
          <table className={cx("w-full text-left whitespace-nowrap", node.presence !== "online" && "opacity-70")}>
            <thead className="text-xs text-text-3">
              <tr>
                <th className="pr-4 pb-1.5 font-normal">Session</th>
                <th className="pr-4 pb-1.5 font-normal">Host</th>
                <th className="pr-4 pb-1.5 font-normal">Workspace</th>
                <th className="pr-4 pb-1.5 font-normal">Agent</th>
                <th className="pr-4 pb-1.5 font-normal">Folder</th>
              </tr>
            </thead>
            <tbody>
              {executions.map((entry) => (
                <ExecutionRow key={entry.session_id} entry={entry} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {executions.some((entry) => entry.orphan) ? (
        <p className="mt-3 text-xs text-pretty text-text-3">
          An orphan belongs to no session of this Reprise. It is left alone: whoever started it may still want it.
        </p>
      ) : null}
      <dl className="mt-4 grid grid-cols-[max-content_1fr] items-center gap-x-6 gap-y-1 text-xs text-text-3">
        <dt>Inventory</dt>
        <dd>as of {ago(node.as_of, now)}</dd>
        {waiting_commands === 0 ? null : (
          <>
            <dt>Waiting</dt>
            <dd>
              {waiting_commands === 1
                ? "1 command, carried out when it is back"
                : `${waiting_commands} commands, carried out when it is back`}
            </dd>
          </>
        )}
        <dt>Host name</dt>
        <dd>{node.hostname}</dd>
        <dt>Machine id</dt>
        <dd className="flex items-center gap-1 font-mono">
          {node.id} <CopyButton text={node.id} label="Copy machine id" />
        </dd>
        {boot_id === null ? null : (
          <>
            <dt>Boot id</dt>
            <dd className="truncate font-mono">{boot_id}</dd>
          </>
        )}
      </dl>
    </div>
  );
}

const WORDS = { alive: "alive", dead: "ended", unknown: "no answer", none: "not running" } as const;
const LIFE: Readonly<Record<string, string>> = {
  alive: "text-green",
  dead: "text-text-3",
  unknown: "text-amber",
  none: "text-text-3",
};

const STATUS = { ready: "text-green", starting: "text-text-2", error: "text-red", stopped: "text-text-3" } as const;

/** How the workspace stands; what is wrong with it, and when it is tried again. */
function ExecutorCell({ executor: { status, failure, retry_at } }: { readonly executor: Entry["executor"] }) {
  const now = useNow();
  return (
    <td className="max-w-60 truncate py-1.5 pr-4">
      <span className={STATUS[status]}>{status}</span>
      {failure === null ? null : (
        <span className="ml-1.5 text-xs text-text-3" title={failure.message}>
          {failure.message}
        </span>
      )}
      {retry_at === null ? null : (
        <span className="tabular ml-1.5 text-xs text-text-3">
          {retry_at <= now ? "trying now" : `next try in ${span(retry_at - now + 999)}`}
        </span>
      )}
    </td>
  );
}

function ExecutionRow({ entry }: { readonly entry: Entry }) {
  const agent = entry.execution;
  return (
    <tr className="border-t border-line">
      <td className="max-w-60 truncate py-1.5 pr-4">
        {entry.orphan ? (
          <span className="text-text-3">Orphan {entry.session_id}</span>
        ) : (
          <Link to={`/sessions/${entry.session_id}`} className="hover:underline">
            {entry.title ?? entry.session_id}
          </Link>
        )}
      </td>
      <td className="py-1.5 pr-4">
        <span className={LIFE[entry.host.state]}>{WORDS[entry.host.state]}</span>
        {entry.host.pid === null ? null : (
          <span className="tabular ml-1.5 text-xs text-text-3">pid {entry.host.pid}</span>
        )}
      </td>
      <ExecutorCell executor={entry.executor} />
      <td className="py-1.5 pr-4">
        {agent === null ? (
          <span className="text-text-3">none</span>
        ) : (
          <>
            <span className={LIFE[agent.state]}>{WORDS[agent.state]}</span>
            {agent.pid === null ? null : <span className="tabular ml-1.5 text-xs text-text-3">pid {agent.pid}</span>}
          </>
        )}
      </td>
      <td
        className={cx(
          "max-w-60 truncate py-1.5 font-mono text-xs",
          entry.workspace.exists ? "text-text-3" : "text-red",
        )}
        title={entry.workspace.path}
      >
        {entry.workspace.path}
        {entry.workspace.exists ? "" : " (gone)"}
      </td>
    </tr>
  );
}
