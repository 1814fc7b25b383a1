import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { bin } from "../lib/paths.ts";

export interface CheckStep {
  name: string;
  command: string;
  args: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** Steps that must have passed before. */
  after?: readonly string[];
}

/** Folders with a tsconfig.json that are checked, in no order. */
const TYPED = ["protocol", "worker", "sdk", "dashboard", "agentctl-remote", "e2e", "scripts"];

/**
 * The Worker's types as declarations: the sdk, and all that use it, see its routes without Cloudflare's globals, which
 * would clash with a browser's and Node's.
 */
const WORKER_DECLARATIONS = "types: worker's declarations";

const SEES_WORKER = new Set(["sdk", "dashboard", "agentctl-remote", "e2e"]);

function typeSteps(root: string): CheckStep[] {
  const declared =
    existsSync(join(root, "worker/tsconfig.types.json")) && existsSync(join(root, "worker/src/index.ts"));
  const emit: CheckStep = {
    name: WORKER_DECLARATIONS,
    command: bin("tsc"),
    args: ["-p", "worker/tsconfig.types.json"],
  };
  const checks = TYPED.filter((folder) => existsSync(join(root, folder, "tsconfig.json"))).map((folder) => ({
    name: `types: ${folder}`,
    command: bin("tsc"),
    args: ["-p", folder],
    ...(declared && SEES_WORKER.has(folder) ? { after: [WORKER_DECLARATIONS] } : {}),
  }));
  return declared ? [emit, ...checks] : checks;
}

/** Bundles the Worker as a deploy would, without an account: offline, no telemetry, no look for a newer wrangler. */
function dryRun(root: string): CheckStep[] {
  if (!existsSync(join(root, "wrangler.toml"))) return [];
  const out = join(root, ".wrangler", "check");
  // The assets' folder must exist; what is in it is the build's matter.
  mkdirSync(join(root, "dashboard", "dist"), { recursive: true });
  return [
    {
      name: "wrangler deploy --dry-run",
      command: bin("wrangler"),
      args: ["deploy", "--dry-run", "--config", "wrangler.toml", "--outdir", join(out, "bundle")],
      env: {
        CI: "true",
        WRANGLER_SEND_METRICS: "false",
        WRANGLER_SEND_ERROR_REPORTS: "false",
        WRANGLER_HIDE_BANNER: "true",
        WRANGLER_NO_SKILLS_UPDATE_PROMPTS: "true",
        WRANGLER_LOG_PATH: join(out, "logs"),
      },
    },
  ];
}

/** All that `npm run check` does. */
export function checkSteps(root: string): CheckStep[] {
  const node = process.execPath;
  return [
    ...typeSteps(root),
    { name: "lint and format", command: bin("biome"), args: ["check", "--error-on-warnings", "--colors=off", "."] },
    { name: "unused code", command: bin("knip"), args: ["--no-progress"] },
    { name: "dependency directions", command: node, args: ["scripts/check/arrows.ts"] },
    { name: "file length", command: node, args: ["scripts/check/length.ts"] },
    ...dryRun(root),
  ];
}
