import type { Dirent } from "node:fs";
import { type FileHandle, lstat, open, opendir, realpath, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { type FileEntry, type FilesAnswer, MAX_FILE_CHARS, MAX_FOLDER_ENTRIES } from "@reprise/protocol";
import { innerPath, workspaceRoot } from "./inner.ts";
import { WorkspaceProblem } from "./problem.ts";
import { type Roots, within } from "./roots.ts";

/** A folder of a workspace, one level, or one of its files. @throws WorkspaceProblem */
export async function readWorkspaceFiles(workspace: string, path: string, roots: Roots): Promise<FilesAnswer> {
  const root = await workspaceRoot(workspace, roots);
  const real = await innerPath(root, path);
  const shown = relative(root, join(root, path));
  const found = await stat(real);
  if (found.isDirectory()) return { kind: "folder", path: shown, ...(await listFolder(real, root)) };
  // A pipe or a device would be waited for without end.
  if (!found.isFile()) throw new WorkspaceProblem("file_not_found", `${path} is neither a file nor a folder.`);
  const file = await open(real, "r");
  try {
    const { text, truncated } = await readText(file, found.size);
    return { kind: "file", path: shown, size: found.size, modified_at: Math.floor(found.mtimeMs), text, truncated };
  } finally {
    await file.close();
  }
}

async function listFolder(folder: string, root: string): Promise<{ entries: FileEntry[]; truncated: boolean }> {
  const found: Dirent[] = [];
  let truncated = false;
  for await (const entry of await opendir(folder)) {
    if (found.length === MAX_FOLDER_ENTRIES) {
      truncated = true;
      break;
    }
    found.push(entry);
  }
  const entries = await Promise.all(found.map((entry) => describe(folder, entry, root)));
  entries.sort((a, b) => Number(b.kind === "folder") - Number(a.kind === "folder") || a.name.localeCompare(b.name));
  return { entries, truncated };
}

async function describe(folder: string, { name }: Dirent, root: string): Promise<FileEntry> {
  const path = join(folder, name);
  const nothing: FileEntry = { name, kind: "other", link: false, size: null, modified_at: null };
  try {
    const self = await lstat(path);
    const link = self.isSymbolicLink();
    if (link && !within(await realpath(path), root)) return { ...nothing, link };
    const target = link ? await stat(path) : self;
    const modified_at = Math.floor(target.mtimeMs);
    if (target.isDirectory()) return { ...nothing, kind: "folder", link, modified_at };
    return target.isFile() ? { name, kind: "file", link, size: target.size, modified_at } : { ...nothing, link };
  } catch {
    // Gone since it was listed, or a link to nowhere: it is there by name alone.
    return nothing;
  }
}

/** Bytes in which a NUL tells that a file isn't text, as git does it. */
const SNIFF_BYTES = 8_000;

async function readText(file: FileHandle, size: number): Promise<{ text: string | null; truncated: boolean }> {
  const buffer = Buffer.alloc(Math.min(size, MAX_FILE_CHARS));
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  const bytes = buffer.subarray(0, length);
  if (bytes.subarray(0, SNIFF_BYTES).includes(0)) return { text: null, truncated: false };
  // Streaming: a character that the cut went through is left out, not spoilt.
  const text = new TextDecoder().decode(bytes, { stream: true });
  return isText(text) ? { text, truncated: size > length } : { text: null, truncated: false };
}

/** Mostly what can be read: control characters and broken ones would also outgrow a frame in JSON. */
function isText(text: string): boolean {
  let odd = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0xfffd || (code < 32 && code !== 9 && code !== 10 && code !== 12 && code !== 13)) odd++;
  }
  return odd <= text.length / 20;
}
