import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { readConfig } from "../agents/config.ts";
import { loadIdentity } from "../daemon/identity.ts";
import { readHostFile, readLeftSpool, readSessionFile } from "../daemon/known.ts";
import { lockHolder } from "../daemon/lock.ts";
import { type StatePaths, statePaths } from "../daemon/paths.ts";
import { socketOf } from "../executors/docker/container.ts";
import type { Executors } from "../executors/executor.ts";
import { machineExecutors } from "../executors/executors.ts";
import { connectHost } from "../host/client.ts";
import { type SessionPaths, sessionPaths, socketPath } from "../host/paths.ts";
import { bootId, isAlive } from "../host/process.ts";
import { CLI_POLL_MS, STOP_HOST_MS } from "../limits.ts";
import { makeLog } from "../log.ts";
import { CliError, EXIT } from "./exit.ts";
import { hostBundle } from "./host-bundle.ts";

interface Stopped {
  session: string;
  /** "pid 12", or that it ran in a container. */
  where: string;
  how: "ended" | "killed" | "left";
  why: string | null;
}

/** End every host of a state folder with its agent, in order (`npm stop`). @returns which, in words */
export async function stopHosts(options: { state?: string }): Promise<string> {
  const paths = statePaths(options.state);
  const daemon = lockHolder(paths);
  if (daemon)
    throw new CliError(
      EXIT.daemon_state,
      `The daemon (pid ${daemon.pid}) runs and would start them again. End it first: agentctl down`,
    );
  const executors = executorsHere(paths);
  const stopping = sessionsOf(paths).map((session) => stopOne(executors, paths, session));
  const stopped = (await Promise.all(stopping)).flatMap((one) => one ?? []);
  if (stopped.length === 0) return "No host runs.";
  const lines = stopped.map(
    ({ session, where, how, why }) => `  ${session} (${where}): ${how}${why ? `, ${why}` : ""}`,
  );
  const left = stopped.some((one) => one.how === "left");
  const text = `${stopped.length} host(s):\n${lines.join("\n")}`;
  if (left) throw new CliError(EXIT.failed, text);
  return text;
}

function executorsHere(paths: StatePaths): Executors {
  const { joined, state_id } = loadIdentity(paths);
  return machineExecutors({
    config: readConfig(paths.config),
    owner: { node_id: joined?.node_id ?? "", state_id },
    bundle: hostBundle(),
    log: makeLog(),
  });
}

function sessionsOf(paths: StatePaths): string[] {
  return existsSync(paths.sessions) ? readdirSync(paths.sessions) : [];
}

async function stopOne(executors: Executors, paths: StatePaths, session: string): Promise<Stopped | null> {
  const at = sessionPaths(join(paths.sessions, session));
  const file = readHostFile(at);
  const served = readSessionFile(at);
  const docker = served?.runtime === "docker";
  // A number of a container's own names a stranger here; whoever holds the spool is its host, wherever that runs (X7).
  const alive = () => (docker ? isHeld(at) : file !== null && isAlive(file, bootId()));
  if (!existsSync(at.nonceFile)) return null;
  const reached = await connectHost({
    socket: docker ? socketOf(at) : (file?.socket ?? socketPath(at.dir)),
    nonce: readFileSync(at.nonceFile, "utf8").trim(),
    role: "visitor",
    onFrame: () => undefined,
    onBadFrame: () => undefined,
  });
  const where = docker ? "in its container" : `pid ${file?.pid ?? "unknown"}`;
  if (reached.ok) {
    reached.link.send({ type: "shutdown", command_id: randomUUID() });
    if (await gone(alive, reached.link.closed)) return { session, where, how: "ended", why: null };
  } else if (!alive()) return null;
  if (!file && !docker) return { session, where, how: "left", why: "it doesn't answer and left no pid" };
  // Its agent is ended by the next host that opens the spool, or dies with the end of its stdin.
  const killed = await executors.of(served?.runtime ?? "standalone").kill({ paths: at, session: served });
  if (!killed.ok) return { session, where, how: "left", why: killed.failure.message };
  return { session, where, how: "killed", why: "it didn't end by itself" };
}

function isHeld(at: SessionPaths): boolean {
  // A spool that can't be read has nobody who writes it.
  return readLeftSpool(at, () => undefined).state === "locked";
}

async function gone(alive: () => boolean, closed: Promise<void>): Promise<boolean> {
  const until = Date.now() + STOP_HOST_MS;
  await Promise.race([closed, pause(STOP_HOST_MS, undefined, { ref: false })]);
  while (alive()) {
    if (Date.now() > until) return false;
    await pause(CLI_POLL_MS);
  }
  return true;
}
