import {
  type AgentInfo,
  type AgentProfile,
  BUILT_INS,
  type BuiltIn,
  commandLineKey,
  type Driver,
  findBuiltIn,
  type NodeSummary,
} from "@reprise/protocol";

/** A profile, and what there is to say of it beside what it holds. */
export interface ListedProfile {
  readonly profile: AgentProfile;
  /** What it was before a person changed it; null: a person made it. */
  readonly builtIn: BuiltIn | null;
  readonly edited: boolean;
  /** Nobody has compared its command line with the program's own help. */
  readonly unverified: boolean;
  /** The machines that have its agent. */
  readonly places: readonly { readonly name: string; readonly version: string | null }[];
}

export interface ProfileList {
  /** Those of a person, and those whose agent some machine has. */
  readonly first: readonly ListedProfile[];
  /** Built-in ones that no machine can start yet. */
  readonly others: readonly ListedProfile[];
  /** Built-in ones that a person deleted. */
  readonly deleted: readonly BuiltIn[];
}

/** @param nodes undefined: not known yet, and then nothing is said to be missing */
export function listOf(profiles: readonly AgentProfile[], nodes: readonly NodeSummary[] | undefined): ProfileList {
  const listed = profiles.map((profile) => listedAs(profile, nodes ?? []));
  const isFirst = (one: ListedProfile) =>
    nodes === undefined || one.builtIn === null || one.edited || one.places.length > 0;
  return {
    first: listed.filter(isFirst),
    others: listed.filter((one) => !isFirst(one)),
    deleted: BUILT_INS.filter((builtIn) => !profiles.some((profile) => profile.id === builtIn.id)),
  };
}

function listedAs(profile: AgentProfile, nodes: readonly NodeSummary[]): ListedProfile {
  const builtIn = findBuiltIn(profile.id);
  const sameLine = builtIn !== null && commandLineKey(profile) === commandLineKey(builtIn.spec);
  return {
    profile,
    builtIn,
    edited: builtIn !== null && !(sameLine && restIsUntouched(profile, builtIn)),
    unverified: sameLine && profile.driver === "terminal" && builtIn.entry.terminal.checked === null,
    places: nodes.flatMap((node) => {
      const there = programOn(node.agents, profile.agent_kind, profile.driver);
      return there === null ? [] : [{ name: node.name, version: there.version }];
    }),
  };
}

function restIsUntouched(profile: AgentProfile, builtIn: BuiltIn): boolean {
  const { name, env, auto_resume, mode, model, turn_limit_s } = profile;
  const extras = [mode, model, turn_limit_s, ...Object.keys(env)];
  return name === builtIn.name && auto_resume === "interrupted" && extras.every((extra) => extra === undefined);
}

/** What a machine has of an agent, to be run by this driver; null: nothing. */
export function programOn(
  agents: readonly AgentInfo[],
  agentKind: string,
  driver: Driver,
): { readonly version: string | null } | null {
  const agent = agents.find((each) => each.agent_kind === agentKind);
  if (driver === "terminal") return agent?.terminal?.command == null ? null : agent.terminal;
  return agent === undefined || agent.command === null ? null : agent;
}
