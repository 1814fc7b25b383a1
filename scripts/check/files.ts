import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

/** Files that are or may be committed: tracked and new ones, without what .gitignore names. Paths from the root. */
export function projectFiles(root: string): string[] {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const git = spawnSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  if (git.status !== 0) throw new Error(`git could not list the files: ${git.error?.message ?? git.stderr.trim()}`);
  // A file that was deleted and not yet committed is still listed.
  return git.stdout.split("\0").filter((path) => path !== "" && existsSync(join(root, path)));
}
