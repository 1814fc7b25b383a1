import { type EventsPage, RepriseError, type SessionStatus } from "@reprise/protocol";
import { sessionExists } from "../db/sessions.ts";
import type { Env } from "../env.ts";
import { type ListingContext, statusOf } from "../listing/listing.ts";
import { callObject } from "../objects.ts";
import type { Ctx } from "./context.ts";

/** The object of a session that exists: an unknown id wakes none. */
export async function sessionObject(c: Ctx, id: string): Promise<ReturnType<Env["SESSIONS"]["getByName"]>> {
  if (!(await sessionExists(c.var.db, id))) throw new RepriseError("session_not_found");
  return c.env.SESSIONS.getByName(id);
}

/** What an object that was never created answers with is no answer. */
export function existing<T>(value: T | null): T {
  if (value === null) throw new RepriseError("session_not_found");
  return value;
}

export async function statusOrThrow(ctx: ListingContext, id: string): Promise<SessionStatus> {
  return existing(await statusOf(ctx, id));
}

/** A session's status with its newest rows. */
export async function detailOf(
  ctx: ListingContext,
  id: string,
): Promise<{ status: SessionStatus; events: EventsPage }> {
  const status = await statusOrThrow(ctx, id);
  const page = existing(await callObject(() => ctx.env.SESSIONS.getByName(id).page()));
  return { status, events: page.events };
}
