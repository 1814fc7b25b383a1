import { type Failure, type NodeView, rowId } from "@reprise/protocol";
import type { Result } from "../../result.ts";
import type { NodeEvidence } from "../rpc.ts";
import { type Draft, OK, owe, setState } from "./draft.ts";
import { executionEnded, resumeFailed } from "./ends.ts";
import type { SessionCore } from "./state.ts";

/** T3, T6: what a node says of this session. Newer than what is stored, it causes fetching; absence needs proof. */
export function nodeEvidence(d: Draft, evidence: NodeEvidence): Result {
  const { s } = d;
  // Another state folder knows nothing of what was launched from the lost one.
  if (evidence.state_id !== s.state_id) return OK;
  const { entry } = evidence;
  if (entry === null) {
    absent(d, evidence);
    return OK;
  }
  s.workspace_exists = entry.workspace.exists;
  setExecutor(d, entry.executor.status, entry.executor.failure, entry.executor.retry_at);
  if (entry.spool && entry.spool.last_seq > (s.marks[entry.spool.spool_id] ?? 0))
    owe(d, { type: "want", reason: "fetch" });
  return OK;
}

/** Nothing there, by a complete look that is newer than the launch: the one absence that is evidence. */
function absent(d: Draft, evidence: NodeEvidence): void {
  const { s, ctx } = d;
  const e = s.execution;
  if (!evidence.complete || e === null) return;
  if (e.command_seq === null || evidence.last_command_seq < e.command_seq) return;
  const failure: Failure = { code: "spool_lost", message: "The machine no longer knows this session." };
  if (e.phase === "claimed") {
    commandFailed(d, e.execution_id, failure, null);
    return;
  }
  executionEnded(
    d,
    e.execution_id,
    { end_reason: "interrupted", failure, exit_code: null, signal: null, died: "host", found: "scan" },
    ctx.now,
  );
}

/** Presence changes words, never a session's state (T3); an offline node's executor can't be reached (X2). */
export function nodePresence(d: Draft, node: Omit<NodeView, "entry" | "as_of">): Result {
  const { s } = d;
  s.node = { name: node.name, kind: node.kind, presence: node.presence, since: node.since, reason: node.reason };
  if (node.presence === "offline" && s.executor.status !== "stopped") {
    setExecutor(d, "error", { code: "node_unreachable", message: `${node.name} can't be reached.` }, null);
  }
  return OK;
}

/** A command came to nothing at the node. Of a launch: no agent was started, so the claim is undone (C02). */
export function commandFailed(d: Draft, command_id: string, failure: Failure, retry_at: number | null): Result {
  const { s, ctx } = d;
  if (failure.code === "workspace_missing") s.workspace_exists = false;
  if (EXECUTOR_FAILURES.has(failure.code)) setExecutor(d, "error", failure, retry_at);
  const e = s.execution;
  if (e?.execution_id !== command_id || e.phase === "running") return OK;
  s.execution = null;
  s.permit_waiting = null;
  s.last_execution_id = e.execution_id;
  s.end_reason = "failed";
  s.ended_at = ctx.now;
  s.error = failure;
  setState(d, "ERROR");
  d.effects.push({
    type: "row.put",
    id: rowId.executionEnd(e.execution_id),
    execution_id: e.execution_id,
    body: {
      kind: "execution_end",
      end_reason: "failed",
      code: failure.code,
      message: failure.message,
      exit_code: null,
      signal: null,
      ended_at: ctx.now,
    },
  });
  if (e.how === "resume") resumeFailed(d, failure);
  return OK;
}

const EXECUTOR_FAILURES: ReadonlySet<Failure["code"]> = new Set([
  "workspace_missing",
  "path_not_allowed",
  "worktree_failed",
  "runtime_unavailable",
  "container_missing",
  "host_start_failed",
  "disk_full",
]);

function setExecutor(
  d: Draft,
  status: SessionCore["executor"]["status"],
  failure: Failure | null,
  retry_at: number | null,
): void {
  const { executor } = d.s;
  const same = executor.status === status && executor.failure?.code === failure?.code && executor.retry_at === retry_at;
  if (!same) d.s.executor = { status, since: d.ctx.now, failure, retry_at };
}
