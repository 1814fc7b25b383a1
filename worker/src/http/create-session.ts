import {
  type AgentProfile,
  type CreateSession,
  RepriseError,
  type Runtime,
  type SessionStatus,
} from "@reprise/protocol";
import { type NodeRow, summaryOfRow } from "../db/nodes.ts";
import { claimClientId, insertBirth, removeBirth, sessionExists } from "../db/sessions.ts";
import { findTask, insertTask } from "../db/tasks.ts";
import { feed } from "../env.ts";
import { makeId } from "../ids.ts";
import { type Result, unwrap } from "../result.ts";
import type { Birth } from "../session/rpc.ts";
import { type Ctx, listing } from "./context.ts";
import { holdersOf } from "./holders.ts";
import { launchSpec, resumes } from "./launch-spec.ts";
import { nodeOrThrow } from "./node.ts";
import { profileOrThrow } from "./profile.ts";
import { statusOrThrow } from "./session.ts";
import { workspaceFor } from "./workspace.ts";

/** The version of the protocol that brought them. */
const TERMINAL_AGENTS_SINCE = 3;

export interface Created {
  session_id: string;
  task_id: string;
  status: SessionStatus;
}

/** Check all that a session begins with, write that it exists, then let its object begin. */
export async function createSession(c: Ctx, body: CreateSession): Promise<Created> {
  const { db, now } = c.var;
  const node = await nodeOrThrow(c, body.node_id);
  const profile = await profileOrThrow(c, body.agent_profile_id);
  if (profile.driver === "acp" && body.prompt === undefined && body.resume_session_id === undefined) {
    throw new RepriseError("prompt_required", undefined, { field: "prompt" });
  }
  if (body.task_id && !(await findTask(db, body.task_id))) throw new RepriseError("task_not_found");
  const runtime = runtimeOf(node, body.runtime);
  if (body.resume_session_id !== undefined) mustResume(profile, node, runtime);
  if (profile.driver === "terminal") await mustKnowTerminals(c, node);

  let ids = { session_id: makeId("session"), task_id: body.task_id ?? makeId("task") };
  if (body.client_id) {
    const claimed = await claimClientId(db, { client_id: body.client_id, ...ids, now });
    ids = { session_id: claimed.session_id, task_id: claimed.task_id };
    if (claimed.again && (await hasBegun(c, ids.session_id))) return created(c, ids);
  }
  const token = body.resume_session_id ?? null;
  const token_from = token === null ? null : await heldBefore(c, node, profile, token, ids.session_id);
  const workspace = await workspaceFor(c, node, body, ids.session_id);
  const given = body.title ?? titleOf(body.prompt);
  const title = given ?? `${profile.agent_name} in ${body.cwd}`;
  if (!body.task_id) await insertTask(db, { id: ids.task_id, title, now });
  await insertBirth(db, { ...ids, node_id: node.id, profile_id: profile.id, title, now });
  await begin(c, {
    ...ids,
    title,
    title_given: given !== null,
    node_id: node.id,
    node_kind: node.kind,
    state_id: node.state_id,
    runtime,
    profile_id: profile.id,
    auto_resume: profile.auto_resume,
    spec: launchSpec(profile, node, runtime, body),
    workspace,
    prompt: body.prompt ? { prompt_id: makeId("prompt"), blocks: [{ type: "text", text: body.prompt }] } : null,
    token,
    token_from,
    can_resume: resumes(profile, node, runtime),
    created_at: now,
  });
  await feed(c.env).changed([{ type: "task.changed", task_id: ids.task_id }]);
  return created(c, ids);
}

/** S4: the machine's owner decides what sessions run in. */
export function runtimeOf(node: NodeRow, chosen: Runtime | undefined): Runtime {
  const offered = summaryOfRow(node).runtimes.map((one) => one.runtime);
  const wanted = chosen ?? (offered.includes("standalone") ? "standalone" : offered[0]);
  if (wanted !== undefined && offered.includes(wanted)) return wanted;
  const message = `runtime: ${node.name} doesn't run sessions in ${wanted ?? "anything"}. It offers: ${offered.join(", ")}.`;
  throw new RepriseError("invalid_field", message, { field: "runtime" });
}

/** @throws `not_resumable` for a conversation that the profile can't go on with: else it would fail only at its start (R1) */
function mustResume(profile: AgentProfile, node: NodeRow, runtime: Runtime): void {
  if (resumes(profile, node, runtime) !== false) return;
  const why =
    profile.driver === "terminal"
      ? `The profile "${profile.name}" has no resume args, so it can't go on with an earlier conversation. Add them under Settings, Agents.`
      : `${profile.agent_name} can't go on with an earlier conversation, as it says itself on ${node.name}. Start a new one.`;
  const details = { reason: "not_resumable", field: "resume_session_id", agent_profile_id: profile.id };
  throw new RepriseError("not_resumable", why, details);
}

/** A machine that is away says what it knows when it is back. */
async function mustKnowTerminals(c: Ctx, node: NodeRow): Promise<void> {
  const version = await c.env.NODES.getByName(node.id).speaks();
  if (version === null || version >= TERMINAL_AGENTS_SINCE) return;
  throw new RepriseError("agentctl_too_old", `The agentctl on ${node.name} knows no terminal agents. Update it there.`);
}

/**
 * One conversation is one session (C16): said before anything is made.
 * @returns the session that had it and is done with it; null where nobody else has it
 */
async function heldBefore(
  c: Ctx,
  node: NodeRow,
  profile: AgentProfile,
  token: string,
  id: string,
): Promise<string | null> {
  const holder = (await holdersOf(c, node.id, profile.agent_kind, [token])).get(token);
  if (holder === undefined || holder.session_id === id) return null;
  const { session_id, keeps } = holder;
  if (keeps) throw new RepriseError("token_in_use", undefined, { field: "resume_session_id", session_id });
  return session_id;
}

async function begin(c: Ctx, birth: Birth): Promise<void> {
  const released = await letGo(c, birth);
  const result = released.ok ? await c.env.SESSIONS.getByName(birth.session_id).create(birth) : released;
  if (!result.ok) await removeBirth(c.var.db, birth.session_id);
  unwrap(result);
}

/** The conversation leaves the session that is done with it: last of all, for what can't begin takes nothing away. */
async function letGo(c: Ctx, { token, token_from }: Birth): Promise<Result> {
  if (token === null || token_from === null) return { ok: true };
  const released = await c.env.SESSIONS.getByName(token_from).releaseToken(token);
  // One that never came to be holds nothing.
  return released.ok || released.error.code === "session_not_found" ? { ok: true } : released;
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
