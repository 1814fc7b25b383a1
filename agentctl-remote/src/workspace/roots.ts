import { realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";

/** Which folders sessions may work in (S4). */
export interface Roots {
  /** Absolute; empty means: whatever the user may read. */
  allowed: readonly string[];
  home: string;
}

/** @param given `--root` options; none means everything the user may read */
export function rootsOf(given: readonly string[], home: string = homedir()): Roots {
  return { allowed: given.map((path) => resolve(expandHome(path, home))), home };
}

/** `~` and `~/x` are the node's home. */
export function expandHome(path: string, home: string): string {
  if (path === "~") return home;
  return path.startsWith("~/") ? `${home}/${path.slice(2)}` : path;
}

/**
 * Where a path really leads, symlinks resolved, also of a path whose last parts don't exist yet.
 * @returns null when the path isn't absolute or can't be read
 */
export async function realPathOf(path: string, home: string): Promise<string | null> {
  const full = expandHome(path, home);
  if (!isAbsolute(full) || full.includes("\0")) return null;
  let present = resolve(full);
  const missing: string[] = [];
  for (;;) {
    try {
      return join(await realpath(present), ...missing);
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : null;
      if (code !== "ENOENT" || dirname(present) === present) return null;
      missing.unshift(basename(present));
      present = dirname(present);
    }
  }
}

/** Is it that folder, or below it? Both absolute, symlinks resolved. */
export function within(path: string, root: string): boolean {
  const rest = relative(root, path);
  return rest === "" || (rest !== ".." && !rest.startsWith("../") && !isAbsolute(rest));
}

/** @returns the real path when a session may work there, else null (S4: symlinks are resolved before the check) */
export async function allowedPath(path: string, roots: Roots): Promise<string | null> {
  const real = await realPathOf(path, roots.home);
  if (real === null) return null;
  if (roots.allowed.length === 0) return real;
  for (const root of roots.allowed) {
    const realRoot = await realPathOf(root, roots.home);
    if (realRoot !== null && within(real, realRoot)) return real;
  }
  return null;
}
