import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type GitStatus, MAX_DIFF_CHARS } from "@reprise/protocol";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { gitDiff, gitStatus } from "./changes.ts";
import { inspectPath } from "./inspect.ts";
import { rootsOf } from "./roots.ts";

let dir = "";
let repo = "";
const git = (...args: string[]) =>
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], { cwd: repo, stdio: "pipe" }).toString();
const put = (name: string, text: string | Buffer) => writeFileSync(join(repo, name), text);

beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), "changes-")));
  repo = join(dir, "repo");
  mkdirSync(repo);
  git("init", "-q", "-b", "main");
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(dir, { recursive: true, force: true });
});

async function status(folder = repo, roots = rootsOf([], dir)): Promise<GitStatus> {
  const answer = await gitStatus(folder, roots);
  if (answer.kind !== "status") throw new Error(`it is ${answer.kind}`);
  return answer.status;
}

async function patch(path: string): Promise<string | null> {
  const answer = await gitDiff(repo, path, rootsOf([], dir));
  return answer.kind === "diff" ? answer.diff.patch : null;
}

/** A program that must not run. */
function trap(): string {
  const path = join(dir, "trap.sh");
  writeFileSync(path, `#!/bin/sh\ntouch ${join(dir, "sprung")}\n`);
  chmodSync(path, 0o755);
  return path;
}

function committed(): void {
  put("a.txt", "one\ntwo\nthree\n");
  put("gone.txt", "bye\n");
  put("old name.txt", "same\nsame\nsame\nsame\n");
  git("add", ".");
  git("commit", "-qm", "one");
}

describe("git status", () => {
  it("none outside a repository; a folder that is gone is said so", async () => {
    expect(await gitStatus(dir, rootsOf([], dir))).toEqual({ kind: "none" });
    await expect(gitStatus(join(dir, "no"), rootsOf([], dir))).rejects.toMatchObject({ code: "workspace_missing" });
  });

  it("each kind of change with its lines, odd names too", async () => {
    committed();
    put("a.txt", "one\n2\nthree\nfour\n");
    rmSync(join(repo, "gone.txt"));
    renameSync(join(repo, "old name.txt"), join(repo, "new\nname.txt"));
    git("add", "-A");
    put('un"tracked ä.txt', "x\ny");
    mkdirSync(join(repo, "sub"));
    put("sub/binary", Buffer.from([0, 1]));
    const { files, branch, upstream, ahead } = await status();
    expect([branch, upstream, ahead]).toEqual(["main", null, null]);
    expect(files.map((f) => [f.path, f.change, f.staged, f.added, f.removed, f.old_path])).toEqual(
      expect.arrayContaining([
        ["a.txt", "modified", true, 2, 1, null],
        ["gone.txt", "deleted", true, 0, 1, null],
        ["new\nname.txt", "renamed", true, 0, 0, "old name.txt"],
        ['un"tracked ä.txt', "untracked", false, 2, 0, null],
        ["sub/binary", "untracked", false, null, null, null],
      ]),
    );
    expect(files).toHaveLength(5);
  });

  it("before the first commit, and away from every branch", async () => {
    put("new", "1\n");
    git("add", "new");
    expect(await status()).toMatchObject({
      branch: "main",
      commit: null,
      files: [{ path: "new", change: "added", added: 1 }],
    });
    git("commit", "-qm", "one");
    git("checkout", "-q", "--detach");
    expect(await status()).toMatchObject({ branch: null, files: [] });
  });

  it("ahead and behind of its upstream", async () => {
    committed();
    const other = join(dir, "other.git");
    git("clone", "-q", "--bare", ".", other);
    git("remote", "add", "origin", other);
    git("fetch", "-q", "origin");
    git("branch", "-q", "-u", "origin/main");
    git("commit", "-q", "--allow-empty", "-m", "mine");
    expect(await status()).toMatchObject({ upstream: "origin/main", ahead: 1, behind: 0 });
  });

  it("of a folder inside the repository: the whole of it, unless its machine allows only that folder (S4)", async () => {
    committed();
    mkdirSync(join(repo, "sub"));
    put("sub/x", "1\n");
    put("a.txt", "changed\n");
    const inside = join(repo, "sub");
    expect((await status(inside)).files.map(({ path }) => path)).toEqual(["a.txt", "sub/x"]);
    const only = rootsOf([inside], dir);
    expect((await status(inside, only)).files.map(({ path }) => path)).toEqual(["sub/x"]);
    await expect(gitDiff(inside, "a.txt", only)).rejects.toMatchObject({ code: "path_not_allowed" });
  });

  it("S4: nothing that the repository brings is run", async () => {
    committed();
    const program = trap();
    for (const key of ["core.fsmonitor", "diff.external", "core.pager", "diff.x.textconv", "diff.x.command"])
      git("config", key, program);
    mkdirSync(join(repo, ".git", "hooks"), { recursive: true });
    symlinkSync(program, join(repo, ".git", "hooks", "post-index-change"));
    put(".gitattributes", "*.txt diff=x\n");
    put("a.txt", "changed\n");
    await status();
    expect(await patch("a.txt")).toContain("+changed");
    expect(existsSync(join(dir, "sprung"))).toBe(false);
  });

  it.each([
    ["x", "clean"],
    ["x", "process"],
    ["a=b", "clean"],
  ])("S4: nor a filter of its own configuration (%s, %s)", async (name, what) => {
    committed();
    put(".gitattributes", `*.txt filter=${name}\n`);
    git("config", `filter.${name}.${what}`, trap());
    git("config", `filter.${name}.required`, "true");
    put("a.txt", "changed\n");
    await status();
    expect(await patch("a.txt")).toContain("+changed");
    await inspectPath(repo, rootsOf([], dir));
    expect(existsSync(join(dir, "sprung"))).toBe(false);
  });

  it("S4: a filter that the machine's owner has set up is used, whatever the repository makes of it", async () => {
    committed();
    put(".gitattributes", "*.txt filter=own\n");
    writeFileSync(join(dir, "owner"), '[filter "own"]\n\tclean = tr a-z A-Z\n');
    git("config", "filter.own.clean", trap());
    vi.stubEnv("GIT_CONFIG_GLOBAL", join(dir, "owner"));
    put("a.txt", "changed\n");
    expect(await patch("a.txt")).toContain("+CHANGED");
    expect(existsSync(join(dir, "sprung"))).toBe(false);
  });

  it("S4: nor what would fetch an object that is missing", async () => {
    committed();
    const lost = git("rev-parse", "HEAD:a.txt").trim();
    rmSync(join(repo, ".git", "objects", lost.slice(0, 2), lost.slice(2)));
    git("config", "core.repositoryFormatVersion", "1");
    git("config", "extensions.partialClone", "origin");
    git("config", "remote.origin.url", dir);
    git("config", "remote.origin.promisor", "true");
    git("config", "remote.origin.uploadpack", trap());
    put("a.txt", "changed\n");
    await expect(patch("a.txt")).rejects.toMatchObject({ code: "git_failed" });
    expect(existsSync(join(dir, "sprung"))).toBe(false);
  });
});

