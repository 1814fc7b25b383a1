import { z } from "zod";
import { ErrorFrame } from "../errors.ts";
import { ExecutionId, ItemId, PromptId, RequestId, SpoolId, TurnId } from "../ids.ts";
import { MAX_EVENTS_PER_FRAME, MAX_ITEM_TEXT } from "../limits.ts";
import { PromptBlocks } from "../log/prompt.ts";
import { SpoolEvent } from "../spool/event.ts";
import { TerminalDown, TerminalSupport, TerminalUp } from "../terminal/frames.ts";

export const SessionHello = z.object({
  type: z.literal("session.hello"),
  protocol_version: z.number().int(),
  spool_id: SpoolId.nullable(),
  last_seq: z.number().int().nonnegative(),
  /** Alive now, if any. */
  execution_id: ExecutionId.nullable(),
  /** A launch that waits for its permit. */
  permit_pending: ExecutionId.nullable(),
  /** Absent: it knows no terminals (version 1). */
  terminals: TerminalSupport.optional(),
});

/**
 * The socket of one session between its node and its SessionObject (K1, K2):
 * `GET /api/agentctl/sessions/:id/ws`. The daemon passes the host's frames through; its own are the hello and closing.
 */
export const SessionUp = z.discriminatedUnion("type", [
  SessionHello,
  z.object({
    type: z.literal("events"),
    spool_id: SpoolId,
    events: z.array(SpoolEvent).min(1).max(MAX_EVENTS_PER_FRAME),
  }),
  /** A stretch of an open item's text from `offset` (UTF-16 units). Never stored (L3). */
  z.object({
    type: z.literal("preview"),
    execution_id: ExecutionId,
    turn_id: TurnId.nullable(),
    item_id: ItemId,
    kind: z.enum(["text", "thought"]),
    offset: z.number().int().nonnegative(),
    text: z.string().max(MAX_ITEM_TEXT),
  }),
  /** Everything before this execution is in the spool up to `head_seq`; the last agent's group is proven dead. */
  z.object({
    type: z.literal("permit.request"),
    execution_id: ExecutionId,
    spool_id: SpoolId,
    head_seq: z.number().int().nonnegative(),
  }),
  /** The host can't take it now (disk full, no agent): it stays queued, with the reason. */
  z.object({ type: z.literal("prompt.refused"), prompt_id: PromptId, code: z.string(), message: z.string() }),
  /** The answered request isn't there (any more). */
  z.object({ type: z.literal("approval.unknown"), execution_id: ExecutionId, request_id: RequestId }),
  /** Nothing left to say: may the socket close? (K1) */
  z.object({ type: z.literal("idle") }),
  /** Only to and from one that said `terminals` (version 2). */
  ...TerminalUp.options,
  ErrorFrame,
]);
export type SessionUp = z.infer<typeof SessionUp>;

export const SessionDown = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("session.welcome"),
    protocol_version: z.number().int(),
    /** Stored up to here, contiguously, of the spool named in the hello. */
    acked: z.number().int().nonnegative(),
    watched: z.boolean(),
  }),
  z.object({ type: z.literal("ack"), spool_id: SpoolId, seq: z.number().int().nonnegative() }),
  /** Somebody looks (or nobody any more): previews are wanted. */
  z.object({ type: z.literal("watch"), on: z.boolean() }),
  z.object({ type: z.literal("permit.granted"), execution_id: ExecutionId }),
  z.object({ type: z.literal("permit.refused"), execution_id: ExecutionId, code: z.string(), message: z.string() }),
  z.object({
    type: z.literal("prompt"),
    execution_id: ExecutionId,
    prompt_id: PromptId,
    turn_id: TurnId,
    blocks: PromptBlocks,
  }),
  z.object({ type: z.literal("cancel"), execution_id: ExecutionId, turn_id: TurnId }),
  /** `option_id` null: dismissed (ACP `cancelled`). */
  z.object({
    type: z.literal("approval.answer"),
    execution_id: ExecutionId,
    request_id: RequestId,
    option_id: z.string().nullable(),
  }),
  z.object({ type: z.literal("set_mode"), execution_id: ExecutionId, mode: z.string() }),
  z.object({ type: z.literal("set_model"), execution_id: ExecutionId, model: z.string() }),
  /** A preview left a gap: send the item's whole text from offset 0. */
  z.object({ type: z.literal("preview.whole"), item_id: ItemId }),
  z.object({ type: z.literal("idle.ok") }),
  ...TerminalDown.options,
  ErrorFrame,
]);
export type SessionDown = z.infer<typeof SessionDown>;
