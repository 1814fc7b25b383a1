import { z } from "zod";
import { MAX_PROMPT_BLOCKS, MAX_PROMPT_CHARS } from "../limits.ts";

/** What a prompt is made of. Files are named, not embedded: the agent reads them on its machine. */
export const PromptBlock = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string().min(1).max(MAX_PROMPT_CHARS) }),
  z.object({ type: z.literal("file"), path: z.string().min(1).max(4_096) }),
]);
export const PromptBlocks = z.array(PromptBlock).min(1).max(MAX_PROMPT_BLOCKS);
export type PromptBlocks = z.infer<typeof PromptBlocks>;

/** A prompt's words, as people see them. */
export function promptText(blocks: PromptBlocks): string {
  return blocks.map((b) => (b.type === "text" ? b.text : `@${b.path}`)).join("\n");
}
