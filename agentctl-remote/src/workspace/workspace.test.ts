import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { completePath } from "./complete.ts";
import { ensureWorkspace, removeWorktree } from "./ensure.ts";
import { inspectPath, isFolder } from "./inspect.ts";
import { rootsOf } from "./roots.ts";

let dir = "";
const run = (cwd: string, ...args: string[]) =>
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], { cwd, stdio: "pipe" });

beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), "ws-")));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function repo(): string {
  const path = join(dir, "repo");
  mkdirSync(path);
  run(path, "init", "-q", "-b", "main");
  writeFileSync(join(path, "a"), "1");
  run(path, "add", "a");
  run(path, "commit", "-qm", "one");
  return path;
}

describe("path completion", () => {
  it("offers folders only, hidden ones last, without regard to case", async () => {
    for (const name of [".hid", "beta", "Alpha", "alto"]) mkdirSync(join(dir, name));
    writeFileSync(join(dir, "alfile"), "");
    const roots = rootsOf([], dir);
    expect(await completePath("~/", roots)).toEqual(["Alpha", "alto", "beta", ".hid"].map((n) => join(dir, n)));
    expect(await completePath(`${dir}/al`, roots)).toEqual([join(dir, "Alpha"), join(dir, "alto")]);
    expect(await completePath("al", roots)).toEqual([]);
    expect(await completePath(`${dir}/nothing/x`, roots)).toEqual([]);
  });

  it("S4: offers nothing outside the roots but the way to them", async () => {
    mkdirSync(join(dir, "in", "side"), { recursive: true });
    mkdirSync(join(dir, "out"));
    const roots = rootsOf([join(dir, "in")], dir);
    expect(await completePath(`${dir}/`, roots)).toEqual([join(dir, "in")]);
    expect(await completePath(`${dir}/in/`, roots)).toEqual([join(dir, "in", "side")]);
  });
});

describe("inspect", () => {
  it("tells a checkout with its root, branch and whether it is dirty", async () => {
    const path = repo();
    mkdirSync(join(path, "sub"));
    const roots = rootsOf([], dir);
    expect(await inspectPath(join(path, "sub"), roots)).toMatchObject({
      exists: true,
      allowed: true,
      git: { root: path, branch: "main", dirty: false },
    });
    writeFileSync(join(path, "b"), "2");
    expect((await inspectPath(path, roots)).git?.dirty).toBe(true);
    expect(await inspectPath(dir, roots)).toMatchObject({ exists: true, git: null });
  });

  it("S4: a symlink out of the roots is not allowed, and nothing is said of it", async () => {
    mkdirSync(join(dir, "in"));
    mkdirSync(join(dir, "out"));
    symlinkSync(join(dir, "out"), join(dir, "in", "link"));
    expect(await inspectPath(join(dir, "in", "link"), rootsOf([join(dir, "in")], dir))).toMatchObject({
      exists: false,
      allowed: false,
    });
  });
});

describe("ensureWorkspace", () => {
  it("says workspace_missing for a folder that isn't there", async () => {
    expect(await ensureWorkspace({ cwd: join(dir, "no"), worktree: null }, rootsOf([], dir))).toMatchObject({
      ok: false,
      failure: { code: "workspace_missing" },
    });
  });

  it("makes a worktree once, makes it again when it was deleted, and removes it", async () => {
    const path = repo();
    const worktree = { repo: path, path: join(dir, "wt"), branch: "job/1", base: "main" };
    const spec = { cwd: worktree.path, worktree };
    const roots = rootsOf([], dir);
    expect(await ensureWorkspace(spec, roots)).toEqual({ ok: true, path: worktree.path });
    expect(await ensureWorkspace(spec, roots)).toEqual({ ok: true, path: worktree.path });
    rmSync(worktree.path, { recursive: true });
    expect(await ensureWorkspace(spec, roots)).toEqual({ ok: true, path: worktree.path });
    expect((await inspectPath(worktree.path, roots)).git?.branch).toBe("job/1");
    expect(await removeWorktree(worktree, roots)).toMatchObject({ ok: true });
    expect(await isFolder(worktree.path)).toBe(false);
  });

  it("says worktree_failed with git's words, and refuses a branch that is an option", async () => {
    const path = repo();
    const roots = rootsOf([], dir);
    const worktree = { repo: path, path: join(dir, "wt"), branch: "x", base: "nowhere" };
    const failed = await ensureWorkspace({ cwd: worktree.path, worktree }, roots);
    expect(failed).toMatchObject({ ok: false, failure: { code: "worktree_failed" } });
    const option = { ...worktree, branch: "--force", base: null };
    expect(await ensureWorkspace({ cwd: option.path, worktree: option }, roots)).toMatchObject({
      failure: { code: "worktree_failed" },
    });
  });

  it("S4: a worktree outside the roots is refused before git is asked", async () => {
    const path = repo();
    const worktree = { repo: path, path: join(dir, "wt"), branch: "x", base: null };
    expect(await ensureWorkspace({ cwd: path, worktree }, rootsOf([path], dir))).toMatchObject({
      failure: { code: "path_not_allowed" },
    });
  });
});
