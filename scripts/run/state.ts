import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { ROOT } from "../lib/paths.ts";

/** Where one local Reprise keeps everything. */
export interface StateFolder {
  dir: string;
  /** workerd's databases. */
  controlPlane: string;
  /** The local node's own state folder (`agentctl --state`). */
  node: string;
  logs: string;
  port: string;
  secret: string;
  /** Who runs it now: each a pid and start time. */
  pids: { start: string; controlPlane: string; node: string; dashboard: string };
}

/** @param given `--state DIR`; `.reprise` in the checkout by default */
export function stateFolder(given?: string): StateFolder {
  const dir = resolve(given ?? join(ROOT, ".reprise"));
  const pid = (name: string) => join(dir, "run", `${name}.pid`);
  return {
    dir,
    controlPlane: join(dir, "control-plane"),
    node: join(dir, "node"),
    logs: join(dir, "logs"),
    port: join(dir, "port"),
    secret: join(dir, "setup-secret"),
    pids: { start: pid("start"), controlPlane: pid("control-plane"), node: pid("node"), dashboard: pid("dashboard") },
  };
}

/** Makes the folder, for this user alone: it holds credentials. */
export function makeStateFolder(state: StateFolder): void {
  mkdirSync(state.dir, { recursive: true });
  for (const dir of [state.controlPlane, state.node, state.logs]) {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    chmodSync(dir, 0o700);
  }
}

function read(file: string): string | null {
  try {
    return readFileSync(file, "utf8").trim() || null;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

/** The secret that makes sign-in links and the local node's join token; made once. */
export function setupSecret(state: StateFolder): string {
  const known = read(state.secret);
  if (known !== null) return known;
  const made = randomBytes(32).toString("base64url");
  try {
    writeFileSync(state.secret, `${made}\n`, { mode: 0o600, flag: "wx" });
    return made;
  } catch (error) {
    // Another start was faster: its secret is the one.
    const theirs = read(state.secret);
    if (theirs === null) throw error;
    return theirs;
  }
}

/** The port of the last start, so that bookmarks and joined machines find it again. */
export function lastPort(state: StateFolder): number | null {
  const port = Number(read(state.port));
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : null;
}

export function keepPort(state: StateFolder, port: number): void {
  writeFileSync(state.port, `${port}\n`);
}
