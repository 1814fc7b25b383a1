import { OpenAPIHono } from "@hono/zod-openapi";
import { MAX_BODY_BYTES, RepriseError } from "@reprise/protocol";
import { bodyLimit } from "hono/body-limit";
import { openDb } from "../db/db.ts";
import { limitsOf } from "../limits.ts";
import type { AppEnv } from "./context.ts";
import { notFound, onError } from "./errors.ts";
import { checkHost, guard } from "./guard.ts";
import { openApiDocument } from "./openapi.ts";
import { page } from "./pages.ts";
import { accountRoutes } from "./routes/account.ts";
import { agentctlRoutes } from "./routes/agentctl.ts";
import { tokenRoutes } from "./routes/api-tokens.ts";
import { healthRoutes } from "./routes/health.ts";
import { conversationRoutes } from "./routes/node-conversations.ts";
import { nodeRoutes } from "./routes/nodes.ts";
import { profileRoutes } from "./routes/profiles.ts";
import { actionRoutes } from "./routes/session-actions.ts";
import { terminalRoutes } from "./routes/session-terminals.ts";
import { workspaceRoutes } from "./routes/session-workspace.ts";
import { sessionRoutes } from "./routes/sessions.ts";
import { setupRoutes } from "./routes/setup.ts";
import { socketRoutes } from "./routes/sockets.ts";
import { taskRoutes } from "./routes/tasks.ts";

const app = new OpenAPIHono<AppEnv>();
app.onError(onError);
app.use("*", async (c, next) => {
  c.set("db", openDb(c.env.DB));
  c.set("limits", limitsOf(c.env.LIMITS));
  c.set("now", Date.now());
  c.set("identity", null);
  await next();
});
app.use("*", checkHost);
app.use("/api/*", guard);
app.use(
  "/api/*",
  bodyLimit({
    maxSize: MAX_BODY_BYTES,
    onError: () => {
      throw new RepriseError("too_large", `A body may have ${MAX_BODY_BYTES} bytes.`);
    },
  }),
);
app.use("/api/*", async (c, next) => {
  await next();
  // A socket's answer has headers that can't be changed.
  if (c.res.status !== 101) c.res.headers.set("cache-control", "no-store");
});

const api = app
  .route("/api", healthRoutes)
  .route("/api", setupRoutes)
  .route("/api", accountRoutes)
  .route("/api", tokenRoutes)
  .route("/api", profileRoutes)
  .route("/api", taskRoutes)
  .route("/api", sessionRoutes)
  .route("/api", actionRoutes)
  .route("/api", workspaceRoutes)
  .route("/api", terminalRoutes)
  .route("/api", nodeRoutes)
  .route("/api", conversationRoutes)
  .route("/api", agentctlRoutes);
app.route("/api", socketRoutes);
app.get("/api/openapi.json", (c) => c.json(openApiDocument(api)));

app.notFound((c) => {
  const isPage = c.req.method === "GET" && !/^\/api(\/|$)|\.[a-z0-9]+$/.test(c.req.path);
  return isPage ? page(c) : notFound(app, c);
});

/** The types of every described door, for the sdk's typed client. */
export type AppType = typeof api;
export { app };
