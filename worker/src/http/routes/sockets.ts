import { RepriseError, SessionId } from "@reprise/protocol";
import { feed } from "../../env.ts";
import { upgraded, upgradeFor } from "../../objects.ts";
import { routes } from "../context.ts";
import { sessionObject } from "../session.ts";

/** Sockets of pages and clients: authenticated here, served by their objects. */
export const socketRoutes = routes();

socketRoutes.get("/sessions/:id/ws", async (c) => {
  const id = SessionId.safeParse(c.req.param("id"));
  if (!id.success) throw new RepriseError("session_not_found");
  const session = await sessionObject(c, id.data);
  const url = new URL("https://object/viewer");
  for (const name of ["log", "since"]) {
    const value = c.req.query(name);
    if (value !== undefined) url.searchParams.set(name, value);
  }
  return upgraded(await session.fetch(upgradeFor(c.req.raw, url.href, {})));
});

socketRoutes.get("/feed/ws", async (c) => {
  return upgraded(await feed(c.env).fetch(upgradeFor(c.req.raw, "https://object/viewer", {})));
});
