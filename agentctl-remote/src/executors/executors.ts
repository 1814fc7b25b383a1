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

export interface ExecutorsOptions {
  config: NodeConfig;
  owner: Owner;
  /** `host.mjs` */
  bundle: string;
  log: Log;
  /** What sessions can run in is another than before. */
  changed(runtimes: RuntimeInfo[]): void;
}

/** What this machine's sessions run in. */
export class MachineExecutors implements Executors {
  private readonly here: Executor;
  private readonly inDocker: Executor;
  private readonly teller: RuntimesTeller;
  private readonly timer: NodeJS.Timeout | null;

  constructor({ config, owner, bundle, log, changed }: ExecutorsOptions) {
    const docker = config.docker ?? null;
    const socket = docker?.socket ?? DockerConfig.shape.socket.parse(undefined);
    const engine = new Engine({ socket, log, changed: () => this.teller.tell() });
    this.here = standalone(bundle);
    // Also where Docker isn't allowed any more: what is there must still be found, ended and removed.
    this.inDocker = new DockerExecutor({ config: docker, engine, owner, bundle, log });
    const allowed = config.runtimes;
    this.teller = new RuntimesTeller({ allowed, docker: docker && { engine, config: docker }, changed });
    const looks = allowed.includes("docker");
    this.timer = looks ? setInterval(() => void this.teller.look(), ENGINE_CHECK_MS) : null;
    if (looks) void this.teller.look();
  }

  of(runtime: Runtime): Executor {
    switch (runtime) {
      case "standalone":
        return this.here;
      case "docker":
        return this.inDocker;
      default:
        return runtime satisfies never;
    }
  }

  runtimes(): RuntimeInfo[] {
    return this.teller.list();
  }

  close(): void {
    if (this.timer) clearInterval(this.timer);
  }
}
