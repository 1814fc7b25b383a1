import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { readHostFile } from "../daemon/known.ts";
import { lockHolder } from "../daemon/lock.ts";
import { type StatePaths, statePaths } from "../daemon/paths.ts";
import { connectHost } from "../host/client.ts";
import { sessionPaths, socketPath } from "../host/paths.ts";
import { bootId, isAlive, type ProcessIdentity } from "../host/process.ts";
import { CLI_POLL_MS, STOP_HOST_MS } from "../limits.ts";
import { CliError, EXIT } from "./exit.ts";

interface Stopped {
  session: string;
  pid: number | null;
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
  const stopped = (await Promise.all(sessionsOf(paths).map((session) => stopOne(paths, session)))).flatMap(
    (one) => one ?? [],
  );
  if (stopped.length === 0) return "No host runs.";
  const lines = stopped.map(
    ({ session, pid, how, why }) => `  ${session} (pid ${pid ?? "unknown"}): ${how}${why ? `, ${why}` : ""}`,
  );
  const left = stopped.some((one) => one.how === "left");
  const text = `${stopped.length} host(s):\n${lines.join("\n")}`;
  if (left) throw new CliError(EXIT.failed, text);
  return text;
}

function sessionsOf(paths: StatePaths): string[] {
  return existsSync(paths.sessions) ? readdirSync(paths.sessions) : [];
}

async function stopOne(paths: StatePaths, session: string): Promise<Stopped | null> {
  const at = sessionPaths(join(paths.sessions, session));
  const file = readHostFile(at);
  const alive = () => file !== null && isAlive(file, bootId());
  if (!existsSync(at.nonceFile)) return null;
  const reached = await connectHost({
    socket: file?.socket ?? socketPath(at.dir),
    nonce: readFileSync(at.nonceFile, "utf8").trim(),
    role: "visitor",
    onFrame: () => undefined,
    onBadFrame: () => undefined,
  });
  if (reached.ok) {
    reached.link.send({ type: "shutdown", command_id: randomUUID() });
    if (await gone(alive, reached.link.closed))
      return { session, pid: reached.link.hello.pid, how: "ended", why: null };
  } else if (!alive()) return null;
  if (!file) return { session, pid: null, how: "left", why: "it doesn't answer and left no pid" };
  // Its agent is ended by the next host that opens the spool, or dies with the end of its stdin.
  kill(file);
  return { session, pid: file.pid, how: "killed", why: "it didn't end by itself" };
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

function kill(who: ProcessIdentity): void {
  try {
    process.kill(who.pid, "SIGKILL");
  } catch (error) {
    // Gone in between is what we wanted.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}
