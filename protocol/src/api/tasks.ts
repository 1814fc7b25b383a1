import { z } from "zod";
import { TaskId } from "../ids.ts";
import { MAX_TITLE_CHARS } from "../limits.ts";
import { TaskState } from "../states.ts";
import { SessionStatus } from "../status/status.ts";

export const Task = z.object({
  id: TaskId,
  title: z.string(),
  state: TaskState,
  created_at: z.number(),
  updated_at: z.number(),
  archived_at: z.number().nullable(),
  session_ids: z.array(z.string()),
});
export type Task = z.infer<typeof Task>;
export const TaskList = z.object({ tasks: z.array(Task) });
export const TaskDetail = z.object({ task: Task, sessions: z.array(SessionStatus) });
export const CreateTask = z.object({ title: z.string().trim().min(1).max(MAX_TITLE_CHARS) });
export const UpdateTask = z.object({
  title: z.string().trim().min(1).max(MAX_TITLE_CHARS).optional(),
  state: TaskState.optional(),
  archived: z.boolean().optional(),
});
