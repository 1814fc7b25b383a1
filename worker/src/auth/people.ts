import { type BrowserSession, RepriseError } from "@reprise/protocol";
import { and, desc, eq } from "drizzle-orm";
import type { z } from "zod";
import type { Db } from "../db/db.ts";
import { apiTokens, authSessions, people } from "../db/schema-config.ts";
import { makeId } from "../ids.ts";
import { newSecret } from "./secrets.ts";

/** The person as pages show them. */
export async function me(db: Db, personId: string): Promise<{ id: string; name: string }> {
  const [person] = await db.select({ id: people.id, name: people.name }).from(people).where(eq(people.id, personId));
  if (!person) throw new RepriseError("unauthenticated");
  return person;
}

export async function browserSessions(
  db: Db,
  personId: string,
  current: string | null,
): Promise<z.infer<typeof BrowserSession>[]> {
  const rows = await db
    .select()
    .from(authSessions)
    .where(eq(authSessions.person_id, personId))
    .orderBy(desc(authSessions.last_used_at));
  return rows.map(({ id, created_at, last_used_at, agent }) => ({
    id,
    created_at,
    last_used_at,
    agent,
    current: id === current,
  }));
}

/** @returns whether there was one. */
export async function endBrowserSession(db: Db, personId: string, id: string): Promise<boolean> {
  const ended = await db
    .delete(authSessions)
    .where(and(eq(authSessions.id, id), eq(authSessions.person_id, personId)))
    .returning({ id: authSessions.id });
  return ended.length > 0;
}

export async function listApiTokens(db: Db, personId: string) {
  return db
    .select({
      id: apiTokens.id,
      name: apiTokens.name,
      created_at: apiTokens.created_at,
      last_used_at: apiTokens.last_used_at,
    })
    .from(apiTokens)
    .where(eq(apiTokens.person_id, personId))
    .orderBy(desc(apiTokens.created_at));
}

/** The secret is in this answer and nowhere else (S2). */
export async function createApiToken(db: Db, personId: string, name: string, now: number) {
  const { secret, hash } = await newSecret("api");
  const token = { id: makeId("credential"), name, created_at: now, last_used_at: null };
  await db.insert(apiTokens).values({ ...token, person_id: personId, secret_hash: hash });
  return { ...token, secret };
}

/** @returns whether there was one. */
export async function deleteApiToken(db: Db, personId: string, id: string): Promise<boolean> {
  const ended = await db
    .delete(apiTokens)
    .where(and(eq(apiTokens.id, id), eq(apiTokens.person_id, personId)))
    .returning({ id: apiTokens.id });
  return ended.length > 0;
}
