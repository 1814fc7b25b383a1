import type { OpenAPIHono } from "@hono/zod-openapi";
import { RepriseError } from "@reprise/protocol";
import type { ErrorHandler } from "hono";
import { HTTPException } from "hono/http-exception";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { makeId } from "../ids.ts";
import type { AppEnv, Ctx } from "./context.ts";

function answer(c: Ctx, error: RepriseError): Response {
  return c.json(error.toBody(), error.status as ContentfulStatusCode, { "cache-control": "no-store" });
}

/** Every error leaves as `{ error: { code, message, details? } }`; what we didn't foresee is logged with ids. */
export const onError: ErrorHandler<AppEnv> = (error, c) => {
  if (error instanceof RepriseError) return answer(c, error);
  // Hono's own, for a body that isn't JSON.
  if (error instanceof HTTPException && error.status === 400) return answer(c, new RepriseError("invalid_json"));
  if (error instanceof HTTPException && error.status === 415) {
    return answer(c, new RepriseError("bad_request", "Send the body as JSON, with content-type application/json."));
  }
  const log_id = makeId("log");
  const identity = c.var.identity;
  console.error("request failed", {
    log_id,
    method: c.req.method,
    path: c.req.path,
    identity: identity?.kind ?? null,
    node_id: identity?.kind === "node" ? identity.node_id : null,
    error: error instanceof Error ? (error.stack ?? error.message) : String(error),
  });
  return answer(c, new RepriseError("internal", undefined, { log_id }));
};

const METHODS = ["GET", "POST", "PATCH", "DELETE", "PUT"];

/** An unknown address is 404, a known one with another method 405. */
export function notFound(app: OpenAPIHono<AppEnv>, c: Ctx): Response {
  const others = METHODS.filter((method) => method !== c.req.method && hasRoute(app, method, c.req.path));
  if (others.length === 0) return answer(c, new RepriseError("not_found"));
  const response = answer(c, new RepriseError("method_not_allowed", undefined, { allowed: others }));
  response.headers.set("allow", others.join(", "));
  return response;
}

function hasRoute(app: OpenAPIHono<AppEnv>, method: string, path: string): boolean {
  // Middleware is registered for every method ("ALL").
  return app.router.match(method, path)[0].some(([[, route]]) => route.method === method);
}
