import {
  type AgentCapabilities,
  type AgentInfo,
  type AgentProfile,
  type CreateSession,
  canResume,
  findBuiltIn,
  type NodeSummary,
  type Runtime,
  type RuntimeInfo,
  saidOn,
} from "@reprise/protocol";

import { installCommand } from "../machines/install.ts";

/** What the form of a new session holds. */
export interface Draft {
  readonly node_id: string;
  readonly profile_id: string;
  /** What it runs in; one that the machine doesn't offer counts as its first. */
  readonly runtime: Runtime;
  readonly cwd: string;
  readonly worktree: boolean;
  readonly branch: string;
  readonly prompt: string;
}

/** An agent profile on one machine: whether it can be started there, and what it can. */
export interface Offer {
  readonly profile: AgentProfile;
  readonly agent: AgentInfo | null;
  /** Of what it starts there, where that is known. */
  readonly version: string | null;
  readonly usable: boolean;
  /** In words: what it can, or what is missing and how to get it. */
  readonly note: string;
}

/** The profiles as a machine can start them; those that work there first. */
export function offersOf(
  profiles: readonly AgentProfile[],
  node: NodeSummary | undefined,
  runtime: Runtime = "standalone",
): Offer[] {
  const said = (profile: AgentProfile) => (node ? saidOn(profile, node.id, runtime) : null);
  // What a container has is its image's to say, when the agent starts in it (R1).
  if (runtime === "docker")
    return profiles.map((profile) => {
      const can = said(profile);
      const note = can ? noteOf(canResume(can)) : "As the machine's image has it";
      return { profile, agent: null, version: null, usable: true, note };
    });
  return profiles
    .map((profile) => {
      const agent = node?.agents.find((each) => each.agent_kind === profile.agent_kind) ?? null;
      return profile.driver === "terminal"
        ? terminalOffer(profile, agent)
        : { version: agent?.version ?? null, ...acpOffer(profile, agent, said(profile)) };
    })
    .toSorted((a, b) => Number(b.usable) - Number(a.usable));
}

function noteOf(resumes: boolean): string {
  return resumes ? "Can resume earlier sessions" : "Can't resume earlier sessions";
}

/** Whether it can resume is its profile's to say; whether it is there, only of the command that the catalog knows. */
function terminalOffer(profile: AgentProfile, agent: AgentInfo | null): Offer {
  const note = noteOf(profile.resume_args != null);
  const known = findBuiltIn(profile.id)?.spec.command === profile.command;
  const terminal = known ? agent?.terminal : null;
  if (terminal == null || terminal.command !== null)
    return { profile, agent, version: terminal?.version ?? null, usable: true, note };
  const how = installCommand(profile, "terminal") ?? "Not installed";
  return { profile, agent, version: null, usable: false, note: how };
}

/** @param said by the agent itself when this profile last started it there */
function acpOffer(
  profile: AgentProfile,
  agent: AgentInfo | null,
  said: AgentCapabilities | null,
): Omit<Offer, "version"> {
  if (said !== null && agent?.status !== "missing")
    return { profile, agent, usable: true, note: noteOf(canResume(said)) };
  if (agent === null) return { profile, agent, usable: true, note: "Not asked yet whether it can resume" };
  switch (agent.status) {
    case "missing":
      return { profile, agent, usable: false, note: installCommand(agent) ?? agent.hint ?? "Not installed" };
    case "failed":
      return { profile, agent, usable: true, note: agent.hint ?? "Did not answer when it was tried" };
    case "unprobed":
      return { profile, agent, usable: true, note: "Not asked yet whether it can resume" };
    case "ready": {
      const note =
        agent.capabilities === null ? "Not asked yet whether it can resume" : noteOf(canResume(agent.capabilities));
      return { profile, agent, usable: true, note };
    }
  }
}

/** What the machine offers to run sessions in, and which of it a draft means. */
export function runtimesOf(
  node: NodeSummary | undefined,
  wanted: Runtime,
): { readonly offered: readonly RuntimeInfo[]; readonly chosen: Runtime } {
  const offered = node?.runtimes ?? [];
  const known = offered.some((each) => each.runtime === wanted);
  return { offered, chosen: known ? wanted : (offered[0]?.runtime ?? "standalone") };
}

/** The first thing that keeps the form from being sent, by field. */
export function problemOf(draft: Draft): { readonly field: keyof Draft; readonly message: string } | null {
  if (draft.node_id === "") return { field: "node_id", message: "Choose a machine." };
  if (draft.profile_id === "") return { field: "profile_id", message: "Choose an agent." };
  if (draft.cwd.trim() === "") return { field: "cwd", message: "Name the folder to work in." };
  if (draft.worktree && draft.branch.trim() === "") return { field: "branch", message: "Name the new branch." };
  if (draft.prompt.trim() === "")
    return { field: "prompt", message: "Say what should be done: the agent starts with it." };
  return null;
}

/** The request that a draft comes to. */
export function toRequest(draft: Draft, client_id: string, task_id: string | undefined): CreateSession {
  return {
    client_id,
    ...(task_id === undefined ? {} : { task_id }),
    node_id: draft.node_id,
    agent_profile_id: draft.profile_id,
    runtime: draft.runtime,
    cwd: draft.cwd.trim(),
    ...(draft.worktree ? { worktree: { branch: draft.branch.trim() } } : {}),
    prompt: draft.prompt.trim(),
  };
}

/** A branch's name from the first words of what should be done. */
export function branchFrom(prompt: string): string {
  const words = prompt
    .toLowerCase()
    .normalize("NFKD")
    .replaceAll(/[^a-z0-9\s-]/g, "")
    .split(/[\s-]+/)
    .filter(Boolean)
    .slice(0, 5);
  return words.length === 0 ? "" : `reprise/${words.join("-").slice(0, 48)}`;
}
