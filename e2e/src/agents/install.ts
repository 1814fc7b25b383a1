import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const E2E = join(dirname(fileURLToPath(import.meta.url)), "../..");

/** The folder with the agents' own package.json and lock file. */
export const AGENTS_DIR = join(E2E, "agents");
/** Where the agents' commands are once installed. */
export const AGENTS_BIN = join(AGENTS_DIR, "node_modules/.bin");
const MIN_NODE = 22;
/** The Node that runs the agents: the one that runs this file, if it is new enough, else the pinned one. */
export const NODE_BIN = nodeBin();

/** Measured on Linux x64 with the pinned versions: what a newcomer's disk and network pay once. */
const SIZE = "about 1.3 GB on disk";
const STAMP = join(AGENTS_DIR, "node_modules/.installed-lock-sha256");

/** False when `REPRISE_REAL_AGENTS=0` leaves the real agents out. */
export function wantsRealAgents(env: NodeJS.ProcessEnv = process.env): boolean {
  return env.REPRISE_REAL_AGENTS !== "0";
}

/** Installed already, from this very lock file, by this very Node's major version. */
export function agentsInstalled(): boolean {
  return existsSync(STAMP) && readFileSync(STAMP, "utf8") === fingerprint();
}

/** Installs the pinned agents with `npm ci`, unless this lock file is installed already. */
export function installAgents(say: (line: string) => void = console.log): void {
  if (agentsInstalled()) return;
  say(`Installing the real agents that the tests run (Claude Code, Codex, OpenCode, Gemini): ${SIZE}, once.`);
  const path = `${dirname(NODE_BIN)}:${process.env.PATH ?? ""}`;
  // An outer `npm run` hands its own project down in the environment: it must not become this install's project.
  const outer =
    /^npm_(config_(local_prefix|prefix|global|workspaces?|include_workspace_root)$|package_|lifecycle_|command)/;
  const inherited = Object.entries(process.env).filter(([key]) => !outer.test(key));
  const env = { ...Object.fromEntries(inherited), PATH: path };
  const args = ["ci", "--workspaces=false", "--no-audit", "--no-fund"];
  const done = spawnSync("npm", args, { cwd: AGENTS_DIR, env, stdio: "inherit" });
  if (done.error) throw new Error(`npm could not be started: ${done.error.message}`);
  if (done.status !== 0) throw new Error(`npm ci in e2e/agents failed (exit ${done.status ?? done.signal})`);
  writeFileSync(STAMP, fingerprint());
}

function fingerprint(): string {
  const hash = createHash("sha256");
  for (const name of ["package.json", "package-lock.json"]) hash.update(readFileSync(join(AGENTS_DIR, name)));
  return hash.update(`${process.platform} ${process.arch}`).digest("hex");
}

function nodeBin(): string {
  if (Number(process.versions.node.split(".")[0]) >= MIN_NODE) return process.execPath;
  return join(E2E, "../node_modules/.bin/node");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (wantsRealAgents()) installAgents();
  else console.log("REPRISE_REAL_AGENTS=0: the real agents are not installed.");
}
