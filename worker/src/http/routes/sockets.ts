import { fieldError, RepriseError, SessionId } from "@reprise/protocol";
import { z } from "zod";
import { feed } from "../../env.ts";
import { upgraded, upgradeFor } from "../../objects.ts";
import { routes } from "../context.ts";
import { sessionObject } from "../session.ts";

/** Where a viewer's copy ends: a place in a log (L2). */
const Cursor = z.object({
  log: z.string().max(100).optional(),
  since: z
    .string()
    .regex(/^\d{1,15}$/, "not a cursor")
    .transform(Number)
    .optional(),
});

/** Sockets of pages and clients: authenticated here, served by their objects. */
export const socketRoutes = routes();

socketRoutes.get("/sessions/:id/ws", async (c) => {
  const id = SessionId.safeParse(c.req.param("id"));
  if (!id.success) throw new RepriseError("session_not_found");
  const cursor = Cursor.safeParse(c.req.query());
  if (!cursor.success) throw fieldError(cursor.error);
  const session = await sessionObject(c, id.data);
  const url = new URL("https://object/viewer");
  const { log, since } = cursor.data;
  if (log !== undefined) url.searchParams.set("log", log);
  if (since !== undefined) url.searchParams.set("since", String(since));
  return upgraded(await session.fetch(upgradeFor(c.req.raw, url.href, {})));
});

socketRoutes.get("/feed/ws", async (c) => {
  return upgraded(await feed(c.env).fetch(upgradeFor(c.req.raw, "https://object/viewer", {})));
});
