import { z } from "zod";
import { ExecutionId, PromptId, TurnId } from "../ids.ts";
import { EndReason, PromptState, SessionState, TurnOutcome } from "../states.ts";
import { TerminalId } from "../terminal/frames.ts";
import { Approval } from "./approval.ts";
import { Item } from "./item.ts";
import { PromptBlocks } from "./prompt.ts";

/** One line of a session's log. Rows are upserted by `id`; a change keeps `pos` and takes a new `seq` (L2). */
export const RowBody = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("message"), turn_id: TurnId.nullable(), item: Item }),
  /** A prompt: its place in the conversation is the `turn` row that names it. */
  z.object({
    kind: z.literal("prompt"),
    prompt_id: PromptId,
    blocks: PromptBlocks,
    state: PromptState,
    outcome: TurnOutcome.nullable(),
    created_at: z.number(),
    /** Why it isn't on its way, when somebody must act (`indeterminate`, refused by a full disk). */
    note: z.string().nullable(),
  }),
  /** A turn's beginning: the person's words as the agent took them. */
  z.object({
    kind: z.literal("turn"),
    turn_id: TurnId,
    prompt_id: PromptId.nullable(),
    blocks: PromptBlocks,
    started_at: z.number(),
  }),
  z.object({
    kind: z.literal("turn_end"),
    turn_id: TurnId,
    outcome: TurnOutcome,
    message: z.string().nullable(),
    ended_at: z.number(),
  }),
  z.object({ kind: z.literal("permission"), approval: Approval }),
  /** An accepted resume (R8): written once. */
  z.object({
    kind: z.literal("resumed"),
    mode: z.enum(["resume", "retry"]),
    strategy: z.enum(["native", "context"]),
    prior_state: SessionState,
    automatic: z.boolean(),
    at: z.number(),
  }),
  z.object({
    kind: z.literal("execution_end"),
    end_reason: EndReason,
    code: z.string().nullable(),
    message: z.string().nullable(),
    exit_code: z.number().nullable(),
    signal: z.string().nullable(),
    ended_at: z.number(),
  }),
  z.object({
    kind: z.literal("notice"),
    level: z.enum(["info", "warning"]),
    code: z.string(),
    text: z.string().max(4_000),
    /** The terminal that it tells of. */
    terminal_id: TerminalId.nullish(),
    at: z.number(),
  }),
]);
export type RowBody = z.infer<typeof RowBody>;

export const LogRow = z.object({
  id: z.string(),
  pos: z.number().int().positive(),
  seq: z.number().int().positive(),
  execution_id: ExecutionId.nullable(),
  body: RowBody,
});
export type LogRow = z.infer<typeof LogRow>;

/** A row's id names what it is about, so that the same fact is one row however often it is told. */
export const rowId = {
  message: (executionId: string, itemId: string) => `m:${executionId}:${itemId}`,
  prompt: (promptId: string) => `p:${promptId}`,
  turn: (turnId: string) => `t:${turnId}`,
  turnEnd: (turnId: string) => `te:${turnId}`,
  permission: (executionId: string, requestId: string) => `a:${executionId}:${requestId}`,
  resumed: (executionId: string) => `r:${executionId}`,
  executionEnd: (executionId: string) => `x:${executionId}`,
  notice: (executionId: string | null, key: string) => `n:${executionId ?? ""}:${key}`,
};
