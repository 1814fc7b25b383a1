import { executorType, type NodeKind, type SessionFacts } from "@reprise/protocol";
import { and, eq, exists, isNotNull, isNull, notInArray, type SQL, sql } from "drizzle-orm";
import { noteCapabilities } from "./capabilities.ts";
import type { Db } from "./db.ts";
import { executorsRunning, taskSessions, tasks } from "./schema.ts";

/** What a projection needs that the facts don't hold. */
export interface ProjectionExtra {
  node_kind: NodeKind;
  pid: number | null;
  /** Where the node can be called, as its owner approved (N7). */
  agentctl_url: string | null;
  /** When the node was last heard of: written at hello, presence changes and recovery steps only. */
  last_seen_at: number | null;
  now: number;
}

/**
 * Write a session's rows as its object knows it now: `task_sessions`, `executors_running` and its task's state, in one
 * transaction. An older version never overwrites a newer one, so this can be repeated and may arrive late.
 * @returns whether the task's state changed.
 */
export async function projectSession(
  db: Db,
  facts: SessionFacts,
  extra: ProjectionExtra,
): Promise<{ task_changed: boolean }> {
  const session = sessionRow(facts);
  const executor = executorRow(facts, extra);
  const { id: _session, task_id: _task, created_at: _created, ...sessionChange } = session;
  const { id: _executor, session_id: _of, ...executorChange } = executor;
  const [, , , task] = await db.batch([
    db
      .insert(taskSessions)
      .values(session)
      .onConflictDoUpdate({
        target: taskSessions.id,
        set: sessionChange,
        setWhere: sql`${taskSessions.version} < ${facts.version}`,
      }),
    db
      .insert(executorsRunning)
      .values(executor)
      .onConflictDoUpdate({
        target: executorsRunning.session_id,
        set: executorChange,
        setWhere: sql`${executorsRunning.version} < ${facts.version}`,
      }),
    // A person deleted the session: what was told late must not bring its token back (T6).
    db.delete(executorsRunning).where(
      and(
        eq(executorsRunning.session_id, facts.session_id),
        exists(
          db
            .select({ one: sql`1` })
            .from(taskSessions)
            .where(and(eq(taskSessions.id, facts.session_id), isNotNull(taskSessions.deleted_at))),
        ),
      ),
    ),
    taskStateQuery(db, facts.task_id, extra.now),
    ...(facts.agent_capabilities === null ? [] : [noteCapabilities(db, facts, facts.agent_capabilities, extra.now)]),
  ]);
  return { task_changed: (task.meta.changes ?? 0) > 0 };
}

/** A task's state by its sessions, unless a person has closed it (design §3). */
export function taskStateQuery(db: Db, taskId: string, now: number) {
  const ofTask = and(eq(taskSessions.task_id, taskId), eq(taskSessions.listed, true), isNull(taskSessions.deleted_at));
  const some = (condition: SQL) => exists(db.select({ one: sql`1` }).from(taskSessions).where(and(ofTask, condition)));
  const state = sql`case
    when ${some(sql`${taskSessions.state} in ('CREATED', 'STARTING', 'RUNNING')`)} then 'IN_PROGRESS'
    when ${some(sql`1`)} then 'REVIEW'
    else ${tasks.state} end`;
  return db
    .update(tasks)
    .set({ state, updated_at: now })
    .where(and(eq(tasks.id, taskId), notInArray(tasks.state, ["DONE", "CANCELLED"]), sql`${tasks.state} <> ${state}`));
}

/** @returns the id of a session's row in `executors_running`. */
export function executorId(sessionId: string): string {
  return sessionId.replace(/^ses_/, "exr_");
}

function worktreeId(facts: SessionFacts): string | null {
  return facts.worktree_path === null ? null : facts.session_id.replace(/^ses_/, "wkt_");
}

function sessionRow(facts: SessionFacts): typeof taskSessions.$inferInsert {
  return {
    id: facts.session_id,
    task_id: facts.task_id,
    node_id: facts.node_id,
    state: facts.state,
    end_reason: facts.end_reason,
    created_at: facts.created_at,
    ended_at: facts.ended_at,
    stop_requested_at: facts.stop_requested_at,
    agent_profile_id: facts.agent_profile_id,
    agent_execution_id: facts.execution?.execution_id ?? facts.last_execution_id,
    executor_id: executorId(facts.session_id),
    metadata: JSON.stringify(facts),
    worktree_id: worktreeId(facts),
    worktree_path: facts.worktree_path,
    worktree_branch: facts.worktree_branch,
    title: facts.title,
    last_event_at: facts.last_event_at,
    last_event_type: facts.last_event_type,
    listed: facts.listed,
    archived_at: facts.archived_at,
    version: facts.version,
  };
}

/** The port that an address means, also where it is the scheme's own. */
function portOf(url: string | null): number | null {
  if (url === null || !URL.canParse(url)) return null;
  const { port, protocol } = new URL(url);
  if (port !== "") return Number(port);
  return protocol === "https:" ? 443 : 80;
}

function executorRow(facts: SessionFacts, extra: ProjectionExtra): typeof executorsRunning.$inferInsert {
  const failure = facts.executor.failure ?? facts.error;
  return {
    id: executorId(facts.session_id),
    session_id: facts.session_id,
    task_id: facts.task_id,
    execution_id: facts.execution?.execution_id ?? facts.last_execution_id,
    node_id: facts.node_id,
    runtime: facts.runtime,
    executor_type: executorType(extra.node_kind, facts.runtime),
    agentctl_url: extra.agentctl_url,
    agentctl_port: portOf(extra.agentctl_url),
    container_id: facts.container_id,
    pid: extra.pid,
    status: facts.executor.status,
    supports_session_resume: facts.supports_session_resume,
    supports_workspace_only: facts.supports_workspace_only,
    resume_token: facts.resume_token,
    workspace_path: facts.workspace_path,
    worktree_id: worktreeId(facts),
    worktree_path: facts.worktree_path,
    worktree_branch: facts.worktree_branch,
    last_seen_at: extra.last_seen_at,
    error_code: failure?.code ?? null,
    error_message: failure?.message ?? null,
    attempt: facts.recovery?.attempt ?? 0,
    retry_at: facts.recovery?.retry_at ?? facts.executor.retry_at,
    version: facts.version,
  };
}
