import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** What never changes a build. */
const SKIPPED = new Set(["node_modules", "dist", ".wrangler"]);

/** A hash of files and folders by their contents: a checkout changes times, not builds. */
export function hashSources(root: string, paths: readonly string[]): string {
  const hash = createHash("sha256");
  const add = (path: string): void => {
    const full = join(root, path);
    const stat = statSync(full, { throwIfNoEntry: false });
    if (!stat) return;
    if (!stat.isDirectory()) {
      hash.update(`${path}\0`).update(readFileSync(full)).update("\0");
      return;
    }
    for (const name of readdirSync(full).sort()) {
      if (!SKIPPED.has(name) && !/\.test\.tsx?$/.test(name)) add(`${path}/${name}`);
    }
  };
  for (const path of paths) add(path);
  return hash.digest("hex");
}

/** Runs `build` unless its sources are those of the last time and its product is still there. @returns whether it ran */
export async function unlessBuilt(
  what: { root: string; stamp: string; sources: readonly string[]; product: string },
  build: () => Promise<void>,
): Promise<boolean> {
  // Taken before the build: a source that changes meanwhile is built again next time.
  const hash = hashSources(what.root, what.sources);
  if (existsSync(what.product) && existsSync(what.stamp) && readFileSync(what.stamp, "utf8") === hash) return false;
  await build();
  mkdirSync(dirname(what.stamp), { recursive: true });
  writeFileSync(what.stamp, hash);
  return true;
}
