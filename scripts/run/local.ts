import { setTimeout as wait } from "node:timers/promises";
import type { Client } from "@reprise/sdk";
import { Explained } from "../lib/explained.ts";
import { readPidFile, removePidFile, writePidFile } from "../lib/pid-file.ts";
import { endByFile } from "./end.ts";
import { LOOK_MS, NODE_ONLINE_MS } from "./limits.ts";
import { lastPort, type StateFolder, setupSecret } from "./state.ts";

/** The start that runs on this state folder, if there is one, and where it answers. */
export function runningStart(state: StateFolder): { pid: number; origin: string; secret: string } | null {
  const pid = readPidFile(state.pids.start);
  const port = lastPort(state);
  if (pid === null || port === null) return null;
  return { pid, origin: `http://127.0.0.1:${port}`, secret: setupSecret(state) };
}

/** Notes that this process runs the state folder, and ends what a start that was killed has left. */
export async function takeOver(state: StateFolder): Promise<void> {
  writePidFile(state.pids.start, process.pid);
  await Promise.all([endByFile(state.pids.node), endByFile(state.pids.controlPlane), endByFile(state.pids.dashboard)]);
}

/** Takes the note of this process away, unless another start has taken over. */
export function letGo(state: StateFolder): void {
  if (readPidFile(state.pids.start) === process.pid) removePidFile(state.pids.start);
}

/** Waits until the control plane says that the node is there. @param gone rejects when its daemon ended */
export async function nodeOnline(client: Client, nodeId: string, gone: Promise<never>): Promise<void> {
  const until = performance.now() + NODE_ONLINE_MS;
  let last = "it is unknown";
  while (performance.now() < until) {
    const { nodes } = await Promise.race([client.nodes.list(), gone]);
    const node = nodes.find(({ id }) => id === nodeId);
    if (node?.presence === "online") return;
    if (node) last = `it is ${node.presence}${node.reason ? ` (${node.reason})` : ""}`;
    await wait(LOOK_MS);
  }
  throw new Explained(`The local node did not come online within ${NODE_ONLINE_MS / 1000} s: ${last}.`);
}
