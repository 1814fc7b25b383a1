import {
  inboxGroup,
  isTerminal,
  type NodeView,
  type SessionFacts,
  type SessionStatus,
  sessionStatus,
} from "@reprise/protocol";
import type { Db } from "../db/db.ts";
import { type NodeRow, nodeRows } from "../db/nodes.ts";
import { type SessionFilter, type SessionRow, sessionRows } from "../db/sessions.ts";
import type { Env } from "../env.ts";
import { FACTS_CONCURRENCY, type Limits } from "../limits.ts";
import type { NodeReport } from "../node/rpc.ts";
import { callObject, mapBounded, within } from "../objects.ts";

export interface ListingContext {
  env: Env;
  db: Db;
  limits: Limits;
  now: number;
  /** How many objects this listing has asked: what it cost (T1). */
  asked?: { nodes: number; sessions: number };
}

interface Known {
  facts: SessionFacts;
  attached: boolean;
  /** The session should have been asked and did not answer in time: as D1 knew it last. */
  stale: boolean;
}

export interface ListFilter extends SessionFilter {
  /** Always by the sessions' own word. */
  fresh?: boolean;
  /** What the caller has attached itself (T1). */
  exclude?: ReadonlySet<string> | undefined;
}

/**
 * Which sessions exist and how they are: the one function that every list, count and badge derives from (T1). D1 says
 * what exists; each involved node's object is asked once; a session's own object where versions disagree, or where its
 * node is silent and it isn't over. Reading changes nothing (T2).
 */
export async function listSessions(ctx: ListingContext, filter: ListFilter): Promise<SessionStatus[]> {
  const [all, nodes] = await Promise.all([sessionRows(ctx.db, filter), nodeRows(ctx.db)]);
  const rows = all.filter((row) => !filter.exclude?.has(row.id));
  const nodeById = new Map(nodes.map((node) => [node.id, node]));
  const reports = await askNodes(ctx, rows);
  // For all of them together: a thousand that are late are no later than one.
  const until = Date.now() + ctx.limits.facts_ms;
  const statuses = await mapBounded(rows, FACTS_CONCURRENCY, async (row): Promise<SessionStatus | null> => {
    const node = nodeById.get(row.node_id);
    if (!node) {
      console.error("session of a node without a row", { session_id: row.id, node_id: row.node_id });
      return null;
    }
    const report = reports.get(row.node_id) ?? null;
    const known = await factsOf(ctx, row, report, filter.fresh ?? false, until);
    // Never created after all, or disposed meanwhile.
    if (known === null || known.facts.end_reason === "disposed") return null;
    if (!known.facts.listed && !filter.unlisted) return null;
    return sessionStatus({
      facts: known.facts,
      node: nodeView(node, report, row.id),
      attached: known.attached,
      stale: known.stale,
      now: ctx.now,
    });
  });
  return statuses.filter((status) => status !== null);
}

/** One session, always by its own object's word. @returns null for an unknown one, never a sibling's answer. */
export async function statusOf(ctx: ListingContext, sessionId: string): Promise<SessionStatus | null> {
  const [status] = await listSessions(ctx, { ids: [sessionId], unlisted: true, fresh: true });
  return status ?? null;
}

export function countSessions(sessions: readonly SessionStatus[]) {
  const groups = sessions.map(inboxGroup);
  return {
    count: sessions.length,
    needs_you: groups.filter((group) => group === "needs_you").length,
    working: groups.filter((group) => group === "working").length,
  };
}

async function askNodes(ctx: ListingContext, rows: readonly SessionRow[]): Promise<Map<string, NodeReport | null>> {
  const byNode = new Map<string, string[]>();
  for (const row of rows) byNode.set(row.node_id, [...(byNode.get(row.node_id) ?? []), row.id]);
  const asked = [...byNode].map(async ([nodeId, ids]) => {
    if (ctx.asked) ctx.asked.nodes += 1;
    const call = callObject(() => ctx.env.NODES.getByName(nodeId).report(ids));
    return [nodeId, await answered(within(ctx.limits.report_ms, call), { node_id: nodeId })] as const;
  });
  return new Map(await Promise.all(asked));
}

async function factsOf(
  ctx: ListingContext,
  row: SessionRow,
  report: NodeReport | null,
  fresh: boolean,
  until: number,
): Promise<Known | null> {
  const stored = row.facts && {
    facts: row.facts,
    // Who had it open is asked; without an answer nobody is known to.
    attached: false,
    stale: false,
  };
  if (stored && !fresh && !mustAsk(stored.facts, report)) return stored;
  const left = until - Date.now();
  if (stored && left <= 0) return { ...stored, stale: true };
  if (ctx.asked) ctx.asked.sessions += 1;
  const call = callObject(() => ctx.env.SESSIONS.getByName(row.id).facts());
  const told = await answered(within(Math.max(left, 1), wrap(call)), { session_id: row.id });
  if (told === null) return stored && { ...stored, stale: true };
  return told.value && { ...told.value, stale: false };
}

/**
 * After a crash a commit may not have been pushed: then only the session itself knows. So it does of who has it open: a
 * control plane that was killed told nobody that they were cut off.
 */
function mustAsk(facts: SessionFacts, report: NodeReport | null): boolean {
  if (report?.versions[facts.session_id] !== facts.version) return true;
  if (report.attached.includes(facts.session_id)) return true;
  return report.node.presence !== "online" && !isTerminal(facts.state);
}

/** A node as its object told, or, where that didn't answer in time, as it last was: never "offline" by a time-out (T3). */
function nodeView(row: NodeRow, report: NodeReport | null, sessionId: string): NodeView {
  if (report) return { ...report.node, name: row.name, entry: report.entries[sessionId] ?? null };
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    presence: row.presence === "offline" ? "offline" : "reconnecting",
    since: row.presence_since,
    reason: row.presence === "offline" ? row.presence_reason : "Asking about this machine takes too long.",
    heard_at: row.as_of,
    as_of: row.as_of,
    entry: null,
  };
}

/** `null` is an answer of its own here: keep it apart from a time-out's. */
async function wrap<T>(call: Promise<T>): Promise<{ value: T }> {
  return { value: await call };
}

/** A failed call is like a late one: what was last known is shown, and the failure is logged. */
async function answered<T>(call: Promise<T | null>, about: Record<string, string>): Promise<T | null> {
  try {
    const value = await call;
    if (value === null) console.warn("no answer in time", about);
    return value;
  } catch (error) {
    console.error("no answer", { ...about, error: error instanceof Error ? error.message : String(error) });
    return null;
  }
}
