import { stat } from "node:fs/promises";
import type { NodeAnswer } from "@reprise/protocol";
import { GIT_LIMIT_MS } from "../limits.ts";
import { git } from "./git.ts";
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
  const root = await git(path, ["rev-parse", "--show-toplevel"], GIT_LIMIT_MS);
  if (!root.ok || root.stdout.trim() === "") return null;
  const [branch, status] = await Promise.all([
    git(path, ["symbolic-ref", "--short", "-q", "HEAD"], GIT_LIMIT_MS),
    git(path, ["status", "--porcelain", "--untracked-files=normal"], GIT_LIMIT_MS),
  ]);
  return {
    root: root.stdout.trim(),
    branch: branch.ok ? branch.stdout.trim() || null : null,
    // What can't be told within the limit counts as changed: nobody throws away what may be work.
    dirty: !status.ok || status.stdout.trim() !== "",
  };
}
