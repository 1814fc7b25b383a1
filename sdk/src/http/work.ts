import {
  AgentProfile,
  type CreateProfile,
  type CreateTask,
  Ok,
  ProfileList,
  Task,
  TaskDetail,
  TaskList,
  type UpdateProfile,
  type UpdateTask,
} from "@reprise/protocol";
import type { z } from "zod";
import type { Call } from "./call.ts";
import { at } from "./path.ts";

export function taskCalls(call: Call) {
  return {
    list: (signal?: AbortSignal) => call("GET", "/api/tasks", TaskList, { signal }),
    get: (id: string, signal?: AbortSignal) => call("GET", at`/api/tasks/${id}`, TaskDetail, { signal }),
    create: (body: z.input<typeof CreateTask>) => call("POST", "/api/tasks", Task, { body }),
    update: (id: string, body: z.input<typeof UpdateTask>) => call("PATCH", at`/api/tasks/${id}`, Task, { body }),
  };
}

export function profileCalls(call: Call) {
  return {
    list: (signal?: AbortSignal) => call("GET", "/api/agent-profiles", ProfileList, { signal }),
    get: (id: string, signal?: AbortSignal) => call("GET", at`/api/agent-profiles/${id}`, AgentProfile, { signal }),
    create: (body: z.input<typeof CreateProfile>) => call("POST", "/api/agent-profiles", AgentProfile, { body }),
    update: (id: string, body: z.input<typeof UpdateProfile>) =>
      call("PATCH", at`/api/agent-profiles/${id}`, AgentProfile, { body }),
    remove: (id: string) => call("DELETE", at`/api/agent-profiles/${id}`, Ok),
    /** A built-in profile is as it came, also where it was deleted. */
    reset: (id: string) => call("POST", at`/api/agent-profiles/${id}/reset`, AgentProfile),
  };
}
