import { z } from "zod";
import { AgentsWords, ConversationId } from "./hook-fields.ts";
import type { Said } from "./said.ts";

/** What our own plugin says (hooks/opencode-plugin.ts), which knows main conversations from subagents'. */
const Report = z.discriminatedUnion("type", [
  z.object({ type: z.literal("conversation"), id: ConversationId }),
  z.object({ type: z.literal("prompted"), id: ConversationId }),
  z.object({
    type: z.literal("turn_over"),
    id: ConversationId,
    outcome: z.enum(["done", "failed"]),
    message: AgentsWords.nullable(),
  }),
  z.object({ type: z.literal("idle"), id: ConversationId }),
  z.object({ type: z.literal("asks"), id: ConversationId, text: AgentsWords }),
]);

/** @returns null: not understood */
export function saidByOpencode(payload: unknown): Said | null {
  const report = Report.safeParse(payload);
  return report.success ? report.data : null;
}
