import { createRoute } from "@hono/zod-openapi";
import { Health, PROTOCOL_VERSION } from "@reprise/protocol";
import { routes } from "../context.ts";
import { answers } from "../describe.ts";
import { buildVersion } from "../version.ts";

const health = createRoute({ method: "get", path: "/health", responses: { 200: answers(Health, "It is up.") } });

export const healthRoutes = routes().openapi(health, (c) =>
  c.json({ ok: true as const, version: buildVersion(c.env), protocol_version: PROTOCOL_VERSION }, 200),
);
