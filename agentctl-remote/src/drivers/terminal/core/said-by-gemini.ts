import { z } from "zod";
import { AgentsWords, ConversationId, EndReason } from "./hook-fields.ts";
import type { Said } from "./said.ts";

/** Gemini CLI's hooks (checked with 0.61). Its subagents run none of these. */
const Hook = z.discriminatedUnion("hook_event_name", [
  z.object({ hook_event_name: z.literal("SessionStart"), session_id: ConversationId }),
  z.object({ hook_event_name: z.literal("BeforeAgent"), session_id: ConversationId }),
  z.object({ hook_event_name: z.literal("AfterAgent"), session_id: ConversationId }),
  z.object({
    hook_event_name: z.literal("Notification"),
    session_id: ConversationId,
    notification_type: z.literal("ToolPermission"),
    message: AgentsWords,
  }),
  z.object({ hook_event_name: z.literal("SessionEnd"), session_id: ConversationId, reason: EndReason }),
]);

/** @returns null: not for us, or not understood */
export function saidByGemini(payload: unknown): Said | null {
  const hook = Hook.safeParse(payload);
  if (!hook.success) return null;
  const { session_id: id } = hook.data;
  switch (hook.data.hook_event_name) {
    case "SessionStart":
      return { type: "conversation", id };
    case "BeforeAgent":
      return { type: "prompted", id };
    case "AfterAgent":
      return { type: "turn_over", id, outcome: "done", message: null };
    case "Notification":
      return { type: "asks", id, text: hook.data.message };
    case "SessionEnd":
      // It goes on with a new conversation after `/clear`. All its other ends are "exit", also when a signal ends it.
      return hook.data.reason === "clear" ? null : { type: "goodbye", id, reason: hook.data.reason, explicit: false };
    default:
      return hook.data satisfies never;
  }
}
