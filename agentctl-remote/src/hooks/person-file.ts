import { createHash } from "node:crypto";
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { MAX_SETTINGS_BYTES } from "../limits.ts";

/** A person's own file that we change. What can't be done is said as the sentence that people read. */
export class FileProblem extends Error {}

export interface PersonFile {
  /** Where it really lies: a link to it stays a link. */
  real: string;
  /** null: it isn't there. */
  text: string | null;
}

/** @throws FileProblem when it is there and can't be read as text */
export function readPersonFile(path: string): PersonFile {
  const link = lstatSync(path, { throwIfNoEntry: false });
  if (!link) return { real: path, text: null };
  try {
    const real = realpathSync(path);
    const stats = statSync(real);
    if (!stats.isFile()) throw new FileProblem(`${path} isn't a file.`);
    if (stats.size > MAX_SETTINGS_BYTES) throw new FileProblem(`${path} is too large.`);
    return { real, text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(real)) };
  } catch (error) {
    throw error instanceof FileProblem ? error : new FileProblem(`${path} can't be read: ${wordsOf(error)}`);
  }
}

/**
 * Write a person's file whole or not at all, with its mode and owner.
 * @param before what was read: a file that changed meanwhile stays as it is
 * @returns the outermost folder that had to be made for it
 */
export function replacePersonFile(path: string, before: PersonFile, text: string): string | null {
  const { real } = before;
  const temp = join(dirname(real), `.${basename(real)}.${process.pid}.tmp`);
  try {
    const folder = mkdirSync(dirname(real), { recursive: true, mode: 0o700 }) ?? null;
    const stats = before.text === null ? null : statSync(real);
    writeFileSync(temp, text, { mode: 0o600, flag: "wx", flush: true });
    if (stats) {
      if (stats.uid !== process.getuid?.() || stats.gid !== process.getgid?.()) chownSync(temp, stats.uid, stats.gid);
      chmodSync(temp, stats.mode & 0o7777);
    }
    if (readPersonFile(path).text !== before.text) throw new FileProblem(`${path} was changed at the same moment.`);
    renameSync(temp, real);
    return folder;
  } catch (error) {
    rmSync(temp, { force: true });
    throw error instanceof FileProblem ? error : new FileProblem(`${path} can't be written: ${wordsOf(error)}`);
  }
}

/** Remove a file that we had made, and the folders that we had made for it, as far as they are empty. */
export function removePersonFile(path: string, outermost: string | null): void {
  try {
    rmSync(path);
  } catch (error) {
    throw new FileProblem(`${path} can't be removed: ${wordsOf(error)}`);
  }
  if (outermost === null) return;
  for (let folder = dirname(path); isWithin(folder, outermost); folder = dirname(folder)) {
    try {
      rmdirSync(folder);
    } catch {
      // Somebody keeps something in it: it stays.
      return;
    }
  }
}

function isWithin(folder: string, outermost: string): boolean {
  return folder === outermost || folder.startsWith(`${outermost}${sep}`);
}

export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
