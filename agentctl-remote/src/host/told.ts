import { ApprovalAsk, Item, MAX_EVENT_BYTES, SpoolEventBody } from "@reprise/protocol";
import type { AgentEvent } from "./core/types.ts";

const Asked = ApprovalAsk.omit({ turn_id: true });

/** These become events of the core's own making. */
const OF_THE_CORE: ReadonlySet<AgentEvent["type"]> = new Set([
  "failed",
  "exited",
  "ended",
  "dead",
  "turn.begun",
  "turn.over",
]);

/** What is wrong with it, in words; null when it may become an event. */
function flaw(told: AgentEvent): string | null {
  if (OF_THE_CORE.has(told.type)) return null;
  if (Buffer.byteLength(JSON.stringify(told)) > MAX_EVENT_BYTES - 1_000) return "it is too large";
  const parsed =
    told.type === "item"
      ? Item.safeParse(told.item)
      : told.type === "asked"
        ? Asked.safeParse(told.ask)
        : SpoolEventBody.safeParse(told);
  const issue = parsed.error?.issues[0];
  return issue ? `${issue.path.map(String).join(".")}: ${issue.message}` : null;
}

/**
 * S6: whatever an agent sends, it can't break its host. What doesn't fit an event becomes a notice; a question that
 * nobody can be shown has to be dismissed by the caller.
 */
export function checked(told: AgentEvent): { told: AgentEvent; dismiss: string | null } {
  const problem = flaw(told);
  if (problem === null) return { told, dismiss: null };
  const text = `Something that the agent sent (${told.type}) can't be shown: ${problem}.`.slice(0, 4_000);
  return {
    told: { type: "notice", level: "warning", code: "unreadable", text },
    dismiss: told.type === "asked" ? told.ask.request_id : null,
  };
}
