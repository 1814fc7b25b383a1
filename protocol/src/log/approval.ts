import { z } from "zod";
import { ExecutionId, RequestId, TurnId } from "../ids.ts";
import { MAX_OPTIONS, MAX_TOOL_BLOCKS } from "../limits.ts";
import { ApprovalState } from "../states.ts";
import { ToolContent } from "./item.ts";

export const ApprovalOption = z.object({
  option_id: z.string().min(1).max(200),
  name: z.string().max(500),
  kind: z.enum(["allow_once", "allow_always", "reject_once", "reject_always"]),
});

/** An approval as it is asked (P3): bound to its execution, its request and what was offered. */
export const ApprovalAsk = z.object({
  request_id: RequestId,
  turn_id: TurnId.nullable(),
  tool_call_id: z.string().nullable(),
  title: z.string().max(1_000),
  options: z.array(ApprovalOption).max(MAX_OPTIONS),
  content: z.array(ToolContent).max(MAX_TOOL_BLOCKS),
  input: z.string().nullable(),
});
export type ApprovalAsk = z.infer<typeof ApprovalAsk>;

export const Approval = ApprovalAsk.extend({
  execution_id: ExecutionId,
  state: ApprovalState,
  /** The chosen option while `answering` or `answered`. */
  option_id: z.string().nullable(),
  asked_at: z.number(),
  settled_at: z.number().nullable(),
});
export type Approval = z.infer<typeof Approval>;
