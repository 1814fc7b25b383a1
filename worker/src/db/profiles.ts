import { type AgentProfile, BUILT_INS, type BuiltIn, type LaunchSpec, type ProfileCapability } from "@reprise/protocol";
import { and, eq, isNull } from "drizzle-orm";
import { asBuiltIn, overdueWrites } from "./built-ins.ts";
import { capabilitiesByProfile, forgetCapabilities } from "./capabilities.ts";
import type { Db } from "./db.ts";
import { taskSessions } from "./schema.ts";
import { agentProfiles } from "./schema-config.ts";

type Row = typeof agentProfiles.$inferSelect;
export type NewProfile = LaunchSpec & Pick<AgentProfile, "id" | "name" | "auto_resume" | "built_in">;

const PLACES = new Map(BUILT_INS.map((builtIn, place) => [builtIn.id, place]));

/** All profiles, in the catalog's order, then a person's own; the built-in ones are there from the first look on. */
export async function listProfiles(db: Db, now: number): Promise<AgentProfile[]> {
  const rows = await db.select().from(agentProfiles).orderBy(agentProfiles.created_at, agentProfiles.id);
  const [first, ...rest] = overdueWrites(db, rows, now);
  if (first !== undefined) {
    await db.batch([first, ...rest]);
    return listProfiles(db, now);
  }
  const known = await capabilitiesByProfile(db);
  const place = (row: Row) => PLACES.get(row.id) ?? PLACES.size;
  return rows
    .filter((row) => row.deleted_at === null)
    .toSorted((a, b) => place(a) - place(b))
    .map((row) => toProfile(row, known.get(row.id) ?? []));
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

type Change = Partial<Omit<typeof agentProfiles.$inferInsert, "id" | "built_in" | "default_line" | "deleted_at">>;

/** @param change what isn't in it stays as it is; null takes a field away */
export async function updateProfile(db: Db, id: string, change: Change, now: number): Promise<void> {
  await db
    .update(agentProfiles)
    .set({ ...change, updated_at: now })
    .where(eq(agentProfiles.id, id));
  await forgetCapabilities(db, id);
}

/** A built-in profile is again as the catalog has it, also where it was deleted. */
export async function resetProfile(db: Db, builtIn: BuiltIn, now: number): Promise<void> {
  const values = { ...asBuiltIn(builtIn), updated_at: now };
  await db
    .insert(agentProfiles)
    .values({ ...values, created_at: now })
    .onConflictDoUpdate({ target: agentProfiles.id, set: values });
  await forgetCapabilities(db, builtIn.id);
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
  const { deleted_at: _deleted, default_line: _line, mode, model, turn_limit_s, ...rest } = row;
  return {
    ...rest,
    capabilities,
    ...(mode === null ? {} : { mode }),
    ...(model === null ? {} : { model }),
    ...(turn_limit_s === null ? {} : { turn_limit_s }),
  };
}
