import { Command } from "@reprise/protocol";
import { z } from "zod";

/** What the session owes to other objects. Each is safe to tell twice; `key` names the debt. */
export const OutboxItem = z.discriminatedUnion("type", [
  z.object({ key: z.string(), type: z.literal("enqueue"), command: Command }),
  z.object({ key: z.string(), type: z.literal("dequeue"), command_id: z.string() }),
  z.object({ key: z.string(), type: z.literal("claim_token"), execution_id: z.string(), token: z.string() }),
  z.object({ key: z.string(), type: z.literal("want"), reason: z.enum(["prompt", "answer", "fetch"]) }),
  /** The machine is away, and somebody wants it called now (N7). */
  z.object({ key: z.string(), type: z.literal("call_node") }),
  z.object({ key: z.string(), type: z.literal("forget") }),
]);
export type OutboxItem = z.infer<typeof OutboxItem>;

export type OutboxResult =
  | { type: "enqueue"; seq: number }
  | { type: "dequeue" }
  | { type: "claim_token"; granted: boolean }
  | { type: "want" }
  | { type: "call_node" }
  | { type: "forget" };
