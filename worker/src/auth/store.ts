import { RepriseError } from "@reprise/protocol";
import { and, eq, gt, isNull } from "drizzle-orm";
import type { Db } from "../db/db.ts";
import { apiTokens, authSessions, nodeCredentials, people, signInLinks } from "../db/schema-config.ts";
import { makeId } from "../ids.ts";
import { LAST_USED_STEP_MS, type Limits } from "../limits.ts";
import type { Identity } from "./identity.ts";
import { hashSecret, newSecret } from "./secrets.ts";

const OWNER_ID = "usr_owner";

/** The person who runs this server: who came by a sign-in link. */
async function owner(db: Db, now: number): Promise<string> {
  await db.insert(people).values({ id: OWNER_ID, name: "Owner", email: null, created_at: now }).onConflictDoNothing();
  return OWNER_ID;
}

/** The person of an address that Cloudflare Access vouched for. */
export async function personByEmail(db: Db, email: string, now: number): Promise<string> {
  await db
    .insert(people)
    .values({ id: makeId("person"), name: email, email, created_at: now })
    .onConflictDoNothing();
  const [person] = await db.select({ id: people.id }).from(people).where(eq(people.email, email));
  if (!person) throw new RepriseError("internal");
  return person.id;
}

export async function createSignInLink(
  db: Db,
  now: number,
  limits: Limits,
): Promise<{ secret: string; expires_at: number }> {
  const { secret, hash } = await newSecret("link");
  const expires_at = now + limits.sign_in_link_ms;
  await db.insert(signInLinks).values({ id: makeId("credential"), secret_hash: hash, created_at: now, expires_at });
  return { secret, expires_at };
}

/** Trades a link for a browser's session, once (S2). */
export async function signIn(db: Db, link: string, agent: string, now: number): Promise<string> {
  const used = await db
    .update(signInLinks)
    .set({ used_at: now })
    .where(
      and(
        eq(signInLinks.secret_hash, await hashSecret(link)),
        isNull(signInLinks.used_at),
        gt(signInLinks.expires_at, now),
      ),
    )
    .returning({ id: signInLinks.id });
  if (used.length === 0) throw new RepriseError("link_used");
  const person_id = await owner(db, now);
  const { secret, hash } = await newSecret("browser");
  await db.insert(authSessions).values({
    id: makeId("credential"),
    secret_hash: hash,
    person_id,
    created_at: now,
    last_used_at: now,
    agent: agent.slice(0, 300),
  });
  return secret;
}

/** @returns who holds a browser's secret, or null. */
export async function viewerBySecret(db: Db, secret: string, now: number, limits: Limits): Promise<Identity | null> {
  const hash = await hashSecret(secret);
  const [row] = await db.select().from(authSessions).where(eq(authSessions.secret_hash, hash));
  if (!row || now - row.last_used_at > limits.browser_session_ms) return null;
  if (now - row.last_used_at > LAST_USED_STEP_MS) {
    await db.update(authSessions).set({ last_used_at: now }).where(eq(authSessions.id, row.id));
  }
  return { kind: "viewer", person_id: row.person_id, auth_session_id: row.id };
}

export async function apiTokenBySecret(db: Db, secret: string, now: number): Promise<Identity | null> {
  const hash = await hashSecret(secret);
  const [row] = await db.select().from(apiTokens).where(eq(apiTokens.secret_hash, hash));
  if (!row) return null;
  if (now - (row.last_used_at ?? 0) > LAST_USED_STEP_MS) {
    await db.update(apiTokens).set({ last_used_at: now }).where(eq(apiTokens.id, row.id));
  }
  return { kind: "api_token", person_id: row.person_id, token_id: row.id };
}

export async function nodeBySecret(db: Db, secret: string): Promise<Identity | null> {
  const hash = await hashSecret(secret);
  const [row] = await db
    .select({ node_id: nodeCredentials.node_id })
    .from(nodeCredentials)
    .where(eq(nodeCredentials.secret_hash, hash));
  return row ? { kind: "node", node_id: row.node_id } : null;
}
