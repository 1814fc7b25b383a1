import { type AgentProfile, CATALOG, defaultSpec, type LaunchSpec, type ProfileCapability } from "@reprise/protocol";
import { and, eq, isNull } from "drizzle-orm";
import { capabilitiesByProfile, forgetCapabilities } from "./capabilities.ts";
import type { Db } from "./db.ts";
import { taskSessions } from "./schema.ts";
import { agentProfiles } from "./schema-config.ts";

type Row = typeof agentProfiles.$inferSelect;
export type NewProfile = LaunchSpec & Pick<AgentProfile, "id" | "name" | "auto_resume" | "built_in">;

/** All profiles; the built-in ones are there from the first look on. */
export async function listProfiles(db: Db, now: number): Promise<AgentProfile[]> {
  const rows = await db.select().from(agentProfiles).orderBy(agentProfiles.created_at, agentProfiles.id);
  const missing = CATALOG.filter((entry) => !rows.some((row) => row.id === builtInId(entry.agent_kind)));
  if (missing.length === 0) {
    const known = await capabilitiesByProfile(db);
    return rows.filter((row) => row.deleted_at === null).map((row) => toProfile(row, known.get(row.id) ?? []));
  }
  for (const entry of missing) {
    await insertProfile(
      db,
      {
        ...defaultSpec(entry),
        id: builtInId(entry.agent_kind),
        name: entry.agent_name,
        auto_resume: "interrupted",
        built_in: true,
      },
      now,
    );
  }
  return listProfiles(db, now);
}

export function builtInId(agentKind: string): string {
  return `prf_${agentKind.replace(/[^a-z0-9]/g, "")}`;
}

export async function findProfile(db: Db, id: string, now: number): Promise<AgentProfile | null> {
  return (await listProfiles(db, now)).find((profile) => profile.id === id) ?? null;
}

export async function insertProfile(db: Db, profile: NewProfile, now: number): Promise<void> {
  await db
    .insert(agentProfiles)
    .values({ ...profile, created_at: now, updated_at: now })
    .onConflictDoNothing();
}

export async function updateProfile(db: Db, id: string, change: Partial<NewProfile>, now: number): Promise<void> {
  await db
    .update(agentProfiles)
    .set({ ...change, updated_at: now })
    .where(eq(agentProfiles.id, id));
  await forgetCapabilities(db, id);
}

/** Every session that was started by this profile and isn't deleted. */
export async function sessionsOfProfile(db: Db, id: string): Promise<string[]> {
  const rows = await db
    .select({ id: taskSessions.id })
    .from(taskSessions)
    .where(and(eq(taskSessions.agent_profile_id, id), isNull(taskSessions.deleted_at)));
  return rows.map((row) => row.id);
}

export async function deleteProfile(db: Db, id: string, now: number): Promise<void> {
  await db.update(agentProfiles).set({ deleted_at: now }).where(eq(agentProfiles.id, id));
}

function toProfile(row: Row, capabilities: ProfileCapability[]): AgentProfile {
  const { deleted_at: _deleted, mode, model, turn_limit_s, ...rest } = row;
  return {
    ...rest,
    capabilities,
    ...(mode === null ? {} : { mode }),
    ...(model === null ? {} : { model }),
    ...(turn_limit_s === null ? {} : { turn_limit_s }),
  };
}
