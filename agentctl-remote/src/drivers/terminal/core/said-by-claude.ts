import { z } from "zod";
import { AgentsWords, ConversationId, EndReason } from "./hook-fields.ts";
import type { Said } from "./said.ts";

/** Its hooks' JSON (checked with 2.1). What isn't named here may be as it likes. */
const Hook = z.discriminatedUnion("hook_event_name", [
  z.object({ hook_event_name: z.literal("SessionStart"), source: z.string() }),
  z.object({ hook_event_name: z.literal("UserPromptSubmit"), source: z.string().optional() }),
  z.object({ hook_event_name: z.literal("Stop") }),
  z.object({
    hook_event_name: z.literal("Notification"),
    message: AgentsWords,
    // Versions before 2.1 have only the message.
    notification_type: z.string().optional(),
  }),
  z.object({ hook_event_name: z.literal("SessionEnd"), reason: EndReason }),
]);

/** A subagent's hooks carry its id beside the main conversation's. */
const Speaker = z.object({ session_id: ConversationId, agent_id: z.string().nullish() });

/** It goes on in the same process, with another conversation that it tells right after. */
const GOES_ON = new Set(["clear", "resume"]);
/** Only its person can say these. */
const EXPLICIT = new Set(["prompt_input_exit", "logout", "exit"]);
/** A worker of its team asks in its terminal, too. */
const ASKING = new Set([
  "permission_prompt",
  "worker_permission_prompt",
  "elicitation_dialog",
  "elicitation_url_dialog",
]);

/**
 * A turn that its person interrupts is told by no hook: only its next one begins. (Its terminal's title shows it: it
 * begins with a star as long as Claude Code waits.)
 * @returns null: a subagent's, not for us, or not understood
 */
export function saidByClaude(payload: unknown): Said | null {
  const speaker = Speaker.safeParse(payload);
  const hook = Hook.safeParse(payload);
  if (!speaker.success || !hook.success || speaker.data.agent_id) return null;
  const id = speaker.data.session_id;
  switch (hook.data.hook_event_name) {
    case "SessionStart":
      // Compacting changes nothing of who is there; it is told in the middle of a turn.
      return { type: "conversation", id };
    case "UserPromptSubmit":
      // Asked when an event is put into its queue; the turn is told by a second call.
      return hook.data.source === "poll_event" ? null : { type: "prompted", id };
    case "Stop":
      return { type: "turn_over", id, outcome: "done", message: null };
    case "Notification":
      return noticed(id, hook.data.notification_type, hook.data.message);
    case "SessionEnd":
      return ended(id, hook.data.reason);
    default:
      return hook.data satisfies never;
  }
}

function noticed(id: string, type: string | undefined, text: string): Said | null {
  const kind = type ?? kindOf(text);
  if (kind === "idle_prompt") return { type: "idle", id };
  return ASKING.has(kind) ? { type: "asks", id, text } : null;
}

function kindOf(message: string): string {
  if (/waiting for your input/i.test(message)) return "idle_prompt";
  return /permission|approv/i.test(message) ? "permission_prompt" : "other";
}

function ended(id: string, reason: string): Said | null {
  if (GOES_ON.has(reason)) return null;
  return { type: "goodbye", id, reason, explicit: EXPLICIT.has(reason) };
}
