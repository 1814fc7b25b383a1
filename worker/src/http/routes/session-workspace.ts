import { createRoute, z } from "@hono/zod-openapi";
import { FilesAnswer, GitAnswer, InnerPath, RepriseError, SessionId, workspaceAccess } from "@reprise/protocol";
import { unwrap } from "../../result.ts";
import { type Ctx, listing, routes } from "../context.ts";
import { answers } from "../describe.ts";
import { statusOrThrow } from "../session.ts";

const params = z.object({ id: SessionId });

const files = createRoute({
  method: "get",
  path: "/sessions/{id}/files",
  request: { params, query: z.object({ path: InnerPath.default("") }) },
  responses: { 200: answers(FilesAnswer, "A folder of its workspace, one level, or the text of a file.") },
});
const git = createRoute({
  method: "get",
  path: "/sessions/{id}/git",
  request: { params, query: z.object({ path: InnerPath.min(1).optional() }) },
  responses: { 200: answers(GitAnswer, "Its repository: branch and changed files, or the diff of one.") },
});

/** The machine of a session whose workspace is open (X3). @throws `workspace_closed` with what is in the way */
async function openWorkspace(c: Ctx, id: string) {
  const status = await statusOrThrow(listing(c), id);
  const access = workspaceAccess(status);
  if (access.kind === "silent") throw new RepriseError("node_unavailable", access.message);
  if (access.kind !== "open") throw new RepriseError("workspace_closed", access.message, { why: access.kind });
  return c.env.NODES.getByName(status.node.id);
}

/** A session's files and git, as its machine shows them: no agent is asked (X3). */
export const workspaceRoutes = routes()
  .openapi(files, async (c) => {
    const { id } = c.req.valid("param");
    const { path } = c.req.valid("query");
    const node = await openWorkspace(c, id);
    const { answer } = unwrap(await node.request({ op: "files", session_id: id, path }));
    if (answer.op !== "files") throw new RepriseError("internal");
    return c.json(answer.files, 200);
  })
  .openapi(git, async (c) => {
    const { id } = c.req.valid("param");
    const { path } = c.req.valid("query");
    const node = await openWorkspace(c, id);
    const { answer } = unwrap(await node.request({ op: "git", session_id: id, path: path ?? null }));
    if (answer.op !== "git") throw new RepriseError("internal");
    return c.json(answer.git, 200);
  });
