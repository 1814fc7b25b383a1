import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { Explained } from "./explained.ts";
import { type RunOptions, run } from "./run.ts";

/** In the order of use: the daemon's bundle and the dashboard's pages are what the Worker serves or starts. */
const BUILT = ["agentctl-remote", "dashboard", "worker"];

const Package = z.object({ scripts: z.record(z.string(), z.string()).optional() });

/** Workspaces that have a `build` script. */
export function builtWorkspaces(root: string): string[] {
  return BUILT.filter((folder) => {
    const file = join(root, folder, "package.json");
    return existsSync(file) && Package.parse(JSON.parse(readFileSync(file, "utf8"))).scripts?.build !== undefined;
  });
}

/** Builds one workspace with its own `build` script, quietly unless it fails. */
export async function build(root: string, folder: string): Promise<void> {
  const options: RunOptions = { cwd: join(root, folder), output: { kind: "capture" } };
  const result = await run(process.execPath, ["--run", "build"], options);
  if (result.code !== 0) throw new Explained(`${result.output.trimEnd()}\n${folder} could not be built.`);
}
