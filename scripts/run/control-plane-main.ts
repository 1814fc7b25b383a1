// The process that runs workerd: started by control-plane.ts in a group of its own, told what to run over its IPC line.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { ROOT } from "../lib/paths.ts";
import { readWorkerBuild, type WorkerBuild } from "./built.ts";
import { type ControlPlaneNews, ControlPlaneOrder } from "./control-plane-order.ts";
import { migrate, readMigrations } from "./migrations.ts";
import { loadRuntime, type Runtime } from "./runtime.ts";

const Bindings = z.record(z.string(), z.unknown()).default({});
/** Answers nobody: it holds the database open while it is migrated. */
const NULL_WORKER = 'export default { fetch: () => new Response("Migrating.", { status: 503 }) };';

const { Miniflare, Log, LogLevel, convertV4MiniflareOptions } = loadRuntime();

function start(order: ControlPlaneOrder, port: number, worker: Record<string, unknown>): Runtime {
  const shared = {
    host: "127.0.0.1",
    port,
    // No look-up of where this machine is, and no telemetry.
    cf: false,
    telemetry: { enabled: false },
    log: new Log(LogLevel.WARN),
    resourcePersistencePath: join(order.state, "v3"),
    workers: [worker],
  };
  return new Miniflare(convertV4MiniflareOptions(shared));
}

/** Before anything is served: an object that wakes must find its tables. */
async function migrateFirst(order: ControlPlaneOrder, built: WorkerBuild): Promise<string[]> {
  const migrations = readMigrations(join(ROOT, "drizzle"));
  const stamp = join(order.state, "migrated.json");
  const want = JSON.stringify(migrations.map(({ name }) => name));
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === want) return [];
  const { rootPath, compatibilityDate, d1Databases } = built.options;
  const worker = { name: built.name, rootPath, compatibilityDate, d1Databases, modules: true, script: NULL_WORKER };
  const runtime = start(order, 0, worker);
  try {
    await runtime.ready;
    const done = await migrate(await runtime.getD1Database("DB"), migrations);
    writeFileSync(stamp, want);
    return done;
  } finally {
    await runtime.dispose();
  }
}

/** Miniflare makes up a version at each start; ours is that of the code, so that pages reload for new code only. */
function withoutVersion({ versionMetadata: _, ...options }: WorkerBuild["options"]): WorkerBuild["options"] {
  return options;
}

function versionOf(built: WorkerBuild): { id: string; tag: string; timestamp: string } {
  const id = createHash("sha256").update(readFileSync(built.module)).digest("hex").slice(0, 12);
  return { id, tag: "", timestamp: "" };
}

function tell(news: ControlPlaneNews): void {
  process.send?.(news);
}

async function main(order: ControlPlaneOrder): Promise<Runtime> {
  const built = readWorkerBuild();
  const migrated = await migrateFirst(order, built);
  const runtime = start(order, order.port, {
    ...withoutVersion(built.options),
    name: built.name,
    modules: [{ type: "ESModule", path: built.module }],
    modulesRoot: dirname(built.module),
    bindings: { ...Bindings.parse(built.options["bindings"]), VERSION: versionOf(built), ...order.vars },
  });
  await runtime.ready;
  tell({ type: "ready", migrated });
  return runtime;
}

let runtime: Promise<Runtime> | null = null;
let leaving = false;

async function leave(code: number): Promise<void> {
  if (leaving) return;
  leaving = true;
  try {
    await (await runtime)?.dispose();
  } catch (error) {
    console.error(error);
  }
  process.exit(code);
}

process.once("message", (message) => {
  runtime = main(ControlPlaneOrder.parse(message));
  runtime.catch((error: unknown) => {
    console.error(error);
    tell({ type: "failed", message: error instanceof Error ? error.message : String(error) });
    void leave(1);
  });
});
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => void leave(0));
// Whoever started it is gone (kill -9 included), so that nobody else would ever end it.
process.on("disconnect", () => void leave(0));
