import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { Explained } from "../lib/explained.ts";
import { run } from "../lib/run.ts";
import { agentctlFile, ensureBuilt } from "./built.ts";
import { startLogged } from "./child.ts";
import { JOIN_MS } from "./limits.ts";

export interface NodeOptions {
  /** The node's own state folder. */
  state: string;
  origin: string;
  /** Asked only if it has not joined yet. */
  joinToken: () => Promise<string>;
  log: string;
  pidFile?: string | undefined;
  env?: NodeJS.ProcessEnv | undefined;
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

const Joined = z.object({ joined: z.object({ node_id: z.string(), url: z.string() }).nullable() });

/** Which node the state folder is, if it has joined. */
export function joinedAs(state: string): { node_id: string; url: string } | null {
  const file = join(state, "identity.json");
  if (!existsSync(file)) return null;
  return Joined.parse(JSON.parse(readFileSync(file, "utf8"))).joined;
}

/** Runs one `agentctl` command to its end. @throws with its own words when it fails */
export async function agentctl(args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const late = wait(JOIN_MS, null, { ref: false });
  const running = run(process.execPath, [agentctlFile(), ...args], { env, output: { kind: "capture" } });
  const result = await Promise.race([running, late]);
  if (result === null) throw new Explained(`agentctl ${args[0] ?? ""} did not end within ${JOIN_MS / 1000} s.`);
  if (result.code !== 0) throw new Explained(`${result.output.trimEnd()}\nagentctl ${args[0] ?? ""} failed.`);
}

/** Joins, if it has not yet, and runs the daemon of a node beside the control plane. */
export async function startNode(options: NodeOptions): Promise<LocalNode> {
  await ensureBuilt(["agentctl-remote"], options.say ?? (() => undefined));
  const env = options.env ?? process.env;
  if (joinedAs(options.state) === null) {
    await agentctl(["join", options.origin, await options.joinToken(), "--state", options.state], env);
  }
  const joined = joinedAs(options.state);
  if (joined === null) throw new Explained("The local node joined, but its state folder doesn't say as whom.");
  const { pid, ended, stop, kill9 } = startLogged([agentctlFile(), "up", "--state", options.state], {
    name: "The local node's daemon",
    log: options.log,
    pidFile: options.pidFile,
    env,
  });
  return { nodeId: joined.node_id, pid, ended, stop, kill9 };
}
