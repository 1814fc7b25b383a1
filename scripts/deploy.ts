import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { paint } from "./lib/colour.ts";
import { Explained, main } from "./lib/explained.ts";
import { bin, ROOT } from "./lib/paths.ts";
import { run } from "./lib/run.ts";
import { ensureBuilt } from "./run/built.ts";
import { deployConfig, originIn } from "./run/deploy-config.ts";
import { deployWorker, ensureDatabase, migrateRemote, type Wrangler, whoami } from "./run/deploy-steps.ts";
import { DEPLOYED_LOOK_MS, DEPLOYED_READY_MS } from "./run/limits.ts";
import { wranglerEnv } from "./run/quiet-wrangler.ts";
import { signInLink } from "./run/setup.ts";
import { setupSecret, stateFolder } from "./run/state.ts";

const DATABASE = "reprise";
/** Beside wrangler.toml, whose paths it has. Ignored by git. */
const CONFIG = join(ROOT, "wrangler.local.toml");
const USAGE = "npm run deploy -- [--domain HOST] [--dry-run]";

const wrangler: Wrangler = async (args) => {
  const folder = mkdtempSync(join(tmpdir(), "reprise-deploy-"));
  try {
    const records = join(folder, "records.ndjson");
    const env = { ...wranglerEnv(), WRANGLER_OUTPUT_FILE_PATH: records };
    const result = await run(bin("wrangler"), args, { cwd: ROOT, env, output: { kind: "capture" } });
    const lines = existsSync(records) ? readFileSync(records, "utf8").split("\n").filter(Boolean) : [];
    return { ...result, records: lines };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

function options(): { domain: string | null; dryRun: boolean } {
  try {
    const { values } = parseArgs({ options: { domain: { type: "string" }, "dry-run": { type: "boolean" } } });
    if (values.domain !== undefined && !/^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(values.domain))
      throw new Error(`"${values.domain}" is no host name.`);
    return { domain: values.domain?.toLowerCase() ?? null, dryRun: values["dry-run"] ?? false };
  } catch (error) {
    throw new Explained(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
  }
}

function writeConfig(database_id: string, origin: string | null): void {
  writeFileSync(CONFIG, deployConfig(readFileSync(join(ROOT, "wrangler.toml"), "utf8"), { database_id, origin }));
}

/** A new address answers with errors of Cloudflare's own for a while. */
async function firstLink(origin: string, secret: string): Promise<string> {
  const until = performance.now() + DEPLOYED_READY_MS;
  for (;;) {
    try {
      return await signInLink(origin, secret);
    } catch (error) {
      if (performance.now() > until) throw error;
      await wait(DEPLOYED_LOOK_MS);
    }
  }
}

const step = (words: string) => console.log(`${paint("bold", "==")} ${words}`);

async function dryRun(): Promise<number> {
  step("Dry run: nothing is sent, and nothing of your account is looked at.");
  step("Building the dashboard.");
  await ensureBuilt(["dashboard"], () => undefined);
  step("Bundling the Worker as a deploy would.");
  const args = ["deploy", "--dry-run", "--config", join(ROOT, "wrangler.toml")];
  const { code, output } = await wrangler(args);
  console.log(output.trimEnd());
  if (code !== 0) throw new Explained("The Worker could not be bundled.");
  step(`A deploy would then: make the D1 database "${DATABASE}" if your account has none, write its id to`);
  console.log(`   ${CONFIG}, migrate it, send the Worker with its setup secret, and print your sign-in link.`);
  return 0;
}

await main(async () => {
  const { domain, dryRun: dry } = options();
  if (dry) return dryRun();
  step("Asking whose account it is.");
  console.log(`   ${await whoami(wrangler)}`);
  step("Building the dashboard.");
  await ensureBuilt(["dashboard"], () => undefined);
  step(`Looking for the D1 database "${DATABASE}".`);
  const { id, made } = await ensureDatabase(wrangler, DATABASE);
  console.log(`   ${made ? "made" : "found"}: ${id}`);
  let origin =
    domain === null ? (existsSync(CONFIG) ? originIn(readFileSync(CONFIG, "utf8")) : null) : `https://${domain}`;
  writeConfig(id, origin);
  step("Migrating it.");
  await migrateRemote(wrangler, CONFIG);
  const state = stateFolder(join(ROOT, ".reprise", "deploy"));
  mkdirSync(state.dir, { recursive: true, mode: 0o700 });
  const secret = setupSecret(state);
  const secrets = join(state.dir, "secrets.json");
  writeFileSync(secrets, JSON.stringify({ SETUP_SECRET: secret }), { mode: 0o600 });
  step("Deploying the Worker, its pages and its secret.");
  const told = await deployWorker(wrangler, CONFIG, secrets, domain);
  if (told !== origin) {
    origin = told;
    step(`It is at ${origin}. Deploying once more, so that it answers to that name and no other.`);
    writeConfig(id, origin);
    await deployWorker(wrangler, CONFIG, secrets, domain);
  }
  step("Waiting until it answers.");
  const link = await firstLink(origin, secret);
  console.log(`\nReprise is at ${origin}. Sign in (this link works once):\n`);
  console.log(`  ${paint("bold", link)}\n`);
  return 0;
});
