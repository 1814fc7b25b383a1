import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Explained } from "../lib/explained.ts";
import { freePort, waitForHttp } from "../lib/net.ts";
import { bin, ROOT } from "../lib/paths.ts";
import { writePidFile } from "../lib/pid-file.ts";
import { type Running, run, start, stop } from "../lib/run.ts";
import { CONTROL_PLANE_READY_MS, DASHBOARD_DEV_PORT, DEFAULT_PORT } from "./limits.ts";
import { wranglerEnv } from "./quiet-wrangler.ts";
import { keepPort, lastPort, type StateFolder, setupSecret } from "./state.ts";

export interface DevServer {
  origin: string;
  port: number;
  ended: Promise<string>;
  stop(): Promise<void>;
}

function served(name: string, port: number, running: Running): DevServer {
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    ended: running.done.then(({ code }) => `${name} ended with status ${code}; its last lines are above.`),
    stop: () => stop(running.child),
  };
}

async function answering(server: DevServer, path: string): Promise<DevServer> {
  const gone = new AbortController();
  void server.ended.then((words) => gone.abort(new Explained(words)));
  try {
    await waitForHttp(`${server.origin}${path}`, CONTROL_PLANE_READY_MS, gone.signal);
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
}

function note(file: string, { child }: Running): void {
  if (child.pid !== undefined) writePidFile(file, child.pid);
}

/** `wrangler dev` on the same databases as `npm start`: it builds again at each change of the Worker's sources. */
export async function startWorkerDev(state: StateFolder, wished: number | undefined): Promise<DevServer> {
  const persist = ["--config", join(ROOT, "wrangler.toml"), "--persist-to", state.controlPlane];
  const migrated = await run(bin("wrangler"), ["d1", "migrations", "apply", "DB", "--local", ...persist], {
    cwd: ROOT,
    env: wranglerEnv(),
    output: { kind: "capture" },
  });
  if (migrated.code !== 0) throw new Explained(`${migrated.output.trimEnd()}\nThe database could not be migrated.`);
  // In a file: arguments can be read by everybody on this machine.
  const vars = join(state.dir, "dev.vars");
  writeFileSync(vars, `SETUP_SECRET=${setupSecret(state)}\n`, { mode: 0o600 });
  const port = await freePort(wished ?? lastPort(state) ?? DEFAULT_PORT);
  const inspector = await freePort();
  const own = ["--env-file", vars, "--show-interactive-dev-session=false"];
  const args = [
    "dev",
    ...persist,
    "--ip",
    "127.0.0.1",
    "--port",
    `${port}`,
    "--inspector-port",
    `${inspector}`,
    ...own,
  ];
  const running = start(bin("wrangler"), args, {
    cwd: ROOT,
    env: wranglerEnv(),
    output: { kind: "prefix", prefix: "worker    | " },
  });
  note(state.pids.controlPlane, running);
  const server = await answering(served("The control plane (wrangler dev)", port, running), "/api/health");
  keepPort(state, port);
  return server;
}

/** Vite's own server: pages from the sources, everything else from the control plane. */
export async function startDashboardDev(state: StateFolder, workerPort: number): Promise<DevServer> {
  const port = await freePort(DASHBOARD_DEV_PORT);
  const env = { ...process.env, REPRISE_WORKER_PORT: `${workerPort}`, REPRISE_DASHBOARD_PORT: `${port}` };
  const running = start(bin("vite"), ["--clearScreen", "false"], {
    cwd: join(ROOT, "dashboard"),
    env,
    output: { kind: "prefix", prefix: "dashboard | " },
  });
  note(state.pids.dashboard, running);
  return answering(served("The dashboard (vite)", port, running), "/");
}
