import type { Runtime, RuntimeInfo } from "@reprise/protocol";
import type { NodeConfig } from "../agents/config.ts";
import { ENGINE_CHECK_MS } from "../limits.ts";
import type { Log } from "../log.ts";
import { DockerConfig } from "./docker/config.ts";
import type { Owner } from "./docker/container.ts";
import { Engine } from "./docker/engine.ts";
import { DockerExecutor } from "./docker/executor.ts";
import type { Executor, Executors } from "./executor.ts";
import { RuntimesTeller } from "./runtimes.ts";
import { standalone } from "./standalone/executor.ts";

export interface MachineOptions {
  config: NodeConfig;
  owner: Owner;
  /** `host.mjs` */
  bundle: string;
  /** In the place of detached processes. */
  standalone?: Executor | null;
  log: Log;
}

/** What this machine's sessions run in. */
export function machineExecutors(options: MachineOptions & { engine?: Engine }): Executors {
  const { config, owner, bundle, log } = options;
  const engine = options.engine ?? engineOf(config, log, () => undefined);
  const here = options.standalone ?? standalone(bundle);
  // Also where Docker isn't allowed any more: what is there must still be found, ended and removed.
  const inDocker = new DockerExecutor({ config: config.docker ?? null, engine, owner, bundle, log });
  return {
    of(runtime) {
      switch (runtime) {
        case "standalone":
          return here;
        case "docker":
          return inDocker;
        default:
          return runtime satisfies never;
      }
    },
  };
}

function engineOf(config: NodeConfig, log: Log, changed: () => void): Engine {
  const socket = config.docker?.socket ?? DockerConfig.shape.socket.parse(undefined);
  return new Engine({ socket, log, changed });
}

/** What sessions can run in here, asked now; for a person who looks for what is missing. */
export async function runtimesNow(config: NodeConfig, log: Log): Promise<RuntimeInfo[]> {
  const { docker, runtimes: allowed } = config;
  const engine = engineOf(config, log, () => undefined);
  const teller = new RuntimesTeller({
    allowed,
    docker: docker ? { engine, config: docker } : null,
    changed: () => true,
  });
  await teller.look();
  return teller.list();
}

/** The same for a daemon, which also tells what of it can be had now. */
export class DaemonExecutors implements Executors {
  private readonly executors: Executors;
  private readonly teller: RuntimesTeller;
  private readonly timer: NodeJS.Timeout | null;

  constructor(options: MachineOptions & { changed(runtimes: RuntimeInfo[]): boolean }) {
    const { config, log, changed } = options;
    const { docker, runtimes: allowed } = config;
    const engine = engineOf(config, log, () => this.teller.tell());
    this.executors = machineExecutors({ ...options, engine });
    this.teller = new RuntimesTeller({ allowed, docker: docker ? { engine, config: docker } : null, changed });
    const looks = allowed.includes("docker");
    this.timer = looks ? setInterval(() => void this.teller.look(), ENGINE_CHECK_MS) : null;
    if (looks) void this.teller.look();
  }

  of(runtime: Runtime): Executor {
    return this.executors.of(runtime);
  }

  /** As they are now: whoever hears this is told of changes only. */
  told(): RuntimeInfo[] {
    return this.teller.hello();
  }

  /** What changed since it was last told. */
  tell(): void {
    this.teller.tell();
  }

  close(): void {
    if (this.timer) clearInterval(this.timer);
  }
}
