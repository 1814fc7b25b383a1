import { existsSync } from "node:fs";
import { AgentInfo, LaunchSpec, MAX_URL_CHARS } from "@reprise/protocol";
import { z } from "zod";
import { readJson } from "../daemon/known.ts";
import { DockerConfig, Runtimes } from "../executors/docker/config.ts";

/** `config.json` in the state folder: what the machine's owner decides (S4). All of it may be absent. */
export const NodeConfig = z.object({
  /** Folders that sessions may work in; none means all that the user may read. */
  roots: z.array(z.string()).default([]),
  /** Agents beside the built-in ones. */
  agents: z
    .array(
      LaunchSpec.pick({ agent_kind: true, agent_name: true, command: true, args: true, env: true }).partial({
        args: true,
        env: true,
      }),
    )
    .default([]),
  /** May people open a shell in a session's workspace? It can do all that the user of the daemon can. */
  shell: z.enum(["on", "off"]).default("on"),
  /** May `npx -y` fetch an agent's adapter at its first start? */
  npx: z.boolean().default(false),
  /** Where the control plane may call this machine, once its owner has approved that there too (N7). */
  agentctl_url: z
    .url({ protocol: /^https?$/ })
    .max(MAX_URL_CHARS)
    .optional(),
  /** Where the daemon listens for that: `host:port`. */
  listen: z
    .string()
    .regex(/^.*:\d{1,5}$/, "looks like 0.0.0.0:7443")
    .optional(),
  /** What sessions may run in. */
  runtimes: Runtimes,
  /** How containers are made; needed where `runtimes` has docker. */
  docker: DockerConfig.optional(),
});
export type NodeConfig = z.infer<typeof NodeConfig>;

/** @throws when the file is there and can't be understood: what its owner forbids must not be overlooked */
export function readConfig(path: string): NodeConfig {
  if (!existsSync(path)) return NodeConfig.parse({});
  const parsed = NodeConfig.safeParse(readJson(path));
  if (parsed.success && parsed.data.runtimes.includes("docker") && !parsed.data.docker)
    throw new Error(`${path}: runtimes has docker, but docker.image says not what its containers are made of`);
  if (parsed.success && parsed.data.agentctl_url !== undefined && parsed.data.listen === undefined)
    throw new Error(`${path}: agentctl_url says where this machine is called, but listen doesn't say where it answers`);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new Error(`${path}: ${issue?.path.map(String).join(".") ?? ""} ${issue?.message ?? "is not understood"}`);
}

/** `agents.json`: what was learned of each program, as long as it is the same one. */
export const ProbeCache = z.object({
  /** By how it was started. */
  probes: z.record(z.string(), z.object({ stamp: z.string(), agent: AgentInfo })).default({}),
  /** By command. */
  versions: z.record(z.string(), z.object({ stamp: z.string(), version: z.string() })).default({}),
});
export type ProbeCache = z.infer<typeof ProbeCache>;
