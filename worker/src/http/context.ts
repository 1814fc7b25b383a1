import { OpenAPIHono } from "@hono/zod-openapi";
import { fieldError, RepriseError } from "@reprise/protocol";
import type { Context } from "hono";
import type { Identity } from "../auth/identity.ts";
import type { Db } from "../db/db.ts";
import type { Env } from "../env.ts";
import type { Limits } from "../limits.ts";
import type { ListingContext } from "../listing/listing.ts";

/** What every handler finds in its context. */
export interface AppEnv {
  Bindings: Env;
  Variables: {
    db: Db;
    limits: Limits;
    now: number;
    /** null only on the open routes. */
    identity: Identity | null;
  };
}
export type Ctx = Context<AppEnv>;

/** A group of routes whose bad input answers with the field (S6). */
export function routes(): OpenAPIHono<AppEnv> {
  return new OpenAPIHono<AppEnv>({
    defaultHook: (result) => {
      if (!result.success) throw fieldError(result.error);
    },
  });
}

/** The person who asks. @throws `forbidden` for a node, which has no person. */
export function personOf(c: Ctx): string {
  const { identity } = c.var;
  if (identity === null || identity.kind === "node") throw new RepriseError("forbidden");
  return identity.person_id;
}

/** The host name as the caller wrote it. */
export function hostOf(c: Ctx): string {
  return (c.req.header("host") ?? new URL(c.req.url).host).toLowerCase();
}

/** Where this server is reached: for links that a person opens. */
export function originOf(c: Ctx): string {
  return c.env.PUBLIC_ORIGIN ? c.env.PUBLIC_ORIGIN : `${new URL(c.req.url).protocol}//${hostOf(c)}`;
}

/** What the listing needs of a request. */
export function listing(c: Ctx): ListingContext {
  return { env: c.env, db: c.var.db, limits: c.var.limits, now: c.var.now };
}
