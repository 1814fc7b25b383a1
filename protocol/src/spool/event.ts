import { z } from "zod";
import { AgentCapabilities } from "../agents/profile.ts";
import { Failure } from "../errors.ts";
import { ExecutionId, Millis, PromptId, RequestId, TurnId } from "../ids.ts";
import { MAX_MESSAGE_CHARS, MAX_TITLE_CHARS } from "../limits.ts";
import { ApprovalAsk } from "../log/approval.ts";
import { Item } from "../log/item.ts";
import { TurnOutcome } from "../states.ts";
import { TerminalId } from "../terminal/frames.ts";

export const ModeInfo = z.object({ id: z.string(), name: z.string() });

/** What may happen in a host. The host writes each to its spool before anyone else sees it. */
export const SpoolEventBody = z.discriminatedUnion("type", [
  /** The permit is used: from here on only evidence ends this execution (R3). Written before the agent is spawned. */
  z.object({
    type: z.literal("execution.opened"),
    /** `found`: a person started the agent in the session's terminal; nobody had ordered it. */
    how: z.enum(["new", "resume", "found"]),
    automatic: z.boolean(),
  }),
  /** Written right after the spawn, so that whoever comes later can prove the group dead. */
  z.object({
    type: z.literal("agent.spawned"),
    pid: z.number().int(),
    /** The kernel's start time of that pid, in clock ticks since boot (null where the platform has none). */
    start_time: z.string().nullable(),
    boot_id: z.string(),
  }),
  z.object({
    type: z.literal("agent.initialized"),
    name: z.string().nullable(),
    version: z.string().nullable(),
    capabilities: AgentCapabilities,
  }),
  /** The agent can take prompts. `verified` is false when a load replayed nothing of a conversation that had turns. */
  z.object({
    type: z.literal("agent.ready"),
    token: z.string().max(500).nullable(),
    how: z.enum(["new", "load", "resume"]),
    replayed: z.number().int().nonnegative(),
    verified: z.boolean(),
  }),
  /** The id of its conversation, learned or changed after it was ready (a terminal agent; R2). */
  z.object({ type: z.literal("agent.token"), token: z.string().min(1).max(500) }),
  /** It said that it ends (R7). Whether that was a goodbye or its death gasp, `execution.ended` tells. */
  z.object({
    type: z.literal("agent.goodbye"),
    reason: z.string().max(100),
    /** Its person ended it there, which a signal can't look like. */
    explicit: z.boolean(),
  }),
  /** Somebody submitted a line to a terminal agent whose turns nobody reports. */
  z.object({ type: z.literal("agent.prompted") }),
  /** A terminal agent asks something that only its terminal can answer; null: it doesn't any more. */
  z.object({ type: z.literal("agent.attention"), text: z.string().max(MAX_MESSAGE_CHARS).nullable() }),
  z.object({
    type: z.literal("agent.settings"),
    mode: z.string().nullable(),
    modes: z.array(ModeInfo).max(50),
    model: z.string().nullable(),
    models: z.array(ModeInfo).max(200),
    commands: z.array(z.object({ name: z.string(), description: z.string() })).max(300),
  }),
  z.object({ type: z.literal("agent.title"), title: z.string().max(MAX_TITLE_CHARS) }),
  /** The host's intent is on disk and the bytes are about to be written to the agent: the prompt is `accepted` (P1). */
  z.object({ type: z.literal("turn.started"), turn_id: TurnId, prompt_id: PromptId.nullable() }),
  z.object({
    type: z.literal("turn.ended"),
    turn_id: TurnId,
    outcome: TurnOutcome,
    message: z.string().max(MAX_MESSAGE_CHARS).nullable(),
  }),
  z.object({ type: z.literal("item"), turn_id: TurnId.nullable(), item: Item }),
  z.object({ type: z.literal("approval.asked"), ask: ApprovalAsk }),
  /** The host gave the answer to the agent (`selected`), or the question is over (`cancelled`, `expired`). */
  z.object({
    type: z.literal("approval.settled"),
    request_id: RequestId,
    outcome: z.enum(["selected", "cancelled", "expired"]),
    option_id: z.string().nullable(),
  }),
  z.object({
    type: z.literal("execution.ended"),
    /** What the host knows: `stopped` and `completed` are on order; `failed`: it could not start, or its own error. */
    end_reason: z.enum(["interrupted", "failed", "stopped", "completed", "agent_exit", "superseded", "disposed"]),
    failure: Failure.nullable(),
    exit_code: z.number().int().nullable(),
    signal: z.string().nullable(),
    /** Who died: only what died with its host or machine is recovered by itself (R6). */
    died: z.enum(["agent", "host", "machine", "nobody"]),
    /** `live`: a daemon saw it happen. `scan`: found dead when the daemon (or machine) came back. */
    found: z.enum(["live", "scan"]),
    /** The group is proven gone (R3: no permit before). */
    group_dead: z.literal(true),
  }),
  z.object({
    type: z.literal("notice"),
    level: z.enum(["info", "warning"]),
    code: z.string().max(100),
    text: z.string().max(4_000),
    /** The terminal that it tells of. */
    terminal_id: TerminalId.nullish(),
  }),
]);
export type SpoolEventBody = z.infer<typeof SpoolEventBody>;

export const SpoolEvent = z.object({
  /** From 1, without gaps, also across restarts of the host. */
  seq: z.number().int().positive(),
  at: Millis,
  execution_id: ExecutionId.nullable(),
  body: SpoolEventBody,
});
export type SpoolEvent = z.infer<typeof SpoolEvent>;
