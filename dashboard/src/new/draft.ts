import type { CreateSession, NodeSummary, Runtime, RuntimeInfo } from "@reprise/protocol";
import { type Offer, whyNotFromKept } from "./offers.ts";

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
  /** The agent's own conversation to go on with, empty while none is chosen; null: a new one. */
  readonly kept: string | null;
}

/** What the machine offers to run sessions in, and which of it a draft means. */
export function runtimesOf(
  node: Pick<NodeSummary, "runtimes"> | undefined,
  wanted: Runtime,
): { readonly offered: readonly RuntimeInfo[]; readonly chosen: Runtime } {
  const offered = node?.runtimes ?? [];
  const known = offered.some((each) => each.runtime === wanted);
  return { offered, chosen: known ? wanted : (offered[0]?.runtime ?? "standalone") };
}

/** Whether it can begin without a word: in its own terminal, or in a conversation that there is. */
export function needsPrompt(draft: Draft, offer: Offer | undefined): boolean {
  return draft.kept === null && offer?.profile.driver !== "terminal";
}

/** The first thing that keeps the form from being sent, by field. */
export function problemOf(
  draft: Draft,
  offer: Offer | undefined,
): { readonly field: keyof Draft; readonly message: string } | null {
  if (draft.node_id === "") return { field: "node_id", message: "Choose a machine." };
  if (draft.profile_id === "") return { field: "profile_id", message: "Choose an agent." };
  if (draft.cwd.trim() === "") return { field: "cwd", message: "Name the folder to work in." };
  if (draft.worktree && draft.branch.trim() === "") return { field: "branch", message: "Name the new branch." };
  if (draft.kept !== null) {
    const refused = offer === undefined ? null : whyNotFromKept(offer);
    if (refused !== null) return { field: "kept", message: refused };
    if (draft.kept.trim() === "") return { field: "kept", message: "Choose a conversation, or paste its id." };
  }
  if (needsPrompt(draft, offer) && draft.prompt.trim() === "")
    return { field: "prompt", message: "Say what should be done: the agent starts with it." };
  return null;
}

/** The request that a draft comes to. */
export function toRequest(draft: Draft, client_id: string, task_id: string | undefined): CreateSession {
  const prompt = draft.prompt.trim();
  return {
    client_id,
    ...(task_id === undefined ? {} : { task_id }),
    node_id: draft.node_id,
    agent_profile_id: draft.profile_id,
    runtime: draft.runtime,
    cwd: draft.cwd.trim(),
    ...(draft.worktree ? { worktree: { branch: draft.branch.trim() } } : {}),
    ...(draft.kept === null ? {} : { resume_session_id: draft.kept.trim() }),
    ...(prompt === "" ? {} : { prompt }),
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
