import { createRoute, z } from "@hono/zod-openapi";
import { JoinToken, RepriseError } from "@reprise/protocol";
import { sameSecret } from "../../auth/secrets.ts";
import { createSignInLink } from "../../auth/store.ts";
import { newJoinToken } from "../../db/nodes.ts";
import { type Ctx, originOf, routes } from "../context.ts";
import { answers } from "../describe.ts";
import { bearerOf } from "../guard.ts";
import { joinCommand } from "../join.ts";

const Link = z.object({ url: z.string(), expires_at: z.number() });

const signInLink = createRoute({
  method: "post",
  path: "/setup/sign-in-link",
  responses: { 200: answers(Link, "A link that signs one browser in, once.") },
});
const joinToken = createRoute({
  method: "post",
  path: "/setup/join-token",
  responses: { 200: answers(JoinToken, "A token by which the local node joins.") },
});

/** Only who holds the setup secret: the start and deploy scripts. */
async function needsSetupSecret(c: Ctx): Promise<void> {
  const secret = c.env.SETUP_SECRET;
  const given = bearerOf(c);
  if (given === null) throw new RepriseError("unauthenticated");
  if (!secret || !(await sameSecret(given, secret))) throw new RepriseError("invalid_token");
}

export const setupRoutes = routes()
  .openapi(signInLink, async (c) => {
    await needsSetupSecret(c);
    const link = await createSignInLink(c.var.db, c.var.now, c.var.limits);
    return c.json({ url: `${originOf(c)}/sign-in#${link.secret}`, expires_at: link.expires_at }, 200);
  })
  .openapi(joinToken, async (c) => {
    await needsSetupSecret(c);
    const made = await newJoinToken(c.var.db, "local", c.var.now, c.var.limits.join_token_ms);
    return c.json({ ...made, command: joinCommand(originOf(c), made.token) }, 200);
  });
