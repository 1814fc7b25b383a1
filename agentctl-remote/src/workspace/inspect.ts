import { stat } from "node:fs/promises";
import type { NodeAnswer } from "@reprise/protocol";
import { look } from "./look.ts";
import { allowedPath, expandHome, type Roots } from "./roots.ts";

type Inspection = Extract<NodeAnswer, { op: "inspect_path" }>;

/** Is it a folder? A path that can't be read is none. */
export async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    // Not there, or not for us: both mean that nobody can work there.
    return false;
  }
}

/** What a folder is: does it exist, may sessions work there, is it a git checkout. Says nothing of what isn't allowed. */
export async function inspectPath(path: string, roots: Roots): Promise<Inspection> {
  const shown = expandHome(path, roots.home);
  const real = await allowedPath(path, roots);
  if (real === null) return { op: "inspect_path", path: shown, exists: false, allowed: false, git: null };
  const exists = await isFolder(real);
  return { op: "inspect_path", path: shown, exists, allowed: true, git: exists ? await gitOf(real) : null };
}

async function gitOf(path: string): Promise<Inspection["git"]> {
  const root = await look(path, "rev-parse", "--show-toplevel");
  if (!root.ok || root.stdout.trim() === "") return null;
  const [branch, status] = await Promise.all([
    look(path, "symbolic-ref", "--short", "-q", "HEAD"),
    look(path, "status", "--porcelain", "--untracked-files=normal", "--ignore-submodules=dirty"),
  ]);
  return {
    root: root.stdout.trim(),
    branch: branch.ok ? branch.stdout.trim() || null : null,
    // What can't be told within the limit counts as changed: nobody throws away what may be work.
    dirty: !status.ok || status.stdout.trim() !== "",
  };
}
