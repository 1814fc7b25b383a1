import { setTimeout as wait } from "node:timers/promises";
import { loadIdentity, saveIdentity } from "../../agentctl-remote/src/daemon/identity.ts";
import { makeStateFolder, statePaths } from "../../agentctl-remote/src/daemon/paths.ts";
import { Explained } from "../lib/explained.ts";
import { start, stop } from "../lib/run.ts";
import { agentctlFile, ensureBuilt } from "./built.ts";
import { startLogged } from "./child.ts";
import { AGENTCTL_MS } from "./limits.ts";

export interface NodeOptions {
  /** The node's own state folder. */
  state: string;
  origin: string;
  /** Asked only if it has not joined yet. */
  joinToken: () => Promise<string>;
  log: string;
  pidFile?: string | undefined;
  env?: NodeJS.ProcessEnv | undefined;
  /** Runs it in other surroundings, such as a network namespace (child.ts). */
  through?: readonly string[] | undefined;
  say?: ((line: string) => void) | undefined;
}

export interface LocalNode {
  nodeId: string;
  pid: number;
  ended: Promise<string>;
  /** The daemon alone: hosts and their agents live on. */
  stop(): Promise<void>;
  kill9(): Promise<void>;
}

/** Runs one `agentctl` command to its end. @returns what it said @throws with its own words when it fails */
export async function agentctl(
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
  through: readonly string[] = [],
): Promise<string> {
  const [command = process.execPath, ...before] = [...through, process.execPath];
  const running = start(command, [...before, agentctlFile(), ...args], { env, output: { kind: "capture" } });
  const result = await Promise.race([running.done, wait(AGENTCTL_MS, null, { ref: false })]);
  const name = `agentctl ${args[0] ?? ""}`;
  if (result === null) {
    await stop(running.child);
    throw new Explained(`${name} did not end within ${AGENTCTL_MS / 1000} s.`);
  }
  if (result.code !== 0) throw new Explained(`${result.output.trimEnd()}\n${name} failed.`);
  return result.output.trimEnd();
}

/** Whom the state folder has joined as; its control plane is the one here, at whichever port it has now. */
function joinedHere(state: string, origin: string): string | null {
  const paths = statePaths(state);
  makeStateFolder(paths);
  const identity = loadIdentity(paths);
  if (identity.joined && identity.joined.url !== origin) {
    saveIdentity(paths, { ...identity, joined: { ...identity.joined, url: origin } });
  }
  return identity.joined?.node_id ?? null;
}

/** Joins, if it has not yet, and runs the daemon of a node beside the control plane. */
export async function startNode(options: NodeOptions): Promise<LocalNode> {
  await ensureBuilt(["agentctl-remote"], options.say ?? (() => undefined));
  const env = options.env ?? process.env;
  const { state, origin, through } = options;
  if (joinedHere(state, origin) === null) {
    await agentctl(["join", origin, await options.joinToken(), "--state", state], env, through);
  }
  const nodeId = joinedHere(state, origin);
  if (nodeId === null) throw new Explained("The local node joined, but its state folder doesn't say as whom.");
  const daemon = startLogged([agentctlFile(), "up", "--foreground", "--state", state], {
    name: "The local node's daemon",
    log: options.log,
    pidFile: options.pidFile,
    env,
    through,
  });
  return { nodeId, pid: daemon.pid, ended: daemon.ended, stop: daemon.stop, kill9: daemon.kill9 };
}
