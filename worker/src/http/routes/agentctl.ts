import { createRoute, z } from "@hono/zod-openapi";
import {
  CONN_HEADER,
  ExchangeAnswer,
  ExchangeBody,
  HeartbeatAnswer,
  HeartbeatBody,
  JoinAnswer,
  JoinRequest,
  RepriseError,
  SessionId,
} from "@reprise/protocol";
import { FailedAttempts } from "../../auth/attempts.ts";
import { sessionsOfNode } from "../../db/sessions.ts";
import { upgraded, upgradeFor } from "../../objects.ts";
import { unwrap } from "../../result.ts";
import { type Ctx, routes } from "../context.ts";
import { answers, takes } from "../describe.ts";
import { joinNode } from "../join.ts";

const join = createRoute({
  method: "post",
  path: "/agentctl/join",
  request: { body: takes(JoinRequest) },
  responses: { 200: answers(JoinAnswer, "Joined. The credential is in this answer and nowhere else.") },
});
const heartbeat = createRoute({
  method: "post",
  path: "/agentctl/heartbeat",
  request: { body: takes(HeartbeatBody) },
  responses: { 200: answers(HeartbeatAnswer, "Commands and wants.") },
});

const exchange = createRoute({
  method: "post",
  path: "/agentctl/sessions/{id}/events",
  request: { params: z.object({ id: SessionId }), body: takes(ExchangeBody) },
  responses: { 200: answers(ExchangeAnswer, "What came down: how far the spool is stored (L1), permits, prompts.") },
});

const attempts = new FailedAttempts();

function nodeId(c: Ctx): string {
  if (c.var.identity?.kind !== "node") throw new RepriseError("forbidden");
  return c.var.identity.node_id;
}

/** A node reaches only its own sessions (S1); others are to it as if they didn't exist. */
async function ownSession(c: Ctx, id: string): Promise<string> {
  const parsed = SessionId.safeParse(id);
  if (!parsed.success) throw new RepriseError("session_not_found");
  const own = await sessionsOfNode(c.var.db, nodeId(c), [parsed.data]);
  if (!own.has(parsed.data)) throw new RepriseError("session_not_found");
  return parsed.data;
}

/** Two daemons with one credential: sessions' doors open for the one that holds the node's place (N6, K2). */
async function holdsPlace(c: Ctx): Promise<void> {
  const conn = c.req.header(CONN_HEADER) ?? null;
  if (!(await c.env.NODES.getByName(nodeId(c)).holds(conn))) throw new RepriseError("node_replaced");
}

const described = routes()
  .openapi(join, async (c) => {
    const caller = c.req.header("cf-connecting-ip") ?? "local";
    if (attempts.blocked(caller, c.var.now)) throw new RepriseError("rate_limited");
    try {
      return c.json(await joinNode(c, c.req.valid("json")), 200);
    } catch (error) {
      if (error instanceof RepriseError && error.code === "join_token_invalid") attempts.record(caller, c.var.now);
      throw error;
    }
  })
  .openapi(heartbeat, async (c) => {
    return c.json(await c.env.NODES.getByName(nodeId(c)).heartbeat(c.req.valid("json")), 200);
  })
  .openapi(exchange, async (c) => {
    const id = await ownSession(c, c.req.valid("param").id);
    const body = c.req.valid("json");
    if (body.hello) await holdsPlace(c);
    const { frames, close } = unwrap(await c.env.SESSIONS.getByName(id).exchange(nodeId(c), body));
    return c.json({ frames, close }, 200);
  });

// Sockets, and what is handed on as it is, are no part of the typed client.
described.get("/agentctl/connect", async (c) => {
  const id = nodeId(c);
  return c.env.NODES.getByName(id).fetch(upgradeFor(c.req.raw, "https://object/connect", {}));
});
described.get("/agentctl/sessions/:id/ws", async (c) => {
  const id = await ownSession(c, c.req.param("id"));
  await holdsPlace(c);
  const request = upgradeFor(c.req.raw, "https://object/node", { "x-reprise-node": nodeId(c) });
  return upgraded(await c.env.SESSIONS.getByName(id).fetch(request));
});
export const agentctlRoutes = described;
