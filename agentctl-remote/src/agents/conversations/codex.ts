import { join } from "node:path";
import { type KeptConversation, MAX_CONVERSATIONS } from "@reprise/protocol";
import { z } from "zod";
import {
  CONVERSATION_HEAD_BYTES,
  CONVERSATION_PEEK_BYTES,
  CONVERSATION_TAIL_BYTES,
  MAX_CONVERSATION_FILES,
} from "../../limits.ts";
import { type Env, FOLDERS } from "../folders.ts";
import { asTitle, type FoundFile, filesOf, foldersOf, jsonLines, readEnds, realFolder, Texts, typed } from "./files.ts";

const ROLLOUT = /^rollout-.*-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$/;
const Prompt = z.object({
  type: z.literal("response_item"),
  payload: z.object({ type: z.literal("message"), role: z.literal("user"), content: Texts }),
});
const Begun = z.object({ cwd: z.string() });
const Named = z.object({ id: z.string(), thread_name: z.string() });

/** The conversations that Codex has kept of a folder, newest first (its files as of 0.166). @param cwd a real path */
export async function codexConversations(cwd: string, env: Env): Promise<KeptConversation[]> {
  const home = await realFolder(FOLDERS.codex(env));
  if (home === null) return [];
  const names = await namesIn(home);
  const kept: KeptConversation[] = [];
  let looked = 0;
  for await (const file of newestDays(await realFolder(join(home, "sessions")))) {
    if (kept.length === MAX_CONVERSATIONS || looked++ === MAX_CONVERSATION_FILES) break;
    const id = ROLLOUT.exec(file.name)?.[1];
    if (id === undefined || !(await isMainOf(file, cwd))) continue;
    kept.push({ id, title: asTitle(names.get(id) ?? "") ?? (await firstPrompt(file)), updated_at: file.at });
  }
  return kept.sort((a, b) => (b.updated_at ?? 0) - (a.updated_at ?? 0));
}

/** By the day on which they began: `sessions/2026/11/30/`. */
async function* newestDays(sessions: string | null): AsyncGenerator<FoundFile> {
  if (sessions === null) return;
  for (const year of await foldersOf(sessions))
    for (const month of await foldersOf(join(sessions, year)))
      for (const day of await foldersOf(join(sessions, year, month)))
        yield* await filesOf(join(sessions, year, month, day), ROLLOUT);
}

/** Its first line says the folder at its begin, and at its end what may be longer than all that is read here. */
async function isMainOf(file: FoundFile, cwd: string): Promise<boolean> {
  const [piece = ""] = await readEnds(file, { head: CONVERSATION_PEEK_BYTES, tail: 0 });
  const line = piece.split("\n", 1)[0] ?? "";
  const folder = /"cwd":("(?:[^"\\]|\\.)*")/.exec(line)?.[1];
  // A subagent's says there whose it is.
  const [said] = folder === undefined ? [] : jsonLines(`{"cwd":${folder}}`);
  return Begun.safeParse(said).data?.cwd === cwd && !/"source":\s*\{/.test(line);
}

async function firstPrompt(file: FoundFile): Promise<string | null> {
  const [piece = ""] = await readEnds(file, { head: CONVERSATION_HEAD_BYTES, tail: 0 });
  for (const line of jsonLines(piece)) {
    const prompt = Prompt.safeParse(line);
    const text = prompt.success ? typed(prompt.data.payload.content) : null;
    if (text !== null) return text;
  }
  return null;
}

/** What it calls its conversations, the newest last. */
async function namesIn(home: string): Promise<Map<string, string>> {
  const index = (await filesOf(home, /^session_index\.jsonl$/))[0];
  const pieces = index ? await readEnds(index, { head: 0, tail: CONVERSATION_TAIL_BYTES }) : [];
  const names = pieces.flatMap(jsonLines).flatMap((line): [string, string][] => {
    const named = Named.safeParse(line);
    return named.success ? [[named.data.id, named.data.thread_name]] : [];
  });
  return new Map(names);
}
