import { constants } from "node:fs";
import { type FileHandle, lstat, open, readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { MAX_TITLE_CHARS } from "@reprise/protocol";
import { z } from "zod";
import { MAX_CONVERSATION_FILES, MAX_FOLDER_ENTRIES } from "../../limits.ts";

export interface FoundFile {
  path: string;
  name: string;
  /** When it was last written. */
  at: number;
  size: number;
}

/** Where a folder really is. @returns null when there is none */
export async function realFolder(path: string): Promise<string | null> {
  try {
    const real = await realpath(path);
    return (await lstat(real)).isDirectory() ? real : null;
  } catch {
    // No such folder: the agent has kept nothing here.
    return null;
  }
}

/** The folders of a folder, links left out, by name backwards: those that are named after a time, newest first. */
export async function foldersOf(folder: string): Promise<string[]> {
  const entries = await entriesOf(folder);
  return entries
    .flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
    .sort()
    .reverse();
}

/** The files of a folder whose names match, links left out, newest first. */
export async function filesOf(folder: string, pattern: RegExp): Promise<FoundFile[]> {
  const names = (await entriesOf(folder)).flatMap((entry) =>
    entry.isFile() && pattern.test(entry.name) ? [entry.name] : [],
  );
  const files = await Promise.all(
    names.slice(0, MAX_FOLDER_ENTRIES).map(async (name): Promise<FoundFile[]> => {
      const path = join(folder, name);
      try {
        const { mtimeMs, size } = await lstat(path);
        return [{ path, name, at: Math.round(mtimeMs), size }];
      } catch {
        // Gone since the folder was read.
        return [];
      }
    }),
  );
  return files
    .flat()
    .sort((a, b) => b.at - a.at)
    .slice(0, MAX_CONVERSATION_FILES);
}

async function entriesOf(folder: string) {
  try {
    if (!(await lstat(folder)).isDirectory()) return [];
    return await readdir(folder, { withFileTypes: true });
  } catch {
    // Gone, or not for us: nothing can be shown of it.
    return [];
  }
}

/** The first and the last bytes of a file that is no link; one piece where it is short. */
export async function readEnds(file: FoundFile, bytes: { head: number; tail: number }): Promise<string[]> {
  let handle: FileHandle | null = null;
  try {
    handle = await open(file.path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const { size } = await handle.stat();
    if (size <= bytes.head + bytes.tail) return [await readAt(handle, 0, size)];
    return [await readAt(handle, 0, bytes.head), await readAt(handle, size - bytes.tail, bytes.tail)];
  } catch {
    // Gone, or not for us: it is not offered.
    return [];
  } finally {
    await handle?.close();
  }
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<string> {
  if (length === 0) return "";
  const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(length), position });
  return buffer.toString("utf8", 0, bytesRead);
}

/** The lines of a piece that are JSON; those that the piece cuts aren't. */
export function jsonLines(piece: string): unknown[] {
  return piece.split("\n").flatMap((line): unknown[] => {
    try {
      return line.startsWith("{") ? [JSON.parse(line)] : [];
    } catch {
      // Cut, or half written.
      return [];
    }
  });
}

/** The texts of a message: some agents write one, some a list of parts. */
export const Texts = z
  .union([z.string(), z.array(z.unknown())])
  .transform((content) => (typeof content === "string" ? [content] : content.flatMap(textOf)));

function textOf(part: unknown): string[] {
  const parsed = z.object({ text: z.string() }).safeParse(part);
  return parsed.success ? [parsed.data.text] : [];
}

/** What a person typed: agents put what they add themselves between tags. @returns null when there is nothing of it */
export function typed(texts: readonly string[]): string | null {
  const own = texts.find((text) => text.trim() !== "" && !/^\s*(<|# AGENTS\.md|Caveat:)/.test(text));
  return own === undefined ? null : asTitle(own);
}

/** What a person recognises a conversation by: one line. */
export function asTitle(text: string): string | null {
  const line = text.replace(/\s+/g, " ").trim();
  return line === "" ? null : line.slice(0, MAX_TITLE_CHARS);
}
