import { type SessionFacts, SessionFacts as SessionFactsSchema } from "@reprise/protocol";
import { and, desc, eq, inArray, isNotNull, isNull, type SQL } from "drizzle-orm";
import { D1_MAX_IDS } from "../limits.ts";
import type { Db } from "./db.ts";
import { clientIds, executorsRunning, taskSessions } from "./schema.ts";

/** A session's row, with the facts as last told; null where none were told or they no longer fit the schema. */
export interface SessionRow {
  id: string;
  task_id: string;
  node_id: string;
  facts: SessionFacts | null;
}

export interface SessionFilter {
  ids?: readonly string[] | undefined;
  task_id?: string | undefined;
  node_id?: string | undefined;
  /** Undefined: both. */
  archived?: boolean | undefined;
  /** Also those that are in no list (one session, asked by its id). */
  unlisted?: boolean | undefined;
}

/** Which sessions exist (T1), newest first. */
export async function sessionRows(db: Db, filter: SessionFilter): Promise<SessionRow[]> {
  const conditions: SQL[] = [isNull(taskSessions.deleted_at)];
  if (!filter.unlisted) conditions.push(eq(taskSessions.listed, true));
  if (filter.task_id) conditions.push(eq(taskSessions.task_id, filter.task_id));
  if (filter.node_id) conditions.push(eq(taskSessions.node_id, filter.node_id));
  if (filter.archived !== undefined) {
    conditions.push(filter.archived ? isNotNull(taskSessions.archived_at) : isNull(taskSessions.archived_at));
  }
  if (filter.ids) conditions.push(inArray(taskSessions.id, filter.ids.slice(0, D1_MAX_IDS)));
  const rows = await db
    .select({
      id: taskSessions.id,
      task_id: taskSessions.task_id,
      node_id: taskSessions.node_id,
      metadata: taskSessions.metadata,
    })
    .from(taskSessions)
    .where(and(...conditions))
    .orderBy(desc(taskSessions.created_at));
  return rows.map(({ metadata, ...row }) => ({ ...row, facts: parseFacts(row.id, metadata) }));
}

function parseFacts(sessionId: string, metadata: string | null): SessionFacts | null {
  if (metadata === null) return null;
  const parsed = SessionFactsSchema.safeParse(JSON.parse(metadata));
  if (parsed.success) return parsed.data;
  // Written by another version: the object itself is asked instead.
  console.warn("stored facts don't fit", { session_id: sessionId, issue: parsed.error.issues[0]?.path.join(".") });
  return null;
}

/** Whether a session exists: asked before its object is woken. */
export async function sessionExists(db: Db, sessionId: string): Promise<boolean> {
  const [row] = await db
    .select({ id: taskSessions.id })
    .from(taskSessions)
    .where(and(eq(taskSessions.id, sessionId), isNull(taskSessions.deleted_at)));
  return row !== undefined;
}

/** Of these ids, those that are sessions of that node. */
export async function sessionsOfNode(db: Db, nodeId: string, ids: readonly string[]): Promise<Set<string>> {
  const known = new Set<string>();
  for (let at = 0; at < ids.length; at += D1_MAX_IDS) {
    const rows = await db
      .select({ id: taskSessions.id })
      .from(taskSessions)
      .where(and(eq(taskSessions.node_id, nodeId), inArray(taskSessions.id, ids.slice(at, at + D1_MAX_IDS))));
    for (const row of rows) known.add(row.id);
  }
  return known;
}

/** The titles of these sessions, deleted ones left out. */
export async function sessionTitles(db: Db, nodeId: string): Promise<Map<string, string>> {
  const rows = await db
    .select({ id: taskSessions.id, title: taskSessions.title })
    .from(taskSessions)
    .where(and(eq(taskSessions.node_id, nodeId), isNull(taskSessions.deleted_at)));
  return new Map(rows.map((row) => [row.id, row.title]));
}

/**
 * The ids that a create uses: those of the first call with this `client_id`, for ever.
 * @returns whether they are of an earlier call.
 */
export async function claimClientId(
  db: Db,
  claim: { client_id: string; session_id: string; task_id: string; now: number },
): Promise<{ session_id: string; task_id: string; again: boolean }> {
  const { now, ...ids } = claim;
  const claimed = await db
    .insert(clientIds)
    .values({ ...ids, created_at: now })
    .onConflictDoNothing()
    .returning();
  if (claimed.length > 0) return { session_id: claim.session_id, task_id: claim.task_id, again: false };
  const [first] = await db.select().from(clientIds).where(eq(clientIds.client_id, claim.client_id));
  if (!first) throw new Error(`client id ${claim.client_id} was there and is gone`);
  return { session_id: first.session_id, task_id: first.task_id, again: true };
}

/** The birth row: from here on the session exists. */
export async function insertBirth(
  db: Db,
  birth: { session_id: string; task_id: string; node_id: string; profile_id: string; title: string; now: number },
): Promise<void> {
  await db
    .insert(taskSessions)
    .values({
      id: birth.session_id,
      task_id: birth.task_id,
      node_id: birth.node_id,
      agent_profile_id: birth.profile_id,
      title: birth.title,
      state: "CREATED",
      created_at: birth.now,
      listed: true,
      version: 0,
    })
    .onConflictDoNothing();
}

/** A birth that its object refused never was. */
export async function removeBirth(db: Db, sessionId: string): Promise<void> {
  await db.delete(taskSessions).where(and(eq(taskSessions.id, sessionId), eq(taskSessions.version, 0)));
}

/** The tombstone (T5: before anything is torn down). With it goes the token (T6). */
export async function buryRow(db: Db, sessionId: string, now: number): Promise<void> {
  await db.batch([
    db.update(taskSessions).set({ deleted_at: now, listed: false }).where(eq(taskSessions.id, sessionId)),
    db.delete(executorsRunning).where(eq(executorsRunning.session_id, sessionId)),
  ]);
}
