import { expect, it } from "vitest";
import { taskTree } from "../shell/tree.ts";
import { status, task } from "../testing/sample.ts";
import { boardColumns } from "./columns.ts";

const tasks = [
  task({ id: "tsk_a", state: "REVIEW", updated_at: 1 }),
  task({ id: "tsk_b", state: "REVIEW", updated_at: 2 }),
  task({ id: "tsk_c", state: "DONE" }),
  task({ id: "tsk_d", state: "TODO", archived_at: 1 }),
];
const sessions = [
  status({ session_id: "s1", task_id: "tsk_a", since: 50 }),
  status({ session_id: "s2", task_id: "tsk_a", archived_at: 1 }),
];

it("a task stands in its state's column with its sessions, the latest on top", () => {
  const columns = boardColumns(tasks, sessions);
  const review = columns.find((column) => column.state === "REVIEW");
  expect(review?.cards.map((card) => [card.task.id, card.sessions.length])).toEqual([
    ["tsk_b", 0],
    ["tsk_a", 1],
  ]);
  expect(columns.find((column) => column.state === "TODO")?.cards).toEqual([]);
});

it("the sidebar shows the tasks in hand, by their sessions' last change", () => {
  expect(taskTree(tasks, sessions).map((branch) => branch.task.id)).toEqual(["tsk_a", "tsk_b"]);
});
