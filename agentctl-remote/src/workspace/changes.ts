import { lstat, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type GitAnswer, MAX_DIFF_CHARS, MAX_FILE_CHARS, MAX_GIT_FILES } from "@reprise/protocol";
import { MAX_COUNTED_FILES } from "../limits.ts";
import type { GitResult } from "./git.ts";
import { workspaceRoot } from "./inner.ts";
import { look } from "./look.ts";
import { parseNumstat, parseRenames, parseStatus } from "./porcelain.ts";
import { WorkspaceProblem } from "./problem.ts";
import { allowedPath, type Roots, within } from "./roots.ts";

const DIFF = ["diff", "--no-ext-diff", "--no-textconv", "--no-color", "--ignore-submodules=dirty", "-M"] as const;

interface Checkout {
  root: string;
  /** Limits every answer to the workspace, where the rest of the checkout isn't allowed (S4). */
  only: readonly string[];
  /** What changes are measured against: the last commit, or before the first one nothing. */
  base: string;
}

/** @returns null where the workspace is in no git repository @throws WorkspaceProblem */
async function checkoutOf(workspace: string, roots: Roots): Promise<Checkout | null> {
  const folder = await workspaceRoot(workspace, roots);
  const top = await look(folder, "rev-parse", "--show-toplevel");
  const root = top.stdout.replace(/\n$/, "");
  if (!top.ok || root === "") {
    if (/not a git repository|work tree/.test(top.message)) return null;
    throw new WorkspaceProblem("git_failed", `git could not read the repository: ${top.message}`);
  }
  const head = await look(root, "rev-parse", "-q", "--verify", "HEAD");
  const base = head.ok ? "HEAD" : answered(await look(root, "hash-object", "-t", "tree", "/dev/null")).trim();
  return { root, only: (await allowedPath(root, roots)) === null ? ["--", folder] : [], base };
}

/** The state of a workspace's repository: branch, and each file that differs from the last commit. @throws WorkspaceProblem */
export async function gitStatus(workspace: string, roots: Roots): Promise<GitAnswer> {
  const checkout = await checkoutOf(workspace, roots);
  if (!checkout) return { kind: "none" };
  const { root, only, base } = checkout;
  const status = (untracked: "all" | "normal") =>
    look(
      root,
      "status",
      "--porcelain=v2",
      "--branch",
      "-z",
      `--untracked-files=${untracked}`,
      "--ignore-submodules=dirty",
      ...only,
    );
  const [whole, counted] = await Promise.all([status("all"), look(root, ...DIFF, "--numstat", "-z", base, ...only)]);
  // Too many untracked files to name each: then by their folders.
  const parsed = parseStatus(answered(whole.cut ? await status("normal") : whole));
  // Without numbers the list still helps.
  const counts = parseNumstat(counted.stdout);
  const listed = parsed.files.slice(0, MAX_GIT_FILES);
  const untracked = listed.filter((file) => file.change === "untracked").slice(0, MAX_COUNTED_FILES);
  const lines = new Map(
    await Promise.all(untracked.map(async ({ path }) => [path, await linesOf(join(root, path))] as const)),
  );
  const files = listed.map((file) => {
    const fresh = lines.get(file.path) ?? null;
    const count = counts.get(file.path) ?? { added: fresh, removed: fresh === null ? null : 0 };
    return { ...file, ...count };
  });
  return { kind: "status", status: { ...parsed, root, files, truncated: parsed.files.length > listed.length } };
}

/** One file's change since the last commit. @param path from the checkout's folder on @throws WorkspaceProblem */
export async function gitDiff(workspace: string, path: string, roots: Roots): Promise<GitAnswer> {
  const checkout = await checkoutOf(workspace, roots);
  if (!checkout) return { kind: "none" };
  const { root, only, base } = checkout;
  const full = resolve(root, path);
  if (!within(full, only[1] ?? root) || full === root)
    throw new WorkspaceProblem("path_not_allowed", `${path} leads out of the workspace.`);
  const [here, renamed] = await Promise.all([
    look(root, "status", "--porcelain=v2", "-z", "--untracked-files=all", "--", full),
    look(root, ...DIFF, "--name-status", "-z", "--diff-filter=R", base, ...only),
  ]);
  const state = parseStatus(answered(here)).files.find((file) => resolve(root, file.path) === full);
  if (state?.change === "untracked") return cutPatch(path, await newFile(root, full));
  const before = parseRenames(renamed.stdout).get(path);
  const paths = before === undefined ? [full] : [join(root, before), full];
  return cutPatch(path, await look(root, ...DIFF, base, "--", ...paths));
}

/** Git itself says that this path is new here, so no symlink on the way leads elsewhere. */
async function newFile(root: string, full: string): Promise<GitResult> {
  const made = await look(root, ...DIFF, "--no-index", "--", "/dev/null", full);
  // Its exit code says that the two differ.
  return made.stdout === "" ? made : { ...made, ok: true };
}

function cutPatch(path: string, result: GitResult): GitAnswer {
  if (!result.ok && !result.cut) throw new WorkspaceProblem("git_failed", `git could not compare: ${result.message}`);
  const { stdout } = result;
  const header = stdout.slice(0, stdout.indexOf("\n@@") + 1 || undefined);
  if (/^Binary files .* differ$/m.test(header)) return { kind: "diff", diff: { path, patch: null, truncated: false } };
  const truncated = result.cut || stdout.length > MAX_DIFF_CHARS;
  const patch = truncated ? stdout.slice(0, stdout.lastIndexOf("\n", MAX_DIFF_CHARS - 1) + 1) : stdout;
  return { kind: "diff", diff: { path, patch, truncated } };
}

/** @throws WorkspaceProblem with git's words */
function answered(result: GitResult): string {
  if (result.ok || result.cut) return result.stdout;
  throw new WorkspaceProblem("git_failed", `git could not answer: ${result.message}`);
}

/** Lines of a new file; null when it is none, isn't text, or too large to be counted. */
async function linesOf(path: string): Promise<number | null> {
  try {
    const found = await lstat(path);
    if (!found.isFile() || found.size > MAX_FILE_CHARS) return null;
    const text = await readFile(path);
    if (text.includes(0)) return null;
    const ends = text.reduce((count, byte) => count + (byte === 10 ? 1 : 0), 0);
    return ends + (text.length > 0 && text.at(-1) !== 10 ? 1 : 0);
  } catch {
    // A folder, or gone meanwhile: it has no number.
    return null;
  }
}
