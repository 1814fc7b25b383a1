import { opendir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { MAX_COMPLETIONS, MAX_FOLDER_ENTRIES } from "../limits.ts";
import { isFolder } from "./inspect.ts";
import { allowedPath, expandHome, type Roots } from "./roots.ts";

/** Folders that complete a typed path: visible ones first, then hidden, each by name; only where sessions may work. */
export async function completePath(prefix: string, roots: Roots): Promise<string[]> {
  const typed = prefix === "" ? `${roots.home}/` : expandHome(prefix === "~" ? "~/" : prefix, roots.home);
  if (!typed.startsWith("/") || typed.includes("\0")) return [];
  const folder = typed.endsWith("/") ? typed : dirname(typed);
  const start = typed.endsWith("/") ? "" : basename(typed).toLowerCase();
  const names = await folderNames(folder, start);
  names.sort(byHiddenThenName);
  const found: string[] = [];
  for (const name of names) {
    if (found.length >= MAX_COMPLETIONS) break;
    const path = join(folder, name);
    if (await leadsToRoot(path, roots)) found.push(path);
  }
  return found;
}

/** A folder is offered when it is allowed, or lies on the way to what is. */
async function leadsToRoot(path: string, roots: Roots): Promise<boolean> {
  if ((await allowedPath(path, roots)) !== null) return true;
  return roots.allowed.some((root) => root.startsWith(`${path}/`));
}

async function folderNames(folder: string, start: string): Promise<string[]> {
  const names: string[] = [];
  try {
    const dir = await opendir(folder);
    let seen = 0;
    for await (const entry of dir) {
      if (++seen > MAX_FOLDER_ENTRIES) break;
      if (!entry.name.toLowerCase().startsWith(start)) continue;
      const link = entry.isSymbolicLink();
      if (entry.isDirectory() || (link && (await isFolder(join(folder, entry.name))))) names.push(entry.name);
    }
  } catch {
    // No such folder, or not ours to read: nothing completes it.
    return [];
  }
  return names;
}

function byHiddenThenName(a: string, b: string): number {
  const hidden = Number(a.startsWith(".")) - Number(b.startsWith("."));
  return hidden !== 0 ? hidden : a.localeCompare(b);
}
