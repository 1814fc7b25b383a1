import type { Task, TaskState } from "@reprise/protocol";
import { and, desc, eq, isNull } from "drizzle-orm";
import type { Db } from "./db.ts";
import { taskSessions, tasks } from "./schema.ts";

/** All tasks with the ids of their sessions, newest first. */
export async function listTasks(db: Db): Promise<Task[]> {
  const [rows, sessions] = await db.batch([
    db.select().from(tasks).orderBy(desc(tasks.created_at)),
    db
      .select({ id: taskSessions.id, task_id: taskSessions.task_id })
      .from(taskSessions)
      .where(and(eq(taskSessions.listed, true), isNull(taskSessions.deleted_at)))
      .orderBy(taskSessions.created_at),
  ]);
  const ids = new Map<string, string[]>();
  for (const { id, task_id } of sessions) ids.set(task_id, [...(ids.get(task_id) ?? []), id]);
  return rows.map((row) => ({ ...row, session_ids: ids.get(row.id) ?? [] }));
}

export async function findTask(db: Db, id: string): Promise<Task | null> {
  const [rows, sessions] = await db.batch([
    db.select().from(tasks).where(eq(tasks.id, id)),
    db
      .select({ id: taskSessions.id })
      .from(taskSessions)
      .where(and(eq(taskSessions.task_id, id), eq(taskSessions.listed, true), isNull(taskSessions.deleted_at)))
      .orderBy(taskSessions.created_at),
  ]);
  const row = rows[0];
  return row ? { ...row, session_ids: sessions.map((s) => s.id) } : null;
}

export async function insertTask(db: Db, task: { id: string; title: string; now: number }): Promise<void> {
  await db
    .insert(tasks)
    .values({ id: task.id, title: task.title, state: "TODO", created_at: task.now, updated_at: task.now })
    .onConflictDoNothing();
}

export async function updateTask(
  db: Db,
  id: string,
  change: { title?: string | undefined; state?: TaskState | undefined; archived?: boolean | undefined },
  now: number,
): Promise<void> {
  await db
    .update(tasks)
    .set({
      updated_at: now,
      ...(change.title === undefined ? {} : { title: change.title }),
      ...(change.state === undefined ? {} : { state: change.state }),
      ...(change.archived === undefined ? {} : { archived_at: change.archived ? now : null }),
    })
    .where(eq(tasks.id, id));
}
