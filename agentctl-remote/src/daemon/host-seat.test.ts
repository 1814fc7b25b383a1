import { pino } from "pino";
import { expect, it, vi } from "vitest";
import type { Executor } from "../executors/executor.ts";
import { sessionPaths } from "../host/paths.ts";
import { Gate } from "./gate.ts";
import { HostSeat } from "./host-seat.ts";

const full = async () => {
  throw new Error("ENOSPC: no space left on device");
};

/** The seat of a session whose executor fails in a way that it didn't foresee. */
function seatOn(failing: Partial<Executor>): HostSeat {
  const executor: Executor = {
    runtime: "standalone",
    reach: async () => ({ host: "dead", spool: { state: "absent" }, gone: null }),
    start: full,
    kill: async () => ({ ok: true }),
    remove: async () => ({ ok: true }),
    containerId: () => null,
    ...failing,
  };
  const nothing = () => undefined;
  return new HostSeat({
    paths: sessionPaths("/nowhere"),
    executors: { of: () => executor },
    hostStarts: new Gate(1),
    log: pino({ level: "silent" }),
    session: () => null,
    work: () => false,
    onFrame: nothing,
    onAdopted: nothing,
    onReady: nothing,
    onLeft: nothing,
    onDead: nothing,
    changed: nothing,
  });
}

it("T4: a start that throws is one that failed, and says why; the next one is tried", async () => {
  const start = vi.fn(full);
  const seat = seatOn({ start });
  await seat.scan();
  const failure = { code: "host_start_failed", message: "ENOSPC: no space left on device" };
  expect(await seat.ensure(true)).toEqual({ ok: false, failure });
  expect(await seat.ensure(true)).toEqual({ ok: false, failure });
  expect(start).toHaveBeenCalledTimes(2);
});

it("T3: a look that throws has seen nothing: the host is unknown, never dead", async () => {
  const seat = seatOn({ reach: full });
  await seat.scan();
  expect(seat.supervision).toMatchObject({ host: "unknown" });
  seat.close();
});
