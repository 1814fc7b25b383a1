import { readHostFile } from "../../daemon/known.ts";
import { bootId, isAlive } from "../../host/process.ts";
import type { Executor, Removed } from "../executor.ts";
import { reachHost, startHost } from "./reach.ts";

const OK: Removed = { ok: true };
const NOWHERE = { code: "workspace_missing", message: "Nobody said where this session works." } as const;

/** Hosts as detached processes of this machine. @param bundle `host.mjs` */
export function standalone(bundle: string): Executor {
  return {
    runtime: "standalone",
    reach: ({ paths }, listener) => reachHost(paths, listener),
    start: async ({ paths, session }, found, listener) =>
      session
        ? await startHost(paths, session, { bundle, found }, listener)
        : { ok: false, why: "failed", failure: NOWHERE },
    kill: async ({ paths }) => {
      const file = readHostFile(paths);
      if (file && isAlive(file, bootId())) kill(file.pid);
      return OK;
    },
    remove: async () => OK,
    containerId: () => null,
  };
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    // Gone in between is what was wanted.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}
