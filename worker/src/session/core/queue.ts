import type { PromptBlocks } from "@reprise/protocol";
import type { Result } from "../../result.ts";
import { type Draft, OK, refuse } from "./draft.ts";
import { claimAgain } from "./launch.ts";
import { dropPrompt } from "./prompts.ts";
import type { SessionCore } from "./state.ts";

/** P2: a prompt that waits can be changed. */
export function editPrompt(d: Draft, prompt: { prompt_id: string; blocks: PromptBlocks }): Result {
  const found = d.s.prompts.find((p) => p.prompt_id === prompt.prompt_id);
  if (!found) return refuse("prompt_not_found");
  if (found.state !== "queued" || isWithHost(d.s, found.prompt_id)) return refuse("prompt_not_queued");
  const { prompt_id, blocks } = prompt;
  d.effects.push({ type: "row.prompt", prompt_id, state: "queued", note: found.note, blocks });
  if (isOrdered(d.s, prompt_id)) claimAgain(d);
  return OK;
}

/** Takes a waiting prompt out of the queue, or discards one whose fate is unknown. */
export function removePrompt(d: Draft, prompt_id: string): Result {
  const found = d.s.prompts.find((p) => p.prompt_id === prompt_id);
  if (!found) return refuse("prompt_not_found");
  if (found.state !== "queued" && found.state !== "indeterminate") return refuse("prompt_not_queued");
  if (isWithHost(d.s, prompt_id)) return refuse("prompt_not_queued");
  const ordered = isOrdered(d.s, prompt_id);
  dropPrompt(d, prompt_id);
  if (ordered) claimAgain(d);
  return OK;
}

/** Its words are in a launch that is ordered, and may have reached the machine: they change with another order. */
function isOrdered({ execution }: SessionCore, prompt_id: string): boolean {
  return execution?.phase === "claimed" && execution.launch_prompt?.prompt_id === prompt_id;
}

/** The host may start the agent with it at any moment. */
function isWithHost({ execution }: SessionCore, prompt_id: string): boolean {
  return execution !== null && execution.phase !== "claimed" && execution.launch_prompt?.prompt_id === prompt_id;
}
