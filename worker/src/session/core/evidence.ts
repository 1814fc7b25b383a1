import type { Failure, InventoryEntry, NodeView } from "@reprise/protocol";
import type { Result } from "../../result.ts";
import type { NodeEvidence } from "../rpc.ts";
import { type Draft, OK, owe } from "./draft.ts";
import { executionEnded } from "./ends.ts";
import { terminalOf } from "./execution-row.ts";
import { isOfItsFolder } from "./lost-state.ts";
import type { SessionCore } from "./state.ts";

/** T3, T6: what a node says of this session. Newer than what is stored, it causes fetching; absence needs proof. */
export function nodeEvidence(d: Draft, evidence: NodeEvidence): Result {
  const { s } = d;
  if (!isOfItsFolder(d, evidence)) return OK;
  const { entry } = evidence;
  if (entry === null) {
    // It can be reached again, and serves nothing of this session.
    if (s.executor.failure?.code === "node_unreachable") setExecutor(d, "stopped", null, null);
    absent(d, evidence);
    return OK;
  }
  s.workspace_exists = entry.workspace.exists;
  setExecutor(d, entry.executor.status, entry.executor.failure, entry.executor.retry_at);
  s.container_id = entry.host.container_id;
  if (entry.executor.failure?.code === "container_missing") containerGone(d, entry, entry.executor.failure);
  if (entry.spool && entry.spool.last_seq > (s.marks[entry.spool.spool_id] ?? 0))
    owe(d, { type: "want", reason: "fetch" });
  if (hasOtherSpool(s, entry)) absent(d, evidence);
  return OK;
}

/** What was in it is gone. Its spool lies on the machine and tells the end; where that is gone too, this is the end. */
function containerGone(d: Draft, entry: InventoryEntry, failure: Failure): void {
  const { s, ctx } = d;
  s.container_missing = true;
  const e = s.execution;
  if (e === null || e.phase === "claimed" || entry.execution?.execution_id === e.execution_id) return;
  const end = { end_reason: "interrupted", exit_code: null, signal: null, died: "host", found: "scan" } as const;
  executionEnded(d, e.execution_id, { ...end, failure }, ctx.now);
}

/** A spool's id outlives its hosts: a live host with another one has nothing of this execution, nor ever will. */
function hasOtherSpool(s: SessionCore, { host, spool, execution }: InventoryEntry): boolean {
  const e = s.execution;
  if (e === null || e.phase === "claimed" || host.state !== "alive" || spool === null) return false;
  return spool.spool_id !== e.spool_id && execution?.execution_id !== e.execution_id;
}

/**
 * Nothing there, by a complete look that is newer than the launch: the one absence that is evidence. What was launched
 * since, or isn't known to have reached the machine, is another one than it can speak of: it is left alone.
 */
function absent(d: Draft, evidence: NodeEvidence): void {
  const { s, ctx } = d;
  const e = s.execution;
  if (!evidence.complete || e === null) return;
  if (e.command_seq === null || evidence.last_command_seq < e.command_seq) {
    const { execution_id, command_seq } = e;
    const details = { execution_id, command_seq, terminal_id: terminalOf(s), as_of_command: evidence.last_command_seq };
    d.effects.push({ type: "warn", message: "not there, by a look that is older than its launch: skipped", details });
    return;
  }
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
  const { id: _id, ...view } = node;
  s.node = view;
  if (node.presence === "offline" && s.executor.status !== "stopped") {
    setExecutor(d, "error", { code: "node_unreachable", message: `${node.name} can't be reached.` }, null);
  }
  return OK;
}

/** A command came to nothing at the node. Of a launch: no agent was started, so the claim is undone (C02). */
export function commandFailed(d: Draft, command_id: string, failure: Failure, retry_at: number | null): Result {
  const { s, ctx } = d;
  if (failure.code === "workspace_missing") s.workspace_exists = false;
  if (failure.code === "container_missing") s.container_missing = true;
  if (EXECUTOR_FAILURES.has(failure.code)) setExecutor(d, "error", failure, retry_at);
  const e = s.execution;
  if (e?.execution_id !== command_id || e.phase === "running") return OK;
  const end = { end_reason: "failed", failure, exit_code: null, signal: null, died: "nobody", found: "live" } as const;
  executionEnded(d, command_id, end, ctx.now);
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
