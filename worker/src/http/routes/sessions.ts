import { createRoute, z } from "@hono/zod-openapi";
import {
  CreatedSession,
  CreateSession,
  EventsPage,
  EventsQuery,
  ListSessions,
  Ok,
  RenameBody,
  SessionCount,
  SessionId,
  SessionList,
  SessionStatus,
} from "@reprise/protocol";
import { buryRow } from "../../db/sessions.ts";
import { feed } from "../../env.ts";
import { countSessions, type ListFilter, listSessions } from "../../listing/listing.ts";
import { unwrap } from "../../result.ts";
import { listing, routes } from "../context.ts";
import { createSession } from "../create-session.ts";
import { answers, takes } from "../describe.ts";
import { detailOf, existing, sessionObject, statusOrThrow } from "../session.ts";

const params = z.object({ id: SessionId });

const list = createRoute({
  method: "get",
  path: "/sessions",
  request: { query: ListSessions },
  responses: { 200: answers(SessionList, "Sessions that exist, and how they are (T1).") },
});
const count = createRoute({
  method: "get",
  path: "/sessions/count",
  request: { query: ListSessions },
  responses: { 200: answers(SessionCount, "The same, counted.") },
});
const create = createRoute({
  method: "post",
  path: "/sessions",
  request: { body: takes(CreateSession) },
  responses: { 201: answers(CreatedSession, "Made: the launch goes on behind it.") },
});
const Detail = z.object({ status: SessionStatus, events: EventsPage });
const read = createRoute({
  method: "get",
  path: "/sessions/{id}",
  request: { params },
  responses: { 200: answers(Detail, "A session with its newest events.") },
});
const status = createRoute({
  method: "get",
  path: "/sessions/{id}/status",
  request: { params },
  responses: { 200: answers(SessionStatus, "How a session is.") },
});
const events = createRoute({
  method: "get",
  path: "/sessions/{id}/events",
  request: { params, query: EventsQuery },
  responses: { 200: answers(EventsPage, "A stretch of its log.") },
});
const rename = createRoute({
  method: "patch",
  path: "/sessions/{id}",
  request: { params, body: takes(RenameBody) },
  responses: { 200: answers(SessionStatus, "Renamed.") },
});
const remove = createRoute({
  method: "delete",
  path: "/sessions/{id}",
  request: { params, query: z.object({ remove_worktree: z.enum(["true", "false"]).default("false") }) },
  responses: { 200: answers(Ok, "Deleted; its machine tears it down as soon as it can (T7).") },
});

function filterOf(query: z.infer<typeof ListSessions>): ListFilter {
  return {
    task_id: query.task_id,
    node_id: query.node_id,
    archived: query.archived === undefined ? undefined : query.archived === "true",
    exclude: new Set((query.exclude ?? "").split(",")),
  };
}

export const sessionRoutes = routes()
  .openapi(list, async (c) => {
    const query = c.req.valid("query");
    const asked = { nodes: 0, sessions: 0 };
    const sessions = await listSessions({ ...listing(c), asked }, filterOf(query));
    // For whoever wonders what a list costs: a browser shows it beside the request's times.
    c.header("server-timing", `nodes;desc="${asked.nodes} asked", sessions;desc="${asked.sessions} asked"`);
    return c.json({ sessions, as_of: c.var.now }, 200);
  })
  .openapi(count, async (c) => {
    const query = c.req.valid("query");
    return c.json(countSessions(await listSessions(listing(c), filterOf(query))), 200);
  })
  .openapi(create, async (c) => c.json(await createSession(c, c.req.valid("json")), 201))
  .openapi(read, async (c) => c.json(await detailOf(listing(c), c.req.valid("param").id), 200))
  .openapi(status, async (c) => c.json(await statusOrThrow(listing(c), c.req.valid("param").id), 200))
  .openapi(events, async (c) => {
    const session = await sessionObject(c, c.req.valid("param").id);
    return c.json(existing(await session.events(c.req.valid("query"))), 200);
  })
  .openapi(rename, async (c) => {
    const { id } = c.req.valid("param");
    unwrap(await (await sessionObject(c, id)).rename(c.req.valid("json").title));
    return c.json(await statusOrThrow(listing(c), id), 200);
  })
  .openapi(remove, async (c) => {
    const { id } = c.req.valid("param");
    const session = await sessionObject(c, id);
    const { task_id } = await statusOrThrow(listing(c), id);
    // Intent before act (T5): its object keeps the order to tear down, and is in no list from here on. The row's tombstone
    // comes second: a session that is gone from D1 can't be asked for again.
    unwrap(await session.remove({ remove_worktree: c.req.valid("query").remove_worktree === "true" }));
    await buryRow(c.var.db, id, c.var.now);
    await feed(c.env).changed([{ type: "task.changed", task_id }]);
    return c.json({ ok: true as const }, 200);
  });
