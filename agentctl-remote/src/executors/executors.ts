import type { Runtime } from "@reprise/protocol";
import type { NodeConfig } from "../agents/config.ts";
import type { Log } from "../log.ts";
import { DockerConfig } from "./docker/config.ts";
import type { Owner } from "./docker/container.ts";
import { Engine } from "./docker/engine.ts";
import { DockerExecutor } from "./docker/executor.ts";
import type { Executor, Executors } from "./executor.ts";
import { standalone } from "./standalone/executor.ts";

export interface ExecutorsOptions {
  config: NodeConfig;
  owner: Owner;
  /** `host.mjs` */
  bundle: string;
  log: Log;
  /** Docker went or came back. */
  changed(): void;
}

/** What this machine's sessions run in. Docker is made when it is first needed: a machine without it pays nothing. */
export function executorsOf({ config, owner, bundle, log, changed }: ExecutorsOptions): Executors {
  const here = standalone(bundle);
  let docker: Executor | null = null;
  const inDocker = () => {
    const socket = config.docker?.socket ?? DockerConfig.shape.socket.parse(undefined);
    const engine = new Engine({ socket, log, changed });
    docker ??= new DockerExecutor({ config: config.docker ?? null, engine, owner, bundle, log });
    return docker;
  };
  const of = (runtime: Runtime): Executor => {
    switch (runtime) {
      case "standalone":
        return here;
      case "docker":
        return docker ?? inDocker();
      default:
        return runtime satisfies never;
    }
  };
  return { of };
}
