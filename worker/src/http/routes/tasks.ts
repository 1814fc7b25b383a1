import { createRoute, z } from "@hono/zod-openapi";
import { CreateTask, RepriseError, Task, TaskDetail, TaskId, TaskList, UpdateTask } from "@reprise/protocol";
import { findTask, insertTask, listTasks, updateTask } from "../../db/tasks.ts";
import { feed } from "../../env.ts";
import { makeId } from "../../ids.ts";
import { listSessions } from "../../listing/listing.ts";
import { type Ctx, listing, routes } from "../context.ts";
import { answers, takes } from "../describe.ts";

const params = z.object({ id: TaskId });

const list = createRoute({
  method: "get",
  path: "/tasks",
  responses: { 200: answers(TaskList, "All tasks, newest first.") },
});
const create = createRoute({
  method: "post",
  path: "/tasks",
  request: { body: takes(CreateTask) },
  responses: { 201: answers(Task, "Made.") },
});
const read = createRoute({
  method: "get",
  path: "/tasks/{id}",
  request: { params },
  responses: { 200: answers(TaskDetail, "A task and its sessions.") },
});
const update = createRoute({
  method: "patch",
  path: "/tasks/{id}",
  request: { params, body: takes(UpdateTask) },
  responses: { 200: answers(Task, "Changed.") },
});

async function task(c: Ctx, id: string): Promise<Task> {
  const found = await findTask(c.var.db, id);
  if (!found) throw new RepriseError("task_not_found");
  return found;
}

export const taskRoutes = routes()
  .openapi(list, async (c) => c.json({ tasks: await listTasks(c.var.db) }, 200))
  .openapi(create, async (c) => {
    const id = makeId("task");
    await insertTask(c.var.db, { id, title: c.req.valid("json").title, now: c.var.now });
    await feed(c.env).changed([{ type: "task.changed", task_id: id }]);
    return c.json(await task(c, id), 201);
  })
  .openapi(read, async (c) => {
    const found = await task(c, c.req.valid("param").id);
    return c.json({ task: found, sessions: await listSessions(listing(c), { task_id: found.id }) }, 200);
  })
  .openapi(update, async (c) => {
    const { id } = c.req.valid("param");
    await task(c, id);
    await updateTask(c.var.db, id, c.req.valid("json"), c.var.now);
    await feed(c.env).changed([{ type: "task.changed", task_id: id }]);
    return c.json(await task(c, id), 200);
  });
