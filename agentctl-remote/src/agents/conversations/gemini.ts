import { createHash } from "node:crypto";
import { join } from "node:path";
import { type KeptConversation, MAX_CONVERSATIONS, ResumeId } from "@reprise/protocol";
import { z } from "zod";
import { CONVERSATION_HEAD_BYTES, CONVERSATION_TAIL_BYTES } from "../../limits.ts";
import { type Env, FOLDERS } from "../folders.ts";
import { asTitle, type FoundFile, filesOf, foldersOf, jsonLines, readEnds, realFolder, Texts, typed } from "./files.ts";

const Head = z.object({
  sessionId: ResumeId,
  projectHash: z.string(),
  kind: z.string().optional(),
});
const Prompt = z.object({ type: z.literal("user"), content: Texts });
/** A conversation that goes on in a new file begins with all that was said. */
const Rewritten = z.object({ $set: z.object({ messages: z.array(z.unknown()) }) });
const Summary = z.object({ $set: z.object({ summary: z.string() }) });

/** The conversations that Gemini CLI has kept of a folder, newest first (its files as of 0.61). @param cwd a real path */
export async function geminiConversations(cwd: string, env: Env): Promise<KeptConversation[]> {
  const all = await realFolder(join(FOLDERS.gemini(env), "tmp"));
  if (all === null) return [];
  // Its folders' names are short ones that it made up; each file says by a hash whose it is.
  const hash = createHash("sha256").update(cwd).digest("hex");
  const kept = new Map<string, KeptConversation>();
  for (const folder of await foldersOf(all)) {
    for (const file of await filesOf(join(all, folder, "chats"), /^session-.*\.jsonl$/)) {
      const one = await conversationIn(file, hash);
      if (one === "other") break;
      // A conversation that is resumed goes on in another file.
      if (one !== null && (kept.get(one.id)?.updated_at ?? 0) < file.at) kept.set(one.id, one);
      if (kept.size === MAX_CONVERSATIONS) break;
    }
  }
  return [...kept.values()].sort((a, b) => (b.updated_at ?? 0) - (a.updated_at ?? 0));
}

/** @returns "other": of another folder, and so are all beside it; null: nothing was said in it */
async function conversationIn(file: FoundFile, hash: string): Promise<KeptConversation | "other" | null> {
  const pieces = await readEnds(file, { head: CONVERSATION_HEAD_BYTES, tail: CONVERSATION_TAIL_BYTES });
  const lines = pieces.flatMap(jsonLines);
  const head = Head.safeParse(lines[0]);
  if (!head.success) return null;
  if (head.data.projectHash !== hash) return "other";
  const said = lines.flatMap((line) => Rewritten.safeParse(line).data?.$set.messages ?? [line]);
  const prompts = said.flatMap((line) => typed(Prompt.safeParse(line).data?.content ?? []) ?? []);
  const summary = lines.map((line) => Summary.safeParse(line)).findLast((one) => one.success)?.data?.$set.summary;
  const [prompt] = prompts;
  if (prompt === undefined || head.data.kind === "subagent") return null;
  return { id: head.data.sessionId, title: asTitle(summary ?? "") ?? prompt, updated_at: file.at };
}
