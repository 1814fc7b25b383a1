import { z } from "zod";
import { NodeId } from "../ids.ts";
import { MAX_PATH_CHARS } from "../limits.ts";
import { AutoResume, Runtime } from "../states.ts";

export const Driver = z.enum(["acp", "terminal"]);
export type Driver = z.infer<typeof Driver>;

/** How a terminal agent gets its first prompt: on its command line, or typed once it is ready. */
export const PromptTransport = z.enum(["argv", "stdin"]);
export type PromptTransport = z.infer<typeof PromptTransport>;

const Env = z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "not the name of a variable"), z.string().max(8_192));

/** What a profile says of how its agent is started. A session keeps the copy that it began with (R2). */
export const LaunchSpec = z.object({
  /** Names the agent in the catalog, or `custom:<slug>`; tokens are unique within it (R2). */
  agent_kind: z.string().regex(/^[a-z0-9][a-z0-9:_-]{0,63}$/),
  agent_name: z.string().min(1).max(80),
  driver: Driver,
  command: z.string().min(1).max(MAX_PATH_CHARS),
  args: z.array(z.string().max(8_192)).max(100),
  env: Env,
  /** Of a terminal agent: what stands before the conversation's id, which goes last. None: it can't resume (R1). */
  resume_args: z.array(z.string().max(8_192)).max(50).nullish(),
  /** Of a terminal agent; `argv` by default. */
  prompt_transport: PromptTransport.nullish(),
  /** Of a terminal agent: what stands before a prompt on the command line, where it is not simply the last word. */
  prompt_args: z.array(z.string().max(8_192)).max(50).nullish(),
  mode: z.string().max(100).optional(),
  model: z.string().max(200).optional(),
  /** A turn's limit in seconds; none by default. */
  turn_limit_s: z.number().int().min(10).max(86_400).optional(),
});
export type LaunchSpec = z.infer<typeof LaunchSpec>;

/** What an ACP agent said of itself at `initialize` (R1). */
export const AgentCapabilities = z.object({
  load_session: z.boolean(),
  resume_session: z.boolean(),
  list_sessions: z.boolean(),
  close_session: z.boolean(),
  prompt_image: z.boolean(),
  prompt_embedded_context: z.boolean(),
});
export type AgentCapabilities = z.infer<typeof AgentCapabilities>;

/** What a profile's agent last said of itself where it was started; the catalog's agents are asked by their machines, too. */
export const ProfileCapability = z.object({
  node_id: NodeId,
  runtime: Runtime,
  capabilities: AgentCapabilities,
  /** Since when it says so. */
  since: z.number(),
});
export type ProfileCapability = z.infer<typeof ProfileCapability>;

export const AgentProfile = LaunchSpec.extend({
  id: z.string(),
  name: z.string().min(1).max(80),
  auto_resume: AutoResume,
  built_in: z.boolean(),
  capabilities: z.array(ProfileCapability).default([]),
  created_at: z.number(),
  updated_at: z.number(),
});
export type AgentProfile = z.infer<typeof AgentProfile>;

export function canResume(c: AgentCapabilities): boolean {
  return c.load_session || c.resume_session;
}

/** What a profile's agent said of itself where it is to be started; null before it ever was. */
export function saidOn(profile: AgentProfile, node_id: string, runtime: Runtime): AgentCapabilities | null {
  return profile.capabilities.find((one) => one.node_id === node_id && one.runtime === runtime)?.capabilities ?? null;
}

/** One agent as a node found it on its machine, and what a probe learned. */
export const AgentInfo = z.object({
  agent_kind: z.string(),
  agent_name: z.string(),
  /** The command as it would be started there; null where it isn't installed. */
  command: z.string().nullable(),
  args: z.array(z.string()),
  version: z.string().nullable(),
  /** `missing`: not on PATH; `unprobed`: there, not yet asked; `ready`: `initialize` answered; `failed`: it did not. */
  status: z.enum(["missing", "unprobed", "ready", "failed"]),
  capabilities: AgentCapabilities.nullable(),
  /** Its own terminal UI, as found there; absent: that agentctl knows none (version 2). */
  terminal: z.object({ command: z.string().nullable(), version: z.string().nullable() }).nullish(),
  /** What is wrong, in words, and how to get it. */
  hint: z.string().max(2_000).nullable(),
});
export type AgentInfo = z.infer<typeof AgentInfo>;
