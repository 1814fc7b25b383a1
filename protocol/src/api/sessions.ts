import { z } from "zod";
import { ResumeId } from "../agents/conversation.ts";
import { NodeId, PromptId, SessionId, TaskId } from "../ids.ts";
import { MAX_PATH_CHARS, MAX_PROMPT_CHARS, MAX_TERMINAL_CHUNK, MAX_TITLE_CHARS } from "../limits.ts";
import { PromptBlocks } from "../log/prompt.ts";
import { LogRow } from "../log/row.ts";
import { Runtime, SessionState } from "../states.ts";
import { SessionStatus } from "../status/status.ts";
import { TerminalBytes } from "../terminal/frames.ts";

const path = z.string().min(1).max(MAX_PATH_CHARS);

export const CreateSession = z.object({
  /** Made by the client, so that a create sent twice is one session. */
  client_id: z
    .string()
    .regex(/^[A-Za-z0-9_-]{8,64}$/)
    .optional(),
  task_id: TaskId.optional(),
  title: z.string().trim().min(1).max(MAX_TITLE_CHARS).optional(),
  node_id: NodeId,
  agent_profile_id: z.string().min(1),
  cwd: path,
  /** A new git worktree of the repository that `cwd` is in, on this new branch. */
  worktree: z.object({ branch: z.string().min(1).max(200), base: z.string().max(200).optional() }).optional(),
  prompt: z.string().trim().min(1).max(MAX_PROMPT_CHARS).optional(),
  /** The agent's own session id: start from that conversation (the prompt is then optional). */
  resume_session_id: ResumeId.optional(),
  mode: z.string().max(100).optional(),
  model: z.string().max(200).optional(),
  /** One of those that the machine offers; `standalone` by default. */
  runtime: Runtime.optional(),
});
export type CreateSession = z.infer<typeof CreateSession>;
export const CreatedSession = z.object({ session_id: SessionId, task_id: TaskId, status: SessionStatus });

export const ListSessions = z.object({
  task_id: TaskId.optional(),
  node_id: NodeId.optional(),
  archived: z.enum(["true", "false"]).optional(),
  /** Ids that the caller has attached itself (T1), comma separated. */
  exclude: z.string().optional(),
});
export const SessionList = z.object({ sessions: z.array(SessionStatus), as_of: z.number() });
export const SessionCount = z.object({
  count: z.number().int(),
  needs_you: z.number().int(),
  working: z.number().int(),
});

export const SendPrompt = z.object({
  prompt_id: PromptId,
  blocks: PromptBlocks,
});
export const PromptAnswer = z.object({ prompt_id: PromptId, state: z.string() });
export const EditPrompt = z.object({ blocks: PromptBlocks });

export const ResumeBody = z.object({
  task_id: TaskId.optional(),
  mode: z.enum(["resume", "retry"]),
  strategy: z.enum(["native"]).default("native"),
  model: z.string().max(200).optional(),
  agent_mode: z.string().max(100).optional(),
  prompt: z.string().trim().min(1).max(MAX_PROMPT_CHARS).optional(),
});
export type ResumeBody = z.infer<typeof ResumeBody>;
export const ResumeAnswer = z.object({
  status: z.enum(["resumed", "attached"]),
  mode: z.enum(["resume", "retry"]),
  prior_state: SessionState,
  execution_id: z.string(),
});
export type ResumeAnswer = z.infer<typeof ResumeAnswer>;

/** What is typed into a terminal without a pane: text, or bytes that are none, as base64. */
export const TerminalInput = z
  .object({ text: z.string().min(1).max(MAX_TERMINAL_CHUNK).optional(), data: TerminalBytes.min(4).optional() })
  .refine(({ text, data }) => (text === undefined) !== (data === undefined), {
    path: ["text"],
    message: "say either text, or data",
  });

export const AnswerApproval = z.object({
  execution_id: z.string(),
  /** null dismisses it. */
  option_id: z.string().max(200).nullable(),
});
/** `continue`: send one "continue" prompt and let the queue go on. `release`: only let the queue go on. */
export const RecoveryBody = z.object({
  action: z.enum([
    "try_now",
    "cancel",
    "check_again",
    "dismiss",
    "declare_lost",
    "release",
    "continue",
    "verified",
    "start_again",
  ]),
});
/** `agent_profile_id`: another profile of the same agent takes the place of the session's own ("Choose a profile"). */
export const SettingsBody = z.object({
  mode: z.string().max(100).optional(),
  model: z.string().max(200).optional(),
  agent_profile_id: z.string().min(1).optional(),
});
export const RenameBody = z.object({ title: z.string().trim().min(1).max(MAX_TITLE_CHARS) });
export const DeleteBody = z.object({ remove_worktree: z.boolean().default(false) });

/** Older history: rows below a place, newest of them first in the page. */
export const EventsQuery = z.object({
  before: z.coerce.number().int().positive().optional(),
  since: z.coerce.number().int().nonnegative().optional(),
  limit: z.coerce.number().int().min(1).max(500).default(200),
});
export const EventsPage = z.object({
  log_id: z.string(),
  cursor: z.number().int(),
  from_pos: z.number().int(),
  rows: z.array(LogRow),
});
export type EventsPage = z.infer<typeof EventsPage>;
export const Ok = z.object({ ok: z.literal(true) });
