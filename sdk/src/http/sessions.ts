import {
  type AnswerApproval,
  CreatedSession,
  type CreateSession,
  EventsPage,
  type EventsQuery,
  FilesAnswer,
  GitAnswer,
  type ListSessions,
  Ok,
  PromptAnswer,
  type PromptBlocks,
  type RecoveryBody,
  ResumeAnswer,
  type ResumeBody,
  SessionCount,
  SessionList,
  SessionStatus,
  type SettingsBody,
  type TerminalInput,
} from "@reprise/protocol";
import { z } from "zod";
import type { Call } from "./call.ts";
import { at } from "./path.ts";

const SessionDetail = z.object({ status: SessionStatus, events: EventsPage });

/** Sessions (design §6). */
export function sessionCalls(call: Call) {
  return {
    create: (body: CreateSession) => call("POST", "/api/sessions", CreatedSession, { body }),
    list: (query: z.input<typeof ListSessions> = {}, signal?: AbortSignal) =>
      call("GET", "/api/sessions", SessionList, { query, signal }),
    count: (query: z.input<typeof ListSessions> = {}) => call("GET", "/api/sessions/count", SessionCount, { query }),
    status: (id: string, signal?: AbortSignal) =>
      call("GET", at`/api/sessions/${id}/status`, SessionStatus, { signal }),
    /** A session with its newest events: what a page's inlined data holds of it. */
    get: (id: string, signal?: AbortSignal) => call("GET", at`/api/sessions/${id}`, SessionDetail, { signal }),
    /** 202 as soon as the claim is stored; `attached` when another call's claim was open already (R3). */
    resume: (id: string, body: z.input<typeof ResumeBody>) =>
      call("POST", at`/api/sessions/${id}/resume`, ResumeAnswer, { body }),
    /** Make `promptId` with `newPromptId()`; the same one again is the same prompt (P1). */
    prompt: (id: string, promptId: string, blocks: PromptBlocks) =>
      call("POST", at`/api/sessions/${id}/prompts`, PromptAnswer, { body: { prompt_id: promptId, blocks } }),
    editPrompt: (id: string, promptId: string, blocks: PromptBlocks) =>
      call("PATCH", at`/api/sessions/${id}/prompts/${promptId}`, Ok, { body: { blocks } }),
    removePrompt: (id: string, promptId: string) => call("DELETE", at`/api/sessions/${id}/prompts/${promptId}`, Ok),
    cancel: (id: string) => call("POST", at`/api/sessions/${id}/cancel`, Ok),
    stop: (id: string) => call("POST", at`/api/sessions/${id}/stop`, Ok),
    /** Takes a stop back while its machine has not confirmed it. */
    undoStop: (id: string) => call("DELETE", at`/api/sessions/${id}/stop`, Ok),
    complete: (id: string) => call("POST", at`/api/sessions/${id}/complete`, Ok),
    archive: (id: string, archived = true) => call(archived ? "POST" : "DELETE", at`/api/sessions/${id}/archive`, Ok),
    recovery: (id: string, action: z.input<typeof RecoveryBody>["action"]) =>
      call("POST", at`/api/sessions/${id}/recovery`, Ok, { body: { action } }),
    answer: (id: string, requestId: string, body: z.input<typeof AnswerApproval>) =>
      call("POST", at`/api/sessions/${id}/permissions/${requestId}`, Ok, { body }),
    /** Older history: rows below the place `before`. */
    events: (id: string, query: Partial<z.infer<typeof EventsQuery>> = {}, signal?: AbortSignal) =>
      call("GET", at`/api/sessions/${id}/events`, EventsPage, { query, signal }),
    /** A folder of the workspace, one level, or a file's text; needs no agent (X3). */
    files: (id: string, path = "", signal?: AbortSignal) =>
      call("GET", at`/api/sessions/${id}/files`, FilesAnswer, { query: { path }, signal }),
    /** The workspace's git status, or with a path the diff of that file. */
    git: (id: string, path?: string, signal?: AbortSignal) =>
      call("GET", at`/api/sessions/${id}/git`, GitAnswer, { query: path === undefined ? {} : { path }, signal }),
    /** Into a live terminal, whether anybody has it open or not (B1): text, or bytes as base64. */
    typeInto: (id: string, terminalId: string, input: z.input<typeof TerminalInput>) =>
      call("POST", at`/api/sessions/${id}/terminals/${terminalId}/input`, Ok, { body: input }),
    settings: (id: string, body: z.input<typeof SettingsBody>) =>
      call("POST", at`/api/sessions/${id}/settings`, Ok, { body }),
    rename: (id: string, title: string) => call("PATCH", at`/api/sessions/${id}`, SessionStatus, { body: { title } }),
    /** Gone from the lists at once; its machine tears it down as soon as it can (T7). */
    remove: (id: string, options: { remove_worktree?: boolean } = {}) =>
      call("DELETE", at`/api/sessions/${id}`, Ok, {
        query: { remove_worktree: String(options.remove_worktree ?? false) },
      }),
  };
}
