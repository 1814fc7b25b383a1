import { closeSync, existsSync, fstatSync, openSync, readSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import type { Failure } from "@reprise/protocol";
import { connectHost, type HostLink } from "../host/client.ts";
import { type SessionPaths, socketPath } from "../host/paths.ts";
import { bootId, isAlive } from "../host/process.ts";
import { EXIT_SPOOL_IN_USE, readOrMakeNonce, type SessionFile, spawnHost } from "../host/spawn.ts";
import type { SpoolReading } from "../host/spool.ts";
import type { HostUp } from "../host/wire.ts";
import { HOST_DEATH_MS, HOST_POLL_MS, HOST_START_MS } from "../limits.ts";
import type { Log } from "../log.ts";
import { crashPoint } from "./crash-point.ts";
import { readHostFile, readLeftSpool } from "./known.ts";

/** What a look at a session's host found. */
export type Reached =
  | { host: "alive"; link: HostLink }
  /** It is there and doesn't answer: never dead (T3). */
  | { host: "unknown"; message: string }
  | { host: "dead"; spool: SpoolReading };

interface Listener {
  onFrame: (frame: HostUp) => void;
  log: Log;
}

function dial(paths: SessionPaths, listener: Listener) {
  const socket = readHostFile(paths)?.socket ?? socketPath(paths.dir);
  return connectHost({
    socket,
    nonce: readOrMakeNonce(paths.nonceFile),
    role: "daemon",
    onFrame: listener.onFrame,
    onBadFrame: (message) => listener.log.warn({ message }, "bad frame from a host"),
  });
}

/** Look for a session's host and adopt it if it lives and proves itself (X7). */
export async function reachHost(paths: SessionPaths, listener: Listener): Promise<Reached> {
  const until = performance.now() + HOST_DEATH_MS;
  for (;;) {
    const result = await dial(paths, listener);
    if (result.ok) return { host: "alive", link: result.link };
    const file = readHostFile(paths);
    const lives = file !== null && isAlive(file, bootId());
    if (!lives) {
      const spool = readLeftSpool(paths, (error) => listener.log.error({ err: error }, "a spool can't be read"));
      if (spool.state !== "locked") return { host: "dead", spool };
    }
    // A dying process loses its sockets a little before it is gone, a starting one has its spool before its socket.
    if (performance.now() >= until) return { host: "unknown", message: result.message };
    await pause(HOST_POLL_MS);
  }
}

/** Start a session's host and wait until it answers. Should another one hold the spool, that one is taken. */
export async function startHost(
  paths: SessionPaths,
  session: SessionFile,
  options: { bundle: string; found: "live" | "scan" },
  listener: Listener,
): Promise<{ ok: true; link: HostLink } | { ok: false; failure: Failure }> {
  const fail = (message: string) => ({ ok: false as const, failure: { code: "host_start_failed" as const, message } });
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
    const result = await dial(paths, listener);
    if (result.ok) return { ok: true, link: result.link };
    if (exit !== undefined && exit !== EXIT_SPOOL_IN_USE)
      return fail(
        `The host ended at its start (status ${exit ?? "unknown"}). ${tail(paths.log)}`.trim().slice(0, 2_000),
      );
    await pause(HOST_POLL_MS);
  }
  return fail(`The host did not answer within ${HOST_START_MS / 1000} s. ${tail(paths.log)}`.trim().slice(0, 2_000));
}

/** The last lines of a host's log, for the message. */
function tail(path: string): string {
  const LAST = 800;
  try {
    const file = openSync(path, "r");
    try {
      const size = fstatSync(file).size;
      const buffer = Buffer.alloc(Math.min(size, LAST));
      readSync(file, buffer, 0, buffer.length, Math.max(0, size - LAST));
      return buffer.toString("utf8").trim();
    } finally {
      closeSync(file);
    }
  } catch {
    // No log, nothing to add.
    return "";
  }
}
