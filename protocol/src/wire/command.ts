import { z } from "zod";
import { LaunchSpec } from "../agents/profile.ts";
import { CommandId, ExecutionId, PromptId, SessionId, TaskId, TurnId } from "../ids.ts";
import { MAX_PATH_CHARS, MAX_PROMPT_CHARS, MAX_TITLE_CHARS } from "../limits.ts";
import { Runtime } from "../states.ts";

const path = z.string().min(1).max(MAX_PATH_CHARS);

/** The folder a session works in. With a worktree, `cwd` lies inside `worktree.path`. */
export const WorkspaceSpec = z.object({
  cwd: path,
  worktree: z
    .object({ repo: path, path: path, branch: z.string().min(1).max(200), base: z.string().max(200).nullable() })
    .nullable(),
});
export type WorkspaceSpec = z.infer<typeof WorkspaceSpec>;

/** Carried out once, whatever is delivered how often: the node keeps their ids. */
export const Command = z.discriminatedUnion("type", [
  /** Start a host if none serves the session, and an agent in it once its permit is granted (R3). Its id is the execution's. */
  z.object({
    type: z.literal("launch"),
    command_id: ExecutionId,
    session_id: SessionId,
    task_id: TaskId,
    runtime: Runtime,
    spec: LaunchSpec,
    workspace: WorkspaceSpec,
    how: z.discriminatedUnion("type", [
      z.object({ type: z.literal("new") }),
      /** `had_turns`: a load that replays nothing is then `unverified` (R4). */
      z.object({ type: z.literal("resume"), token: z.string().min(1).max(500), had_turns: z.boolean() }),
    ]),
    automatic: z.boolean(),
    /** Of a terminal agent: what it starts with. Its turn is opened on disk before the agent starts (P1). */
    prompt: z.object({ prompt_id: PromptId, turn_id: TurnId, text: z.string().min(1).max(MAX_PROMPT_CHARS) }).nullish(),
    title: z.string().max(MAX_TITLE_CHARS),
  }),
  /** End the agent of this execution on a person's order; the workspace stays. */
  z.object({
    type: z.literal("stop"),
    command_id: CommandId,
    session_id: SessionId,
    execution_id: ExecutionId,
    end_reason: z.enum(["stopped", "completed"]),
  }),
  /** The tombstone: end the host, remove what belongs to the session (its worktree only if asked). */
  z.object({ type: z.literal("teardown"), command_id: CommandId, session_id: SessionId, remove_worktree: z.boolean() }),
  /** Make sure a (workspace-only) host serves the session. */
  z.object({
    type: z.literal("ensure_host"),
    command_id: CommandId,
    session_id: SessionId,
    workspace: WorkspaceSpec,
    runtime: Runtime,
  }),
  /** Since version 2: what the session runs in doesn't answer, and a person wants no more tries; `ensure_host` asks again. */
  z.object({ type: z.literal("stop_trying"), command_id: CommandId, session_id: SessionId }),
]);
export type Command = z.infer<typeof Command>;
export type CommandOf<T extends Command["type"]> = Extract<Command, { type: T }>;

export const NumberedCommand = z.object({ seq: z.number().int().positive(), command: Command });
export type NumberedCommand = z.infer<typeof NumberedCommand>;

/** Wished for while it lasts; always told as the whole set (K1). */
export const Want = z.object({
  session_id: SessionId,
  reasons: z.array(z.enum(["viewer", "prompt", "answer", "fetch", "permit"])).min(1),
  expires_at: z.number(),
});
export type Want = z.infer<typeof Want>;
