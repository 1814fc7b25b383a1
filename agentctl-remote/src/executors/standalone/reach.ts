import { existsSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { crashPoint } from "../../daemon/crash-point.ts";
import { readHostFile, readLeftSpool } from "../../daemon/known.ts";
import { type SessionPaths, socketPath } from "../../host/paths.ts";
import { bootId, isAlive } from "../../host/process.ts";
import { EXIT_SPOOL_IN_USE, type HostOrders, spawnHost } from "../../host/spawn.ts";
import { HOST_DEATH_MS, HOST_POLL_MS, HOST_START_MS } from "../../limits.ts";
import { dial, tail } from "../dial.ts";
import type { Listener, Reached, Started } from "../executor.ts";

function socketOf(paths: SessionPaths): string {
  return readHostFile(paths)?.socket ?? socketPath(paths.dir);
}

/** Look for a session's host and adopt it if it lives and proves itself (X7). */
export async function reachHost(paths: SessionPaths, listener: Listener): Promise<Reached> {
  const until = performance.now() + HOST_DEATH_MS;
  for (;;) {
    const result = await dial(paths, socketOf(paths), listener);
    if (result.ok) return { host: "alive", link: result.link };
    const file = readHostFile(paths);
    const lives = file !== null && isAlive(file, bootId());
    if (!lives) {
      const spool = readLeftSpool(paths, (error) => listener.log.error({ err: error }, "a spool can't be read"));
      if (spool.state !== "locked") return { host: "dead", spool, gone: null };
    }
    // A dying process loses its sockets a little before it is gone, a starting one has its spool before its socket.
    if (performance.now() >= until) return { host: "unknown", message: result.message };
    await pause(HOST_POLL_MS);
  }
}

/** Start a session's host and wait until it answers. Should another one hold the spool, that one is taken. */
export async function startHost(
  paths: SessionPaths,
  session: HostOrders,
  options: { bundle: string; found: "live" | "scan" },
  listener: Listener,
): Promise<Started> {
  const fail = (message: string) => ({
    ok: false as const,
    why: "failed" as const,
    failure: { code: "host_start_failed" as const, message: message.trim().slice(0, 2_000) },
  });
  if (!existsSync(options.bundle))
    return fail(`The host program isn't there: ${options.bundle}. Install agentctl again.`);
  crashPoint("before_spawn");
  let exit: number | null | undefined;
  try {
    const spawned = spawnHost({ dir: paths.dir, session, bundle: options.bundle, found: options.found });
    listener.log.info({ host_pid: spawned.pid, found: options.found }, "host started");
    void spawned.exited.then((code) => {
      exit = code;
    });
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
  crashPoint("after_spawn");
  const until = performance.now() + HOST_START_MS;
  while (performance.now() < until) {
    const result = await dial(paths, socketOf(paths), listener);
    if (result.ok) return { ok: true, link: result.link };
    if (exit !== undefined && exit !== EXIT_SPOOL_IN_USE)
      return fail(`The host ended at its start (status ${exit ?? "unknown"}). ${tail(paths.log)}`);
    await pause(HOST_POLL_MS);
  }
  return fail(`The host did not answer within ${HOST_START_MS / 1000} s. ${tail(paths.log)}`);
}
