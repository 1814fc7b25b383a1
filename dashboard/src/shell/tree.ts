import type { SessionStatus, Task } from "@reprise/protocol";

export interface TaskBranch {
  readonly task: Task;
  readonly sessions: readonly SessionStatus[];
}

/** Tasks with their sessions, as the sidebar shows them: those in hand, the latest touched on top. */
export function taskTree(tasks: readonly Task[], sessions: readonly SessionStatus[]): TaskBranch[] {
  const byTask = new Map<string, SessionStatus[]>();
  for (const session of sessions) {
    if (session.archived_at !== null) continue;
    byTask.set(session.task_id, [...(byTask.get(session.task_id) ?? []), session]);
  }
  return tasks
    .filter((task) => task.archived_at === null && task.state !== "DONE" && task.state !== "CANCELLED")
    .map((task) => ({
      task,
      sessions: (byTask.get(task.id) ?? []).toSorted((a, b) => a.created_at - b.created_at),
    }))
    .toSorted((a, b) => touched(b) - touched(a));
}

function touched({ task, sessions }: TaskBranch): number {
  return Math.max(task.updated_at, ...sessions.map((session) => session.since));
}
