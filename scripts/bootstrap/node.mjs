import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { Explained } from "./install.mjs";

/** The major version that the `node` devDependency brings; wrangler and Vitest need at least 22.12. */
export const PROJECT_NODE = 24;

/** The project's own Node, or a sentence about why it is missing: its package puts the binary there in an install script. */
export function checkProjectNode(root) {
  const node = join(root, "node_modules", ".bin", "node");
  const asked = spawnSync(node, ["--version"], { encoding: "utf8" });
  const version = asked.status === 0 ? asked.stdout.trim() : null;
  if (version?.startsWith(`v${PROJECT_NODE}.`)) return node;
  const found = version ? `is ${version}` : `does not run (${asked.error?.code ?? `exit status ${asked.status}`})`;
  throw new Explained(
    [
      `The project's own Node ${PROJECT_NODE}, node_modules/.bin/node, ${found}.`,
      "It comes from the npm package `node`, whose install script must run. Allow it, then set it up again:",
      "  npm rebuild node --ignore-scripts=false",
      "and run the same command again. (`npm config get ignore-scripts` says whether npm was told to skip such scripts.)",
    ].join("\n"),
  );
}
