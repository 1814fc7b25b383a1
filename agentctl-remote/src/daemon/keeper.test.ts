import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Runtime } from "@reprise/protocol";
import { pino } from "pino";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Executor, Started } from "../executors/executor.ts";
import { sessionPaths } from "../host/paths.ts";
import { writeOrders } from "../host/spawn.ts";
import { id } from "../host/testing.ts";
import { Gate } from "./gate.ts";
import { Keeper } from "./keeper.ts";

let dir = "";
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "keeper-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

it("S4: a session's folder that says another runtime than it was started in starts nothing", async () => {
  const session_id = id("session");
  writeOrders(sessionPaths(dir), { session_id, runtime: "standalone", workspace: dir });
  const started: Runtime[] = [];
  const executor = (runtime: Runtime): Executor => ({
    runtime,
    reach: async () => ({ host: "dead", spool: { state: "absent" }, gone: null }),
    start: async (): Promise<Started> => {
      started.push(runtime);
      return { ok: false, why: "failed", failure: { code: "host_start_failed", message: "no" } };
    },
    kill: async () => ({ ok: true }),
    remove: async () => ({ ok: true }),
    containerId: () => null,
  });
  const keeper = new Keeper({
    sessionId: session_id,
    dir,
    executors: { of: executor },
    dial: vi.fn(),
    log: pino({ level: "silent" }),
    shell: true,
    hostStarts: new Gate(1),
    changed: vi.fn(),
    launchSettled: vi.fn(),
    startOver: vi.fn(),
  });
  await keeper.scan();
  expect(await keeper.ensure({ workspace: dir, runtime: "docker" }, true)).toMatchObject({
    ok: false,
    failure: { code: "runtime_unavailable" },
  });
  expect(started).toEqual([]);
  await keeper.ensure({ workspace: dir, runtime: "standalone" }, true);
  expect(started).toEqual(["standalone"]);
});
