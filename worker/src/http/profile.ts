import { type AgentProfile, misfit, RepriseError, type UpdateProfile } from "@reprise/protocol";
import type { z } from "zod";
import { findProfile, sessionsOfProfile } from "../db/profiles.ts";
import { FACTS_CONCURRENCY } from "../limits.ts";
import { callObject, mapBounded } from "../objects.ts";
import type { Ctx } from "./context.ts";

type Fields = z.infer<typeof UpdateProfile>;

/**
 * What a person sent of a profile, as it is stored: no resume args are none.
 * @param was what it changes; null: a new one
 * @throws `invalid_field` where the driver has no use for a field
 */
export function profileFields<T extends Fields>(sent: T, was: AgentProfile | null): T {
  const wrong = misfit({ driver: "acp", ...was, ...sent });
  if (wrong) throw new RepriseError("invalid_field", `${wrong.field}: ${wrong.message}`, { field: wrong.field });
  return sent.resume_args?.length === 0 ? { ...sent, resume_args: null } : sent;
}

/** @throws `profile_not_found` */
export async function profileOrThrow(c: Ctx, id: string): Promise<AgentProfile> {
  const found = await findProfile(c.var.db, id, c.var.now);
  if (!found) throw new RepriseError("profile_not_found");
  return found;
}

/** Tell every session that was started by this profile, archived ones too: it is their fact, and lists show theirs. */
export async function tellSessions(c: Ctx, id: string, is: "gone" | "back"): Promise<void> {
  const sessions = await sessionsOfProfile(c.var.db, id);
  await mapBounded(sessions, FACTS_CONCURRENCY, (session) =>
    callObject(() => c.env.SESSIONS.getByName(session).profileIs(is, id)),
  );
}
