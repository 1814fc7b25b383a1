import { type KeptConversation, type LaunchSpec, MAX_CONVERSATIONS, ResumeId, type Runtime } from "@reprise/protocol";
import { Gate } from "../../daemon/gate.ts";
import { LISTINGS } from "../../limits.ts";
import { workspaceRoot } from "../../workspace/inner.ts";
import { WorkspaceProblem } from "../../workspace/problem.ts";
import type { Roots } from "../../workspace/roots.ts";
import { whichCommand } from "../find.ts";
import type { Env } from "../folders.ts";
import { listedByAgent } from "./acp.ts";
import { claudeConversations } from "./claude.ts";
import { codexConversations } from "./codex.ts";
import { geminiConversations } from "./gemini.ts";
import { opencodeConversations } from "./opencode.ts";

export interface Asked {
  spec: LaunchSpec;
  cwd: string;
  runtime: Runtime;
}

type Reader = (cwd: string, env: Env) => Promise<KeptConversation[]>;

/** Agents whose conversations are read from their files. */
const IN_FILES = new Map<string, Reader>([
  ["claude-code", claudeConversations],
  ["codex", codexConversations],
  ["gemini", geminiConversations],
]);

const starts = new Gate(LISTINGS);

/**
 * The conversations that an agent has kept of a folder, newest first: those that a new session can start from.
 * @throws WorkspaceProblem where the folder isn't allowed or there (S4), or the agent can't say
 */
export async function listConversations({ spec, cwd, runtime }: Asked, roots: Roots): Promise<KeptConversation[]> {
  if (runtime === "docker")
    throw new WorkspaceProblem(
      "conversations_unlisted",
      "In Docker, conversations lie in each session's own container.",
    );
  const real = await workspaceRoot(cwd, roots);
  const kept = await of(spec, real);
  // An id that nobody may ask for is nothing to pick.
  return kept.filter(({ id }) => ResumeId.safeParse(id).success).slice(0, MAX_CONVERSATIONS);
}

async function of(spec: LaunchSpec, cwd: string): Promise<KeptConversation[]> {
  const told = await asked(spec, cwd);
  if (told !== null) return told;
  const read = IN_FILES.get(spec.agent_kind);
  if (read) return await read(cwd, { ...process.env, ...spec.env });
  throw new WorkspaceProblem(
    "conversations_unlisted",
    `${spec.agent_name} doesn't list the conversations it has kept.`,
  );
}

/** @returns null where the agent itself doesn't say */
async function asked(spec: LaunchSpec, cwd: string): Promise<KeptConversation[] | null> {
  if (spec.driver === "acp") return await started(spec, () => listedByAgent(spec, cwd));
  return spec.agent_kind === "opencode" ? await started(spec, () => opencodeConversations(spec, cwd)) : null;
}

/** Programs are started a few at a time. */
async function started<T>(spec: LaunchSpec, work: () => Promise<T>): Promise<T> {
  if (whichCommand(spec.command, spec.env["PATH"]) === null)
    throw new WorkspaceProblem("agent_failed", `The command ${spec.command} isn't on this machine's PATH.`);
  return await starts.run(work);
}
