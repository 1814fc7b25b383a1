import { closeSync, fstatSync, openSync, readdirSync, readlinkSync, readSync } from "node:fs";
import { z } from "zod";
import { MAX_ROLLOUT_HEAD_BYTES } from "../../limits.ts";

/** Codex names a conversation's file after it. */
const ROLLOUT = /\/rollout-[^/]*-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$/;

/** The first line of it. A subagent's says whose it is, instead of a word. */
const Meta = z.object({ type: z.literal("session_meta"), payload: z.object({ source: z.string().optional() }) });

/**
 * The conversation that these processes hold open, where an agent of that kind keeps it in a file: no other process's,
 * however near it runs (C15). Only Linux tells; and only Codex, which asks its person before it runs hooks.
 * @param pids of a process tree, from above: what an agent starts itself, another Codex perhaps, comes after it
 * @returns null while there is none
 */
export function findToken(agentKind: string, pids: readonly number[]): string | null {
  if (agentKind !== "codex" || process.platform !== "linux") return null;
  for (const pid of pids) {
    const paths = openFiles(pid).filter((path) => ROLLOUT.test(path));
    const conversations = [...new Set(paths)].map(conversationIn).filter((one) => one !== null);
    // It keeps those open that its person has left by `/new`. The present one was written last.
    const present = conversations.sort((a, b) => b.written - a.written)[0];
    if (present) return present.id;
  }
  return null;
}

function openFiles(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  try {
    return readdirSync(folder).flatMap((name) => {
      try {
        return [readlinkSync(`${folder}/${name}`)];
      } catch {
        // Closed since.
        return [];
      }
    });
  } catch {
    // Gone, or not ours.
    return [];
  }
}

/** @returns null for a subagent's, and for what isn't written yet */
function conversationIn(path: string): { id: string; written: number } | null {
  const id = ROLLOUT.exec(path)?.[1];
  let file: number | null = null;
  try {
    file = openSync(path, "r");
    const head = Buffer.alloc(MAX_ROLLOUT_HEAD_BYTES);
    const [line = ""] = head.toString("utf8", 0, readSync(file, head)).split("\n");
    const meta = Meta.safeParse(JSON.parse(line));
    return id !== undefined && meta.success ? { id, written: fstatSync(file).mtimeMs } : null;
  } catch {
    // Removed, or its first line is being written: it is looked for again.
    return null;
  } finally {
    if (file !== null) closeSync(file);
  }
}
