import { type AgentProfile, RepriseError } from "@reprise/protocol";
import { findProfile, sessionsOfProfile } from "../db/profiles.ts";
import { FACTS_CONCURRENCY } from "../limits.ts";
import { callObject, mapBounded } from "../objects.ts";
import type { Ctx } from "./context.ts";

/** @throws `profile_not_found` */
export async function profileOrThrow(c: Ctx, id: string): Promise<AgentProfile> {
  const found = await findProfile(c.var.db, id, c.var.now);
  if (!found) throw new RepriseError("profile_not_found");
  return found;
}

/** Tell every session that was started by this profile, archived ones too: it is their fact, and lists show theirs. */
export async function tellProfileGone(c: Ctx, id: string): Promise<void> {
  const sessions = await sessionsOfProfile(c.var.db, id);
  await mapBounded(sessions, FACTS_CONCURRENCY, (session) =>
    callObject(() => c.env.SESSIONS.getByName(session).profileGone(id)),
  );
}
