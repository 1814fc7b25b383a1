import { mkdirSync } from "node:fs";
import { readLeftSpool } from "../../../agentctl-remote/src/daemon/known.ts";
import type { Executor } from "../../../agentctl-remote/src/executors/executor.ts";
import { SessionFile, writeWhole } from "../../../agentctl-remote/src/host/spawn.ts";
import { SimulatedHost } from "./host.ts";
import type { World } from "./world.ts";

/** Hosts in the memory of this process, their spools on disk: they die when it is killed, and their spools tell the rest. */
export function simulatedExecutor(world: World): Executor {
  const hosts = new Map<string, SimulatedHost>();
  return {
    runtime: "standalone",
    reach: async ({ paths }, listener) => {
      const host = hosts.get(paths.dir);
      if (host) return { host: "alive", link: host.connect(listener.onFrame) };
      const spool = readLeftSpool(paths, (error) => listener.log.error({ err: error }, "a spool can't be read"));
      return { host: "dead", spool, gone: null };
    },
    start: async ({ paths, session }, found, listener) => {
      if (!session) {
        const failure = { code: "workspace_missing", message: "Nobody said where this session works." } as const;
        return { ok: false, why: "failed", failure };
      }
      mkdirSync(paths.dir, { recursive: true, mode: 0o700 });
      writeWhole(paths.sessionFile, JSON.stringify(SessionFile.parse(session)));
      const host = new SimulatedHost(paths, session, found, world, () => hosts.delete(paths.dir));
      hosts.set(paths.dir, host);
      return { ok: true, link: host.connect(listener.onFrame) };
    },
    kill: async () => ({ ok: true }),
    remove: async () => ({ ok: true }),
    containerId: () => null,
  };
}
