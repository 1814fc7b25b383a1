import {
  type AgentCapabilities,
  type AgentInfo,
  type AgentProfile,
  canResume,
  findBuiltIn,
  type NodeSummary,
  type Runtime,
  saidOn,
} from "@reprise/protocol";
import { installCommand } from "../machines/install.ts";

/** An agent profile on one machine: whether it can be started there, and what it can. */
export interface Offer {
  readonly profile: AgentProfile;
  readonly version: string | null;
  readonly usable: boolean;
  /** Whether it can start from an earlier conversation; null: nobody knows yet. */
  readonly resumes: boolean | null;
  /** In words: what it can, or what is missing and how to get it. */
  readonly note: string;
}

/** The ways to talk with one agent. */
export interface AgentGroup {
  readonly agent_kind: string;
  readonly name: string;
  readonly ways: readonly Offer[];
}

/** The profiles as a machine can start them; those that work there first. */
export function offersOf(
  profiles: readonly AgentProfile[],
  node: NodeSummary | undefined,
  runtime: Runtime = "standalone",
): Offer[] {
  return profiles
    .map((profile) => {
      const said = node ? saidOn(profile, node.id, runtime) : null;
      const agent = node?.agents.find((each) => each.agent_kind === profile.agent_kind) ?? null;
      // What a container has is its image's to say, when the agent starts in it (R1).
      if (runtime === "docker") return inContainer(profile, said);
      return profile.driver === "terminal" ? inTerminal(profile, agent) : inChat(profile, agent, said);
    })
    .toSorted((a, b) => Number(b.usable) - Number(a.usable));
}

function inContainer(profile: AgentProfile, said: AgentCapabilities | null): Offer {
  const resumes = profile.driver === "terminal" ? hasResumeArgs(profile) : said && canResume(said);
  const note = resumes === null ? "As the machine's image has it" : words(resumes);
  return { profile, version: null, usable: true, resumes, note };
}

function hasResumeArgs(profile: AgentProfile): boolean {
  return profile.resume_args !== undefined && profile.resume_args !== null;
}

function words(resumes: boolean | null): string {
  if (resumes === null) return "Not asked yet whether it can resume";
  return resumes ? "Can resume earlier sessions" : "Can't resume earlier sessions";
}

/** What it can is its profile's to say (R1); whether it is there, only of the command that the catalog knows. */
function inTerminal(profile: AgentProfile, agent: AgentInfo | null): Offer {
  const resumes = hasResumeArgs(profile);
  const known = findBuiltIn(profile.id)?.spec.command === profile.command;
  const found = known ? (agent?.terminal ?? null) : null;
  const offer = { profile, version: found?.version ?? null, resumes };
  if (found !== null && found.command === null)
    return { ...offer, usable: false, note: installCommand(profile, "terminal") ?? "Not installed" };
  return { ...offer, usable: true, note: words(resumes) };
}

/** @param said by the agent itself when this profile last started it there */
function inChat(profile: AgentProfile, agent: AgentInfo | null, said: AgentCapabilities | null): Offer {
  const known = said ?? (agent?.status === "ready" ? agent.capabilities : null);
  const resumes = known && canResume(known);
  const offer = { profile, version: agent?.version ?? null, resumes };
  if (agent?.status === "missing") {
    const note = installCommand(profile) ?? agent.hint ?? "Not installed";
    return { ...offer, usable: false, note };
  }
  if (said === null && agent?.status === "failed")
    return { ...offer, usable: true, note: agent.hint ?? "Did not answer when it was tried" };
  return { ...offer, usable: true, note: words(resumes) };
}

/** The offers by agent, in the order of their first ones. */
export function groupsOf(offers: readonly Offer[]): AgentGroup[] {
  return [...Map.groupBy(offers, ({ profile }) => profile.agent_kind)].map(([agent_kind, ways]) => {
    const profile = ways[0]?.profile;
    const own = ways.length === 1 && profile?.built_in === false;
    return { agent_kind, name: (own ? profile.name : profile?.agent_name) ?? agent_kind, ways };
  });
}

/** Those that work in some way on the machine, and the chosen one; all where none does: how to get one is told there. */
export function atHand(groups: readonly AgentGroup[], chosen: string): readonly AgentGroup[] {
  const there = groups.filter(({ ways }) => ways.some(({ usable, profile }) => usable || profile.id === chosen));
  return there.length === 0 ? groups : there;
}

/** A way's name among the others of its agent: how one talks, as long as that tells them apart. */
export function wayName(way: Offer, { ways }: AgentGroup): string {
  const alike = ways.filter(({ profile }) => profile.driver === way.profile.driver);
  if (alike.length > 1) return way.profile.name;
  return way.profile.driver === "terminal" ? "Terminal" : "Chat";
}

/** Why an agent can't start from an earlier conversation; null where it can, or may. */
export function whyNotFromKept({ profile, resumes }: Offer): string | null {
  if (resumes !== false) return null;
  return profile.driver === "terminal"
    ? `${profile.name} has no resume args, so it can't start from an earlier conversation.`
    : `${profile.name} can't resume earlier sessions, so it can't start from one.`;
}
