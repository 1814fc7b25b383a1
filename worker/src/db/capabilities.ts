import type { AgentCapabilities, ProfileCapability, SessionFacts } from "@reprise/protocol";
import { and, eq, lte, sql } from "drizzle-orm";
import type { Db } from "./db.ts";
import { agentProfiles, profileCapabilities } from "./schema-config.ts";

/**
 * Note what a session's agent said of itself, for its profile. Nothing is written while it says the same, and nothing
 * by a session that is older than its profile's last change: it was started another way.
 */
export function noteCapabilities(db: Db, facts: SessionFacts, said: AgentCapabilities, now: number) {
  const capabilities = JSON.stringify(said);
  return db
    .insert(profileCapabilities)
    .select(
      db
        .select({
          profile_id: agentProfiles.id,
          node_id: sql<string>`${facts.node_id}`.as("node_id"),
          runtime: sql<string>`${facts.runtime}`.as("runtime"),
          capabilities: sql<string>`${capabilities}`.as("capabilities"),
          since: sql<number>`${now}`.as("since"),
        })
        .from(agentProfiles)
        .where(and(eq(agentProfiles.id, facts.agent_profile_id), lte(agentProfiles.updated_at, facts.created_at))),
    )
    .onConflictDoUpdate({
      target: [profileCapabilities.profile_id, profileCapabilities.node_id, profileCapabilities.runtime],
      set: { capabilities: sql`excluded.capabilities`, since: now },
      setWhere: sql`${profileCapabilities.capabilities} <> excluded.capabilities`,
    });
}

/** What is known of each profile's agent, by profile and then as in `AgentProfile`. */
export async function capabilitiesByProfile(db: Db): Promise<Map<string, ProfileCapability[]>> {
  const known = new Map<string, ProfileCapability[]>();
  for (const { profile_id, ...one } of await db.select().from(profileCapabilities)) {
    known.set(profile_id, [...(known.get(profile_id) ?? []), one]);
  }
  return known;
}

/** A profile that starts its agent another way has not been asked yet. */
export function forgetCapabilities(db: Db, profileId: string) {
  return db.delete(profileCapabilities).where(eq(profileCapabilities.profile_id, profileId));
}
