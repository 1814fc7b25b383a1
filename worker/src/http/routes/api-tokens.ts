import { createRoute, z } from "@hono/zod-openapi";
import { ApiTokenList, CreateApiToken, CreatedApiToken, JoinToken, Ok, RepriseError } from "@reprise/protocol";
import { createApiToken, deleteApiToken, listApiTokens } from "../../auth/people.ts";
import { newJoinToken } from "../../db/nodes.ts";
import { originOf, personOf, routes } from "../context.ts";
import { answers, takes } from "../describe.ts";
import { joinCommand } from "../join.ts";

const list = createRoute({
  method: "get",
  path: "/account/tokens",
  responses: { 200: answers(ApiTokenList, "API tokens, without their secrets.") },
});
const create = createRoute({
  method: "post",
  path: "/account/tokens",
  request: { body: takes(CreateApiToken) },
  responses: { 201: answers(CreatedApiToken, "The token, with its secret, this once.") },
});
const remove = createRoute({
  method: "delete",
  path: "/account/tokens/{id}",
  request: { params: z.object({ id: z.string().max(64) }) },
  responses: { 200: answers(Ok, "It doesn't work any more.") },
});
const joinToken = createRoute({
  method: "post",
  path: "/join-tokens",
  responses: { 201: answers(JoinToken, "A single-use token by which another machine joins.") },
});

export const tokenRoutes = routes()
  .openapi(list, async (c) => c.json({ tokens: await listApiTokens(c.var.db, personOf(c)) }, 200))
  .openapi(create, async (c) => {
    return c.json(await createApiToken(c.var.db, personOf(c), c.req.valid("json").name, c.var.now), 201);
  })
  .openapi(remove, async (c) => {
    if (!(await deleteApiToken(c.var.db, personOf(c), c.req.valid("param").id))) throw new RepriseError("not_found");
    return c.json({ ok: true as const }, 200);
  })
  .openapi(joinToken, async (c) => {
    const made = await newJoinToken(c.var.db, "remote", c.var.now, c.var.limits.join_token_ms);
    return c.json({ ...made, command: joinCommand(originOf(c), made.token) }, 201);
  });
