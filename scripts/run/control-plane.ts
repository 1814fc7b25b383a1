import { fileURLToPath } from "node:url";
import { Explained } from "../lib/explained.ts";
import { freePort, waitForHttp } from "../lib/net.ts";
import { COMPILE_CACHE, ensureBuilt } from "./built.ts";
import { startLogged } from "./child.ts";
import { ControlPlaneNews, type ControlPlaneOrder } from "./control-plane-order.ts";
import { CONTROL_PLANE_READY_MS, DEFAULT_PORT, PORTS_TRIED } from "./limits.ts";
import { keepPort, lastPort, makeStateFolder, type StateFolder, setupSecret } from "./state.ts";

export interface ControlPlaneOptions {
  state: StateFolder;
  /** Else that of the last start, else 8787, else any that is free. */
  port?: number | undefined;
  /** Shortens named time limits of the Worker (tests). */
  limits?: Readonly<Record<string, number>> | undefined;
  /** Further variables over wrangler.toml's. */
  vars?: Readonly<Record<string, string>> | undefined;
  say?: ((line: string) => void) | undefined;
}

export interface ControlPlane {
  origin: string;
  port: number;
  setupSecret: string;
  /** Leads a group with workerd in it. */
  pid: number;
  /** Migrations that this start applied. */
  migrated: string[];
  /** Settles when it is gone, with words about how. */
  ended: Promise<string>;
  stop(): Promise<void>;
  /** kill -9 to everything at once: workerd and the process that holds it. */
  kill9(): Promise<void>;
}

const MAIN = fileURLToPath(new URL("./control-plane-main.ts", import.meta.url));

/** The port that was asked for, or else the usual one or the next that is free. */
async function choosePort(options: ControlPlaneOptions): Promise<number> {
  const { port: wished } = options;
  if (wished !== undefined) {
    const port = await freePort(wished);
    if (wished === 0 || port === wished) return port;
    throw new Explained(`Port ${wished} is taken by another program. Choose another one with --port.`);
  }
  const usual = lastPort(options.state) ?? DEFAULT_PORT;
  for (let port = usual; port < usual + PORTS_TRIED; port++) {
    if ((await freePort(port)) !== port) continue;
    if (port !== usual) options.say?.(`Port ${usual} is taken by another program, so this is port ${port}.`);
    return port;
  }
  return freePort();
}

/** Runs the control plane in local workerd; resolves once it answers. */
export async function startControlPlane(options: ControlPlaneOptions): Promise<ControlPlane> {
  const { state } = options;
  makeStateFolder(state);
  await ensureBuilt(["worker"], options.say ?? (() => undefined));
  const secret = setupSecret(state);
  const port = await choosePort(options);
  const log = `${state.logs}/control-plane.log`;
  const name = "The control plane";
  // Miniflare is 3 MB of JavaScript: compiled once, it starts in half the time.
  const env = { ...process.env, NODE_COMPILE_CACHE: COMPILE_CACHE };
  const running = startLogged([MAIN], { name, log, pidFile: state.pids.controlPlane, ipc: true, env });
  const order: ControlPlaneOrder = {
    state: state.controlPlane,
    port,
    vars: {
      PRIVATE_ADDRESSES: "allowed",
      ...options.vars,
      SETUP_SECRET: secret,
      ...(options.limits ? { LIMITS: JSON.stringify(options.limits) } : {}),
    },
  };
  const origin = `http://127.0.0.1:${port}`;
  const gone = new AbortController();
  const early = running.ended.then((words) => {
    gone.abort(new Explained(words));
    throw new Explained(words);
  });
  const ready = new Promise<string[]>((resolve, reject) => {
    running.child.on("message", (message) => {
      const news = ControlPlaneNews.parse(message);
      if (news.type === "ready") resolve(news.migrated);
      else reject(new Explained(`${name} could not start: ${news.message} Its log: ${log}`));
    });
    running.child.send(order, (error) => error && reject(error));
  });
  try {
    const migrated = await Promise.race([ready, early]);
    await waitForHttp(`${origin}/api/health`, CONTROL_PLANE_READY_MS, gone.signal);
    keepPort(state, port);
    // From here on its end is told by `ended`; a test that kills it must not see this one as unhandled.
    early.catch(() => undefined);
    const { pid, ended, stop, kill9 } = running;
    return { origin, port, setupSecret: secret, pid, migrated, ended, stop, kill9 };
  } catch (error) {
    early.catch(() => undefined);
    await running.stop();
    throw error;
  }
}
