import { type NodeKind, type NodeSummary, ONLY_STANDALONE } from "@reprise/protocol";
import { and, eq, gt, isNull } from "drizzle-orm";
import { hashSecret, newSecret } from "../auth/secrets.ts";
import { makeId } from "../ids.ts";
import type { Db } from "./db.ts";
import { joinTokens, nodeCredentials, nodes } from "./schema-config.ts";

export type NodeRow = typeof nodes.$inferSelect;

/** All nodes ever joined; revoked ones too, since sessions still name them. */
export async function nodeRows(db: Db): Promise<NodeRow[]> {
  return db.select().from(nodes).orderBy(nodes.created_at);
}

export async function findNode(db: Db, id: string): Promise<NodeRow | null> {
  const [row] = await db.select().from(nodes).where(eq(nodes.id, id));
  return row ?? null;
}

/** The node that has joined from this machine and wasn't removed. */
export async function nodeOfMachine(db: Db, machineId: string): Promise<NodeRow | null> {
  const [row] = await db
    .select()
    .from(nodes)
    .where(and(eq(nodes.machine_id, machineId), isNull(nodes.revoked_at)));
  return row ?? null;
}

export async function insertNode(
  db: Db,
  node: Pick<NodeRow, "id" | "name" | "kind" | "machine_id" | "state_id" | "hostname" | "platform">,
  now: number,
): Promise<void> {
  await db.insert(nodes).values({
    ...node,
    home: "",
    presence: "offline",
    presence_since: now,
    presence_reason: "It has joined, and hasn't connected yet.",
    agents: [],
    as_of: now,
    created_at: now,
  });
}

/** What a NodeObject tells of itself, on changes of state only. */
export async function writeNode(db: Db, id: string, change: Partial<Omit<NodeRow, "id">>): Promise<void> {
  await db.update(nodes).set(change).where(eq(nodes.id, id));
}

/** A node's only credential: earlier ones end. The secret is in the answer and nowhere else (S2). */
export async function newNodeCredential(db: Db, nodeId: string, now: number): Promise<string> {
  const { secret, hash } = await newSecret("node");
  await db.batch([
    db.delete(nodeCredentials).where(eq(nodeCredentials.node_id, nodeId)),
    db
      .insert(nodeCredentials)
      .values({ id: makeId("credential"), secret_hash: hash, node_id: nodeId, created_at: now }),
  ]);
  return secret;
}

/** @returns the hash of the node's credential; null for a removed one. */
export async function credentialHash(db: Db, nodeId: string): Promise<string | null> {
  const [row] = await db
    .select({ hash: nodeCredentials.secret_hash })
    .from(nodeCredentials)
    .where(eq(nodeCredentials.node_id, nodeId));
  return row?.hash ?? null;
}

export async function dropNodeCredentials(db: Db, nodeId: string): Promise<void> {
  await db.delete(nodeCredentials).where(eq(nodeCredentials.node_id, nodeId));
}

export async function newJoinToken(db: Db, kind: NodeKind, now: number, ttlMs: number) {
  const { secret, hash } = await newSecret("join");
  const expires_at = now + ttlMs;
  await db
    .insert(joinTokens)
    .values({ id: makeId("credential"), secret_hash: hash, kind, created_at: now, expires_at });
  return { token: secret, expires_at };
}

/** Uses a join token up. @returns what it was for, or null when it is used, too old or unknown. */
export async function spendJoinToken(db: Db, token: string, now: number): Promise<NodeKind | null> {
  const [row] = await db
    .update(joinTokens)
    .set({ used_at: now })
    .where(
      and(
        eq(joinTokens.secret_hash, await hashSecret(token)),
        isNull(joinTokens.used_at),
        gt(joinTokens.expires_at, now),
      ),
    )
    .returning({ kind: joinTokens.kind });
  return row?.kind ?? null;
}

/** Whether a join token could be used now, without using it. */
export async function joinTokenValid(db: Db, token: string, now: number): Promise<boolean> {
  const [row] = await db
    .select({ id: joinTokens.id })
    .from(joinTokens)
    .where(
      and(
        eq(joinTokens.secret_hash, await hashSecret(token)),
        isNull(joinTokens.used_at),
        gt(joinTokens.expires_at, now),
      ),
    );
  return row !== undefined;
}

/** A node as its D1 row knows it: for when its object doesn't answer. */
export function summaryOfRow(row: NodeRow): NodeSummary {
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    hostname: row.hostname,
    platform: row.platform,
    home: row.home,
    presence: row.presence,
    since: row.presence_since,
    reason: row.presence_reason,
    daemon_version: row.daemon_version,
    agents: row.agents,
    runtimes: row.runtimes ?? [...ONLY_STANDALONE],
    as_of: row.as_of,
    created_at: row.created_at,
    transport: null,
    refused_copy: null,
    address: null,
    call: null,
  };
}
