import { RepriseError } from "@reprise/protocol";
import type { MiddlewareHandler } from "hono";
import { ACCESS_HEADER, accessVerifier } from "../auth/access.ts";
import { readCookie } from "../auth/cookie.ts";
import { hostAllowed, originAllowed } from "../auth/host.ts";
import { type Identity, mayReach, reachOf } from "../auth/identity.ts";
import { secretKind } from "../auth/secrets.ts";
import { apiTokenBySecret, nodeBySecret, personByEmail, viewerBySecret } from "../auth/store.ts";
import { type AppEnv, type Ctx, hostOf } from "./context.ts";

const READS = new Set(["GET", "HEAD", "OPTIONS"]);

/** DNS rebinding: a page of another site that points its name at this server (S2). */
export const checkHost: MiddlewareHandler<AppEnv> = async (c, next) => {
  if (!hostAllowed(hostOf(c), c.env)) throw new RepriseError("bad_host");
  await next();
};

/** Who asks, whether they come from our pages, and whether they may (S1, S2). */
export const guard: MiddlewareHandler<AppEnv> = async (c, next) => {
  const reach = reachOf(c.req.path);
  const { identity, byCookie } = reach === "open" ? { identity: null, byCookie: false } : await identify(c);
  c.set("identity", identity);
  const changes = !READS.has(c.req.method) || c.req.header("upgrade") !== undefined;
  if (changes && !originAllowed(c.req.header("origin") ?? null, hostOf(c), c.env, byCookie)) {
    throw new RepriseError("bad_origin");
  }
  if (reach !== "open") {
    if (identity === null) throw new RepriseError("unauthenticated");
    if (!mayReach(identity, reach)) throw new RepriseError("forbidden");
  }
  await next();
};

/** The caller's identity: a bearer secret, a cookie, or Cloudflare Access, whichever comes first. */
export async function identify(c: Ctx): Promise<{ identity: Identity | null; byCookie: boolean }> {
  const { db, now, limits } = c.var;
  const bearer = bearerOf(c);
  if (bearer !== null) {
    const identity = await byBearer(c, bearer);
    if (identity === null) throw new RepriseError("invalid_token");
    return { identity, byCookie: false };
  }
  const cookie = readCookie(c.req.header("cookie") ?? null, hostOf(c));
  const viewer = cookie === null ? null : await viewerBySecret(db, cookie, now, limits);
  if (viewer) return { identity: viewer, byCookie: true };
  const email = await accessEmail(c);
  if (email === null) return { identity: null, byCookie: false };
  const person_id = await personByEmail(db, email, now);
  return { identity: { kind: "viewer", person_id, auth_session_id: null }, byCookie: true };
}

export function bearerOf(c: Ctx): string | null {
  return /^Bearer (\S{1,300})$/i.exec(c.req.header("authorization") ?? "")?.[1] ?? null;
}

async function byBearer(c: Ctx, secret: string): Promise<Identity | null> {
  switch (secretKind(secret)) {
    case "api":
      return apiTokenBySecret(c.var.db, secret, c.var.now);
    case "node":
      return nodeBySecret(c.var.db, secret);
    case "browser":
    case "join":
    case "link":
    case null:
      return null;
  }
}

let access: { key: string; verify: ReturnType<typeof accessVerifier> } | null = null;

async function accessEmail(c: Ctx): Promise<string | null> {
  const { ACCESS_TEAM: team, ACCESS_AUD: audience } = c.env;
  const token = c.req.header(ACCESS_HEADER);
  if (!team || !audience || !token) return null;
  const key = `${team} ${audience}`;
  if (access?.key !== key) access = { key, verify: accessVerifier(team, audience) };
  return access.verify(token);
}
