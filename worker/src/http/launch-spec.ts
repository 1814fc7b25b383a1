import {
  type AgentProfile,
  type CreateSession,
  canResume,
  commandLineKey,
  findBuiltIn,
  type LaunchSpec,
  type NodeSummary,
  type Runtime,
  resumesByArgs,
  saidOn,
} from "@reprise/protocol";
import { findNode, type NodeRow, summaryOfRow } from "../db/nodes.ts";
import { findProfile } from "../db/profiles.ts";
import { type Ctx, listing } from "./context.ts";
import { statusOrThrow } from "./session.ts";

/** A built-in profile that nobody changed starts its agent the way that the machine found it. */
export function launchSpec(
  profile: AgentProfile,
  node: NodeRow,
  runtime: Runtime,
  chosen: Pick<CreateSession, "mode" | "model">,
): LaunchSpec {
  // Where the machine has it says nothing of a container's own programs.
  const found = runtime === "standalone" ? foundThere(profile, summaryOfRow(node)) : null;
  const { agent_kind, agent_name, driver, env, turn_limit_s } = profile;
  return {
    agent_kind,
    agent_name,
    driver,
    command: found?.command ?? profile.command,
    args: found?.args ?? profile.args,
    env,
    ...(driver === "terminal" ? inTerminal(profile) : {}),
    ...optional("mode", chosen.mode ?? profile.mode),
    ...optional("model", chosen.model ?? profile.model),
    ...(turn_limit_s === undefined ? {} : { turn_limit_s }),
  };
}

function inTerminal({ resume_args, prompt_transport, prompt_args }: AgentProfile): Partial<LaunchSpec> {
  return {
    resume_args: resume_args ?? null,
    prompt_transport: prompt_transport ?? null,
    prompt_args: prompt_args ?? null,
  };
}

/**
 * R1: a terminal agent can where its profile has resume args; an ACP agent as it said itself at its last start there, else
 * as the machine's probe of it says. @returns null where nobody has asked it
 */
export function resumes(profile: AgentProfile, node: NodeRow, runtime: Runtime): boolean | null {
  if (profile.driver === "terminal") return resumesByArgs(profile);
  const said = saidOn(profile, node.id, runtime);
  if (said) return canResume(said);
  if (runtime !== "standalone" || !foundThere(profile, summaryOfRow(node))) return null;
  const agent = node.agents.find((candidate) => candidate.agent_kind === profile.agent_kind);
  return agent?.capabilities ? canResume(agent.capabilities) : null;
}

function optional<K extends string>(key: K, value: string | undefined): { [P in K]?: string } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]: string });
}

function foundThere(profile: AgentProfile, node: NodeSummary): { command: string; args: string[] } | null {
  const untouched = findBuiltIn(profile.id)?.spec;
  // A terminal agent is found by the person's own shell.
  if (untouched?.driver !== "acp" || commandLineKey(profile) !== commandLineKey(untouched)) return null;
  const agent = node.agents.find((candidate) => candidate.agent_kind === profile.agent_kind);
  return agent?.command ? { command: agent.command, args: agent.args } : null;
}

/** How the session's profile starts its agent now; null where the profile or the machine is gone. */
export async function specNow(c: Ctx, id: string): Promise<LaunchSpec | null> {
  const { agent_profile_id, node, runtime } = await statusOrThrow(listing(c), id);
  const [profile, machine] = await Promise.all([
    findProfile(c.var.db, agent_profile_id, c.var.now),
    findNode(c.var.db, node.id),
  ]);
  return profile && machine ? launchSpec(profile, machine, runtime, {}) : null;
}
