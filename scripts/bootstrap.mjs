// The door to every command: `node scripts/bootstrap.mjs <command> [args]`. It runs on any Node from 20 with no
// dependency, brings node_modules up to the lock file, then runs scripts/<command>.ts with the project's own Node.
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Explained, ensureInstalled } from "./bootstrap/install.mjs";
import { checkProjectNode } from "./bootstrap/node.mjs";
import { runChild } from "./bootstrap/run.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [command, ...args] = process.argv.slice(2);

function commandFile() {
  const known = readdirSync(join(root, "scripts"))
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((name) => name.slice(0, -3));
  const file = join(root, "scripts", `${command}.ts`);
  if (command && known.includes(command) && existsSync(file)) return file;
  throw new Explained(`There is no command "${command ?? ""}". There are: ${known.sort().join(", ")}.`);
}

try {
  if (Number(process.versions.node.split(".")[0]) < 20) {
    throw new Explained(
      `Reprise needs Node 20 or newer to start (it brings its own Node 24 for the rest); this is Node ${process.versions.node}. Install a newer Node, then run the same command again.`,
    );
  }
  const file = commandFile();
  await ensureInstalled(root);
  const node = checkProjectNode(root);
  process.exitCode = await runChild(root, node, file, args);
} catch (error) {
  if (!(error instanceof Explained)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
