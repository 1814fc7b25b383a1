import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { connectHost } from "../../agentctl-remote/src/host/client.ts";
import { sessionPaths } from "../../agentctl-remote/src/host/paths.ts";
import { bootId, isAlive } from "../../agentctl-remote/src/host/process.ts";
import { HostFile } from "../../agentctl-remote/src/host/spawn.ts";
import { HOST_END_MS, LOOK_MS } from "./limits.ts";

export interface LiveHost {
  dir: string;
  file: HostFile;
}

/** The hosts of a node's state folder that run, by their own files. */
export function liveHosts(nodeState: string): LiveHost[] {
  const sessions = join(nodeState, "sessions");
  if (!existsSync(sessions)) return [];
  const boot = bootId();
  return readdirSync(sessions).flatMap((name) => {
    const dir = join(sessions, name);
    const { hostFile } = sessionPaths(dir);
    if (!existsSync(hostFile)) return [];
    const file = HostFile.safeParse(JSON.parse(readFileSync(hostFile, "utf8")));
    return file.success && isAlive(file.data, boot) ? [{ dir, file: file.data }] : [];
  });
}

/**
 * Ends one host and its agent in order: over its socket, where it proves that it is the one.
 * @returns null, or why it still runs
 */
export async function endHost({ dir, file }: LiveHost): Promise<string | null> {
  const nonce = readFileSync(sessionPaths(dir).nonceFile, "utf8").trim();
  const ignore = () => undefined;
  const options = { socket: file.socket, nonce, role: "visitor", onFrame: ignore, onBadFrame: ignore } as const;
  const connected = await connectHost(options);
  if (!connected.ok) return connected.message;
  connected.link.send({ type: "shutdown", command_id: `stop-${process.pid}` });
  const until = performance.now() + HOST_END_MS;
  while (isAlive(file, bootId())) {
    if (performance.now() > until) return `It did not end within ${HOST_END_MS / 1000} s.`;
    await wait(LOOK_MS);
  }
  return null;
}
