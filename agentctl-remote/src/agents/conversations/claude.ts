import { join } from "node:path";
import { type KeptConversation, MAX_CONVERSATIONS } from "@reprise/protocol";
import { z } from "zod";
import { CONVERSATION_HEAD_BYTES, CONVERSATION_TAIL_BYTES } from "../../limits.ts";
import { type Env, FOLDERS } from "../folders.ts";
import { asTitle, type FoundFile, filesOf, foldersOf, jsonLines, readEnds, realFolder, Texts, typed } from "./files.ts";

/** A folder's name there: longer ones are cut, and get a hash behind. */
const MAX_SLUG_CHARS = 200;

const Line = z.object({
  type: z.string(),
  cwd: z.string().optional(),
  isSidechain: z.boolean().optional(),
  isMeta: z.boolean().optional(),
  message: z.object({ content: Texts }).optional(),
  customTitle: z.string().optional(),
  aiTitle: z.string().optional(),
  summary: z.string().optional(),
});
type Line = z.infer<typeof Line>;

/** The conversations that Claude Code has kept of a folder, newest first (its files as of 2.1). @param cwd a real path */
export async function claudeConversations(cwd: string, env: Env): Promise<KeptConversation[]> {
  const projects = await realFolder(join(FOLDERS.claude(env), "projects"));
  if (projects === null) return [];
  const slug = cwd.normalize("NFC").replace(/[^a-zA-Z0-9]/g, "-");
  const cut = slug.slice(0, MAX_SLUG_CHARS);
  const isIts = (name: string) => name === slug || (slug.length > MAX_SLUG_CHARS && name.startsWith(cut));
  const folders = (await foldersOf(projects)).filter(isIts);
  const files = await Promise.all(folders.map((name) => filesOf(join(projects, name), /^\w[\w-]*\.jsonl$/)));
  const kept: KeptConversation[] = [];
  for (const file of files.flat()) {
    if (kept.length === MAX_CONVERSATIONS) break;
    const one = await conversationIn(file, cwd);
    if (one) kept.push(one);
  }
  return kept;
}

async function conversationIn(file: FoundFile, cwd: string): Promise<KeptConversation | null> {
  const pieces = await readEnds(file, { head: CONVERSATION_HEAD_BYTES, tail: CONVERSATION_TAIL_BYTES });
  const lines = pieces.flatMap(jsonLines).flatMap((line): Line[] => {
    const parsed = Line.safeParse(line);
    return parsed.success ? [parsed.data] : [];
  });
  // Folders whose names differ only in signs have the same name there; and subagents' files may lie beside.
  const first = lines.find((line) => line.cwd !== undefined);
  if (first?.cwd !== cwd || first.isSidechain) return null;
  const prompts = lines.filter((line) => line.type === "user" && !line.isMeta && !line.isSidechain);
  const prompt = prompts.map((line) => typed(line.message?.content ?? [])).find((text) => text !== null) ?? null;
  const given = last(lines, "customTitle") ?? last(lines, "aiTitle") ?? last(lines, "summary");
  const title = asTitle(given ?? "") ?? prompt;
  return title === null ? null : { id: file.name.replace(/\.jsonl$/, ""), title, updated_at: file.at };
}

function last(lines: readonly Line[], field: "customTitle" | "aiTitle" | "summary"): string | undefined {
  return lines.findLast((line) => line[field])?.[field];
}
