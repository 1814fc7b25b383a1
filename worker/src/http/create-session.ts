import {
  type AgentProfile,
  type CreateSession,
  canResume,
  commandLineKey,
  findBuiltIn,
  type LaunchSpec,
  type NodeSummary,
  RepriseError,
  type Runtime,
  type SessionStatus,
  saidOn,
} from "@reprise/protocol";
import { findNode, type NodeRow, summaryOfRow } from "../db/nodes.ts";
import { findProfile } from "../db/profiles.ts";
import { claimClientId, insertBirth, removeBirth, sessionExists } from "../db/sessions.ts";
import { findTask, insertTask } from "../db/tasks.ts";
import { feed } from "../env.ts";
import { makeId } from "../ids.ts";
import { unwrap } from "../result.ts";
import type { Birth } from "../session/rpc.ts";
import { type Ctx, listing } from "./context.ts";
import { statusOrThrow } from "./session.ts";
import { workspaceFor } from "./workspace.ts";

export interface Created {
  session_id: string;
  task_id: string;
  status: SessionStatus;
}

/** Check all that a session begins with, write that it exists, then let its object begin. */
export async function createSession(c: Ctx, body: CreateSession): Promise<Created> {
  const { db, now } = c.var;
  const node = await findNode(db, body.node_id);
  if (!node || node.revoked_at !== null) throw new RepriseError("node_not_found");
  const profile = await findProfile(db, body.agent_profile_id, now);
  if (!profile) throw new RepriseError("profile_not_found");
  if (profile.driver === "acp" && body.prompt === undefined && body.resume_session_id === undefined) {
    throw new RepriseError("prompt_required", undefined, { field: "prompt" });
  }
  if (body.task_id && !(await findTask(db, body.task_id))) throw new RepriseError("task_not_found");

  let ids = { session_id: makeId("session"), task_id: body.task_id ?? makeId("task") };
  if (body.client_id) {
    const claimed = await claimClientId(db, { client_id: body.client_id, ...ids, now });
    ids = { session_id: claimed.session_id, task_id: claimed.task_id };
    if (claimed.again && (await hasBegun(c, ids.session_id))) return created(c, ids);
  }
  const runtime = runtimeOf(node, body);
  const workspace = await workspaceFor(c, node, body, ids.session_id);
  const title = body.title ?? titleOf(body.prompt) ?? `${profile.agent_name} in ${body.cwd}`;
  if (!body.task_id) await insertTask(db, { id: ids.task_id, title, now });
  await insertBirth(db, { ...ids, node_id: node.id, profile_id: profile.id, title, now });
  await begin(c, {
    ...ids,
    title,
    node_id: node.id,
    node_kind: node.kind,
    state_id: node.state_id,
    runtime,
    profile_id: profile.id,
    auto_resume: profile.auto_resume,
    spec: launchSpec(profile, node, runtime, body),
    workspace,
    prompt: body.prompt ? { prompt_id: makeId("prompt"), blocks: [{ type: "text", text: body.prompt }] } : null,
    token: body.resume_session_id ?? null,
    can_resume: resumes(profile, node, runtime),
    created_at: now,
  });
  await feed(c.env).changed([{ type: "task.changed", task_id: ids.task_id }]);
  return created(c, ids);
}

/** S4: the machine's owner decides what sessions run in. */
function runtimeOf(node: NodeRow, body: CreateSession): Runtime {
  const offered = summaryOfRow(node).runtimes.map((one) => one.runtime);
  const wanted = body.runtime ?? (offered.includes("standalone") ? "standalone" : offered[0]);
  if (wanted !== undefined && offered.includes(wanted)) return wanted;
  const message = `runtime: ${node.name} doesn't run sessions in ${wanted ?? "anything"}. It offers: ${offered.join(", ")}.`;
  throw new RepriseError("invalid_field", message, { field: "runtime" });
}

async function begin(c: Ctx, birth: Birth): Promise<void> {
  const result = await c.env.SESSIONS.getByName(birth.session_id).create(birth);
  if (!result.ok) await removeBirth(c.var.db, birth.session_id);
  unwrap(result);
}

/** A create that came before may have stopped half-way: then it is carried on. */
async function hasBegun(c: Ctx, sessionId: string): Promise<boolean> {
  if (!(await sessionExists(c.var.db, sessionId))) return false;
  return (await c.env.SESSIONS.getByName(sessionId).facts()) !== null;
}

async function created(c: Ctx, ids: { session_id: string; task_id: string }): Promise<Created> {
  return { ...ids, status: await statusOrThrow(listing(c), ids.session_id) };
}

/** The first line of what is to be done, cut to a title's length. */
function titleOf(prompt: string | undefined): string | null {
  const line = prompt?.split("\n", 1)[0]?.trim() ?? "";
  if (line === "") return null;
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}

/** A built-in profile that nobody changed starts its agent the way that the machine found it. */
export function launchSpec(
  profile: AgentProfile,
  node: NodeRow,
  runtime: Runtime,
  chosen: Pick<CreateSession, "mode" | "model">,
): LaunchSpec {
  // Where the machine has it says nothing of a container's own programs.
  const found = runtime === "standalone" ? foundThere(profile, summaryOfRow(node)) : null;
  return {
    agent_kind: profile.agent_kind,
    agent_name: profile.agent_name,
    driver: profile.driver,
    command: found?.command ?? profile.command,
    args: found?.args ?? profile.args,
    env: profile.env,
    ...(profile.driver === "terminal" ? inTerminal(profile) : {}),
    ...optional("mode", chosen.mode ?? profile.mode),
    ...optional("model", chosen.model ?? profile.model),
    ...(profile.turn_limit_s === undefined ? {} : { turn_limit_s: profile.turn_limit_s }),
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
 * Of a terminal agent as its profile says; else as the agent said at its last start there, or as the machine's probe of
 * it says (R1).
 */
function resumes(profile: AgentProfile, node: NodeRow, runtime: Runtime): boolean | null {
  if (profile.driver === "terminal") return profile.resume_args != null;
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
