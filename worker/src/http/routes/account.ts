import { createRoute, z } from "@hono/zod-openapi";
import { BrowserSessionList, Me, Ok, RepriseError, SignIn } from "@reprise/protocol";
import { FailedAttempts } from "../../auth/attempts.ts";
import { cookieHeader } from "../../auth/cookie.ts";
import { browserSessions, endBrowserSession, me } from "../../auth/people.ts";
import { signIn } from "../../auth/store.ts";
import { hostOf, personOf, routes } from "../context.ts";
import { answers, takes } from "../describe.ts";
import { buildVersion } from "../version.ts";

const signInRoute = createRoute({
  method: "post",
  path: "/sign-in",
  request: { body: takes(SignIn) },
  responses: { 200: answers(Ok, "Signed in: the answer sets the cookie.") },
});
const signOutRoute = createRoute({
  method: "post",
  path: "/sign-out",
  responses: { 200: answers(Ok, "This browser is signed out.") },
});
const meRoute = createRoute({ method: "get", path: "/account/me", responses: { 200: answers(Me, "Who asks.") } });
const listRoute = createRoute({
  method: "get",
  path: "/account/browsers",
  responses: { 200: answers(BrowserSessionList, "Browsers that are signed in.") },
});
const endRoute = createRoute({
  method: "delete",
  path: "/account/browsers/{id}",
  request: { params: z.object({ id: z.string().max(64) }) },
  responses: { 200: answers(Ok, "That browser is signed out.") },
});

const attempts = new FailedAttempts();

export const accountRoutes = routes()
  .openapi(signInRoute, async (c) => {
    const { db, now, limits } = c.var;
    const caller = c.req.header("cf-connecting-ip") ?? "local";
    if (attempts.blocked(caller, now)) throw new RepriseError("rate_limited");
    try {
      const secret = await signIn(db, c.req.valid("json").token, c.req.header("user-agent") ?? "", now);
      c.header("set-cookie", cookieHeader(hostOf(c), secret, Math.floor(limits.browser_session_ms / 1000)));
      return c.json({ ok: true as const }, 200);
    } catch (error) {
      if (error instanceof RepriseError) attempts.record(caller, now);
      throw error;
    }
  })
  .openapi(signOutRoute, async (c) => {
    const { identity } = c.var;
    if (identity?.kind === "viewer" && identity.auth_session_id !== null) {
      await endBrowserSession(c.var.db, identity.person_id, identity.auth_session_id);
    }
    c.header("set-cookie", cookieHeader(hostOf(c), "", 0));
    return c.json({ ok: true as const }, 200);
  })
  .openapi(meRoute, async (c) => {
    return c.json({ person: await me(c.var.db, personOf(c)), version: buildVersion(c.env) }, 200);
  })
  .openapi(listRoute, async (c) => {
    const current = c.var.identity?.kind === "viewer" ? c.var.identity.auth_session_id : null;
    return c.json({ sessions: await browserSessions(c.var.db, personOf(c), current) }, 200);
  })
  .openapi(endRoute, async (c) => {
    if (!(await endBrowserSession(c.var.db, personOf(c), c.req.valid("param").id))) throw new RepriseError("not_found");
    return c.json({ ok: true as const }, 200);
  });
