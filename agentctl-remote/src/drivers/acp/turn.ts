import type { RequestError } from "@agentclientprotocol/sdk";
import { MAX_MESSAGE_CHARS, type TurnOutcome } from "@reprise/protocol";
import { z } from "zod";
import { cut } from "./content.ts";
import { wordsOf } from "./failure.ts";

const PromptAnswer = z.object({
  stopReason: z.enum(["end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled"]),
});

/** How a turn ended, by the agent's answer to the prompt. */
export function turnOutcome(answer: { result: unknown } | { error: RequestError }): {
  outcome: TurnOutcome;
  message: string | null;
} {
  if ("error" in answer) return { outcome: "failed", message: cut(wordsOf(answer.error), MAX_MESSAGE_CHARS) };
  const parsed = PromptAnswer.safeParse(answer.result);
  if (!parsed.success) return { outcome: "failed", message: "The agent ended its turn without saying how." };
  switch (parsed.data.stopReason) {
    case "end_turn":
      return { outcome: "done", message: null };
    case "cancelled":
      return { outcome: "cancelled", message: null };
    case "max_tokens":
      return { outcome: "failed", message: "The answer grew longer than the model allows, so it is cut." };
    case "max_turn_requests":
      return { outcome: "failed", message: "The agent made as many requests as one turn may have, and stopped." };
    case "refusal":
      return { outcome: "failed", message: "The agent refused to go on with this." };
  }
}
