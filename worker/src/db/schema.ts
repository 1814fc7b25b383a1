import type { SessionState, TaskState } from "@reprise/protocol";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

export const tasks = sqliteTable("tasks", {
  id: text().primaryKey(),
  title: text().notNull(),
  state: text().$type<TaskState>().notNull(),
  created_at: integer().notNull(),
  updated_at: integer().notNull(),
  archived_at: integer(),
});

/** That a session exists, and a projection of its facts, guarded by `version`: no code decides from the latter. */
export const taskSessions = sqliteTable(
  "task_sessions",
  {
    id: text().primaryKey(),
    task_id: text().notNull(),
    node_id: text().notNull(),
    state: text().$type<SessionState>().notNull(),
    end_reason: text(),
    created_at: integer().notNull(),
    ended_at: integer(),
    stop_requested_at: integer(),
    agent_profile_id: text().notNull(),
    agent_execution_id: text(),
    executor_id: text(),
    /** The facts as the SessionObject last told them (JSON); null until it has. */
    metadata: text(),
    worktree_id: text(),
    worktree_path: text(),
    worktree_branch: text(),
    title: text().notNull(),
    last_event_at: integer(),
    last_event_type: text(),
    listed: integer({ mode: "boolean" }).notNull(),
    archived_at: integer(),
    /** The tombstone: a person deleted it (T7). */
    deleted_at: integer(),
    version: integer().notNull(),
  },
  (t) => [index("task_sessions_task").on(t.task_id), index("task_sessions_node").on(t.node_id)],
);

/** Of each session's present or last execution. A row with a resume token goes only with its session (T6). */
export const executorsRunning = sqliteTable(
  "executors_running",
  {
    id: text().primaryKey(),
    session_id: text().notNull(),
    task_id: text().notNull(),
    execution_id: text(),
    node_id: text().notNull(),
    runtime: text().notNull(),
    executor_type: text().notNull(),
    agentctl_url: text(),
    agentctl_port: integer(),
    container_id: text(),
    pid: integer(),
    status: text().notNull(),
    supports_session_resume: integer({ mode: "boolean" }),
    supports_workspace_only: integer({ mode: "boolean" }).notNull(),
    resume_token: text(),
    workspace_path: text().notNull(),
    worktree_id: text(),
    worktree_path: text(),
    worktree_branch: text(),
    last_seen_at: integer(),
    error_code: text(),
    error_message: text(),
    attempt: integer().notNull(),
    retry_at: integer(),
    version: integer().notNull(),
  },
  (t) => [uniqueIndex("executors_running_session").on(t.session_id)],
);

/** A create sent twice is one session. */
export const clientIds = sqliteTable("client_ids", {
  client_id: text().primaryKey(),
  session_id: text().notNull(),
  task_id: text().notNull(),
  created_at: integer().notNull(),
});
