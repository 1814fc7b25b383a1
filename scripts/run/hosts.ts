import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sessionPaths } from "../../agentctl-remote/src/host/paths.ts";
import { bootId, isAlive } from "../../agentctl-remote/src/host/process.ts";
import { HostFile } from "../../agentctl-remote/src/host/spawn.ts";

/** The hosts of a node's state folder that run, by their own files. */
export function liveHosts(nodeState: string): HostFile[] {
  const sessions = join(nodeState, "sessions");
  if (!existsSync(sessions)) return [];
  const boot = bootId();
  return readdirSync(sessions).flatMap((name) => {
    const { hostFile } = sessionPaths(join(sessions, name));
    if (!existsSync(hostFile)) return [];
    const file = HostFile.safeParse(JSON.parse(readFileSync(hostFile, "utf8")));
    return file.success && isAlive(file.data, boot) ? [file.data] : [];
  });
}
