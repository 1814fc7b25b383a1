import type { SessionStatus, Task, TaskState } from "@reprise/protocol";

export interface BoardCard {
  readonly task: Task;
  readonly sessions: readonly SessionStatus[];
}

export interface Column {
  readonly state: TaskState;
  readonly title: string;
  readonly cards: readonly BoardCard[];
}

const TITLES: Record<TaskState, string> = {
  TODO: "To do",
  IN_PROGRESS: "In progress",
  REVIEW: "Review",
  DONE: "Done",
  CANCELLED: "Cancelled",
};

/** Tasks in the columns of their states; the latest touched on top. A column stands also while it is empty. */
export function boardColumns(tasks: readonly Task[], sessions: readonly SessionStatus[]): Column[] {
  const order: readonly TaskState[] = ["TODO", "IN_PROGRESS", "REVIEW", "DONE", "CANCELLED"];
  return order.map((state) => ({
    state,
    title: TITLES[state],
    cards: tasks
      .filter((task) => task.state === state && task.archived_at === null)
      .toSorted((a, b) => b.updated_at - a.updated_at)
      .map((task) => ({
        task,
        sessions: sessions.filter((session) => session.task_id === task.id && session.archived_at === null),
      })),
  }));
}
