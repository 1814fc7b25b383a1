import type { Failure, WorkspaceSpec } from "@reprise/protocol";
import { GIT_LIMIT_MS, GIT_WORKTREE_LIMIT_MS } from "../limits.ts";
import { git } from "./git.ts";
import { isFolder } from "./inspect.ts";
import { allowedPath, type Roots } from "./roots.ts";

type Ensured = { ok: true; path: string } | { ok: false; failure: Failure };

function no(code: Failure["code"], message: string): Ensured {
  return { ok: false, failure: { code, message: message.slice(0, 2_000) } };
}

/**
 * Make sure that a session's folder is there; a worktree is made when it is asked for and missing.
 * @returns the real path that the agent works in
 */
export async function ensureWorkspace(spec: WorkspaceSpec, roots: Roots): Promise<Ensured> {
  const cwd = await allowedPath(spec.cwd, roots);
  if (cwd === null) return no("path_not_allowed", `This machine doesn't allow sessions in ${spec.cwd}.`);
  if (spec.worktree && !(await isFolder(spec.worktree.path))) {
    const made = await addWorktree(spec.worktree, roots);
    if (!made.ok) return made;
  }
  // Asked again: what the worktree brought may be a symlink.
  const there = await allowedPath(spec.cwd, roots);
  if (there === null) return no("path_not_allowed", `This machine doesn't allow sessions in ${spec.cwd}.`);
  if (!(await isFolder(there))) return no("workspace_missing", `The folder ${spec.cwd} isn't there.`);
  return { ok: true, path: there };
}

async function addWorktree(worktree: NonNullable<WorkspaceSpec["worktree"]>, roots: Roots): Promise<Ensured> {
  const [repo, path] = await Promise.all([allowedPath(worktree.repo, roots), allowedPath(worktree.path, roots)]);
  if (repo === null || path === null)
    return no("path_not_allowed", `This machine doesn't allow ${repo === null ? worktree.repo : worktree.path}.`);
  if (!(await isFolder(repo))) return no("workspace_missing", `The repository ${worktree.repo} isn't there.`);
  const valid = await git(repo, ["check-ref-format", "--branch", worktree.branch], GIT_LIMIT_MS);
  if (!valid.ok) return no("worktree_failed", `"${worktree.branch}" can't be the name of a branch.`);
  const exists = await git(repo, ["rev-parse", "-q", "--verify", `refs/heads/${worktree.branch}`], GIT_LIMIT_MS);
  // A worktree whose folder somebody deleted is still registered; without this, git refuses to make it again.
  await git(repo, ["worktree", "prune"], GIT_LIMIT_MS);
  const args = exists.ok
    ? ["worktree", "add", "--", path, worktree.branch]
    : ["worktree", "add", "-b", worktree.branch, "--", path, ...(worktree.base ? [worktree.base] : [])];
  const added = await git(repo, args, GIT_WORKTREE_LIMIT_MS);
  if (!added.ok) return no("worktree_failed", `git could not make the worktree: ${added.message}`);
  return { ok: true, path };
}

/** Remove a session's worktree with what was not committed in it; its branch stays. */
export async function removeWorktree(worktree: NonNullable<WorkspaceSpec["worktree"]>, roots: Roots): Promise<Ensured> {
  const [repo, path] = await Promise.all([allowedPath(worktree.repo, roots), allowedPath(worktree.path, roots)]);
  if (repo === null || path === null) return no("path_not_allowed", `This machine doesn't allow ${worktree.path}.`);
  if (!(await isFolder(path))) return { ok: true, path };
  const removed = await git(repo, ["worktree", "remove", "--force", "--", path], GIT_WORKTREE_LIMIT_MS);
  if (!removed.ok) return no("worktree_failed", `git could not remove the worktree: ${removed.message}`);
  return { ok: true, path };
}
