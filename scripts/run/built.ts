import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { z } from "zod";
import { build, builtWorkspaces } from "../lib/build.ts";
import { Explained } from "../lib/explained.ts";
import { bin, ROOT } from "../lib/paths.ts";
import { run } from "../lib/run.ts";
import { wranglerEnv } from "./quiet-wrangler.ts";
import { unlessBuilt } from "./sources.ts";

const STAMPS = join(ROOT, ".reprise", "build");
/** Node keeps compiled code of large modules there. */
export const COMPILE_CACHE = join(STAMPS, "compile-cache");
const SHARED = ["package-lock.json", "tsconfig.base.json", "protocol/src"];

/** The Worker as it would be deployed, and its bindings as the local runtime takes them. */
export const WORKER_BUILD = join(STAMPS, "worker");
const OPTIONS = "options.json";

/** One bundled module, and what wrangler made of wrangler.toml. Read by the process that runs workerd. */
export const WorkerBuild = z.object({
  name: z.string(),
  module: z.string(),
  options: z.record(z.string(), z.unknown()),
});
export type WorkerBuild = z.infer<typeof WorkerBuild>;

export function readWorkerBuild(): WorkerBuild {
  return WorkerBuild.parse(JSON.parse(readFileSync(join(WORKER_BUILD, OPTIONS), "utf8")));
}

/** Bundles the Worker with wrangler itself, so that what runs here is what a deploy would send. */
async function buildWorker(): Promise<void> {
  const fresh = `${WORKER_BUILD}.${process.pid}`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(join(ROOT, "dashboard", "dist"), { recursive: true });
  const args = ["deploy", "--dry-run", "--config", join(ROOT, "wrangler.toml"), "--outdir", fresh];
  const result = await run(bin("wrangler"), args, { cwd: ROOT, env: wranglerEnv(), output: { kind: "capture" } });
  if (result.code !== 0) throw new Explained(`${result.output.trimEnd()}\nThe Worker could not be built.`);
  const module = readdirSync(fresh).find((name) => name.endsWith(".js"));
  if (module === undefined) throw new Explained("wrangler built no module.");
  const { unstable_getMiniflareWorkerOptions, unstable_readConfig } = await import("wrangler");
  const config = join(ROOT, "wrangler.toml");
  const name = unstable_readConfig({ config }).name ?? "reprise";
  const { workerOptions } = unstable_getMiniflareWorkerOptions(config);
  const built: WorkerBuild = { name, module: join(WORKER_BUILD, module), options: { ...workerOptions } };
  writeFileSync(join(fresh, OPTIONS), JSON.stringify(built));
  rmSync(WORKER_BUILD, { recursive: true, force: true });
  renameSync(fresh, WORKER_BUILD);
}

interface Part {
  name: string;
  sources: readonly string[];
  product: string;
  build: () => Promise<void>;
}

const PARTS: readonly Part[] = [
  {
    name: "worker",
    sources: [...SHARED, "worker", "wrangler.toml"],
    product: join(WORKER_BUILD, OPTIONS),
    build: buildWorker,
  },
  {
    name: "agentctl-remote",
    sources: [...SHARED, "agentctl-remote", "sdk/src"],
    product: join(ROOT, "agentctl-remote", "dist"),
    build: () => build(ROOT, "agentctl-remote"),
  },
  {
    name: "dashboard",
    sources: [...SHARED, "dashboard", "sdk/src", "agentctl-remote"],
    product: join(ROOT, "dashboard", "dist", "agentctl", "join.sh"),
    build: buildAssets,
  },
];

/** The pages, and what a machine that joins fetches from the control plane: both programs and the script that runs them. */
async function buildAssets(): Promise<void> {
  await build(ROOT, "dashboard");
  await ensureBuilt(["agentctl-remote"], () => undefined);
  const served = join(ROOT, "dashboard", "dist", "agentctl");
  mkdirSync(served, { recursive: true });
  const agentctl = join(ROOT, "agentctl-remote");
  const programs = readdirSync(join(agentctl, "dist")).map((file) => join("dist", file));
  for (const file of [...programs, "join.sh"]) copyFileSync(join(agentctl, file), join(served, basename(file)));
}

export type BuiltPart = "worker" | "agentctl-remote" | "dashboard";

/** Builds what changed since its last build. @param say is told what is being built, since that takes a while */
export async function ensureBuilt(parts: readonly BuiltPart[], say: (line: string) => void): Promise<void> {
  const withScript = builtWorkspaces(ROOT);
  // One after the other: each takes all cores there are.
  for (const part of PARTS) {
    if (!parts.some((name) => name === part.name)) continue;
    if (part.name !== "worker" && !withScript.includes(part.name)) {
      throw new Explained(`${part.name} has no build script.`);
    }
    const stamp = join(STAMPS, `${part.name}.hash`);
    await unlessBuilt({ root: ROOT, stamp, sources: part.sources, product: part.product }, async () => {
      say(`Building ${part.name}.`);
      await part.build();
    });
  }
}

const Bin = z.object({ bin: z.record(z.string(), z.string()).optional() });

/** The built `agentctl`, as its package names it. */
export function agentctlFile(): string {
  const folder = join(ROOT, "agentctl-remote");
  const named = Bin.parse(JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))).bin?.["agentctl"];
  const file = join(folder, named ?? "dist/agentctl.mjs");
  if (!existsSync(file)) throw new Explained(`${file} is missing: agentctl-remote was not built.`);
  return file;
}
