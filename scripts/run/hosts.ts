import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sessionPaths } from "../../agentctl-remote/src/host/paths.ts";
import { bootId, isAlive } from "../../agentctl-remote/src/host/process.ts";
import { HostFile } from "../../agentctl-remote/src/host/spawn.ts";
import { readSpool } from "../../agentctl-remote/src/host/spool.ts";

/** The hosts of a node's state folder that run, by their own files. */
export function liveHosts(nodeState: string): HostFile[] {
  const sessions = join(nodeState, "sessions");
  if (!existsSync(sessions)) return [];
  const boot = bootId();
  return readdirSync(sessions).flatMap((name) => {
    const { hostFile, spool } = sessionPaths(join(sessions, name));
    if (!existsSync(hostFile)) return [];
    const { data } = HostFile.safeParse(JSON.parse(readFileSync(hostFile, "utf8")));
    if (!data) return [];
    // A number of a container's own names a stranger here: its host lives while it holds the spool.
    const lives = data.runtime === "docker" ? readSpool(spool).state === "locked" : isAlive(data, boot);
    return lives ? [data] : [];
  });
}
