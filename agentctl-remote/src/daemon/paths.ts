import { mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { socketPath } from "../host/paths.ts";

/** Where everything of one node lies (docs/architecture.md). */
export interface StatePaths {
  dir: string;
  identity: string;
  config: string;
  lock: string;
  journal: string;
  agents: string;
  sessions: string;
  /** Where a running daemon answers `agentctl status`. */
  door: string;
  log: string;
}

/** @param given `--state DIR`; `~/.reprise` by default */
export function statePaths(given?: string): StatePaths {
  const dir = resolve(given ?? join(homedir(), ".reprise"));
  const door = join(dir, "door");
  return {
    dir,
    identity: join(dir, "identity.json"),
    config: join(dir, "config.json"),
    lock: join(dir, "daemon.lock"),
    journal: join(dir, "commands.db"),
    agents: join(dir, "agents.json"),
    sessions: join(dir, "sessions"),
    door: socketPath(door),
    log: join(dir, "daemon.log"),
  };
}

/** Makes the state folder, for this user alone. */
export function makeStateFolder(paths: StatePaths): void {
  mkdirSync(paths.sessions, { recursive: true, mode: 0o700 });
  mkdirSync(join(paths.dir, "door"), { recursive: true, mode: 0o700 });
}

export function sessionDir(paths: StatePaths, sessionId: string): string {
  return join(paths.sessions, sessionId);
}