describe("a file's diff", () => {
  it("modified, deleted, renamed, new; of an unchanged file it is empty", async () => {
    committed();
    put("a.txt", "one\n2\nthree\n");
    rmSync(join(repo, "gone.txt"));
    git("mv", "old name.txt", "moved.txt");
    put("moved.txt", "same\nsame\nsame\nother\n");
    put("fresh", "hello\n");
    expect(await patch("a.txt")).toContain("-two\n+2\n");
    expect(await patch("gone.txt")).toContain("-bye");
    expect(await patch("moved.txt")).toContain("rename from old name.txt");
    expect(await patch("fresh")).toContain("+hello");
    git("commit", "-qam", "two");
    expect(await patch("a.txt")).toBe("");
  });

  it("is cut at its limit, between lines; what isn't text has none", async () => {
    committed();
    put("a.txt", `${"x".repeat(99)}\n`.repeat(5_000));
    const answer = await gitDiff(repo, "a.txt", rootsOf([], dir));
    if (answer.kind !== "diff") throw new Error("no diff");
    expect(answer.diff.truncated).toBe(true);
    expect(answer.diff.patch?.length).toBeLessThanOrEqual(MAX_DIFF_CHARS);
    expect(answer.diff.patch?.endsWith("x\n")).toBe(true);
    put("binary", Buffer.from([0, 1, 2]));
    expect(await patch("binary")).toBeNull();
  });

  it("S4: nothing outside the repository", async () => {
    committed();
    writeFileSync(join(dir, "secret"), "x\n");
    symlinkSync(dir, join(repo, "up"));
    await expect(patch("../secret")).rejects.toMatchObject({ code: "path_not_allowed" });
    expect(await patch("up/secret").catch((error: { code: string }) => error.code)).not.toContain("secret");
    for (const odd of ["--output=x", ":(top)", "*"]) expect(await patch(odd)).toBe("");
  });
});
