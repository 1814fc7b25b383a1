import { createRoute, z } from "@hono/zod-openapi";
import {
  ApproveAddress,
  NodeAnswer,
  NodeDetail,
  NodeId,
  NodeList,
  type NodeRequest,
  Ok,
  PathQuery,
  RenameNode,
  RepriseError,
} from "@reprise/protocol";
import { dropNodeCredentials, writeNode } from "../../db/nodes.ts";
import { sessionTitles } from "../../db/sessions.ts";
import { feed } from "../../env.ts";
import { listNodes } from "../../listing/nodes.ts";
import { addressProblem } from "../../node/address.ts";
import { unwrap } from "../../result.ts";
import { type Ctx, listing, routes } from "../context.ts";
import { answers, takes } from "../describe.ts";
import { nodeOrThrow } from "../node.ts";

const params = z.object({ id: NodeId });
const InspectQuery = z.object({ path: z.string().min(1).max(4_096) });

const list = createRoute({
  method: "get",
  path: "/nodes",
  responses: { 200: answers(NodeList, "Machines that have joined.") },
});
const read = createRoute({
  method: "get",
  path: "/nodes/{id}",
  request: { params },
  responses: { 200: answers(NodeDetail, "A machine, and all that it says runs there.") },
});
const rename = createRoute({
  method: "patch",
  path: "/nodes/{id}",
  request: { params, body: takes(RenameNode) },
  responses: { 200: answers(Ok, "Renamed.") },
});
const remove = createRoute({
  method: "delete",
  path: "/nodes/{id}",
  request: { params },
  responses: { 200: answers(Ok, "Its credential ends, its connections are cut (K2); its sessions stay.") },
});
const complete = createRoute({
  method: "post",
  path: "/nodes/{id}/complete_path",
  request: { params, body: takes(PathQuery) },
  responses: { 200: answers(NodeAnswer, "Folders that begin so.") },
});
const inspect = createRoute({
  method: "post",
  path: "/nodes/{id}/inspect_path",
  request: { params, body: takes(InspectQuery) },
  responses: { 200: answers(NodeAnswer, "What that folder is.") },
});
const rescan = createRoute({
  method: "post",
  path: "/nodes/{id}/rescan",
  request: { params },
  responses: { 200: answers(NodeAnswer, "The agents found there now.") },
});

const approve = createRoute({
  method: "post",
  path: "/nodes/{id}/address",
  request: { params, body: takes(ApproveAddress) },
  responses: { 200: answers(Ok, "The address that it registered may be called, or not any more (N7).") },
});
const callNow = createRoute({
  method: "post",
  path: "/nodes/{id}/call",
  request: { params },
  responses: { 200: answers(Ok, "It is called now, at its approved address.") },
});

async function ask(c: Ctx, id: string, request: NodeRequest): Promise<z.infer<typeof NodeAnswer>> {
  await nodeOrThrow(c, id);
  return unwrap(await c.env.NODES.getByName(id).request(request)).answer;
}

export const nodeRoutes = routes()
  .openapi(list, async (c) => c.json({ nodes: await listNodes(listing(c)) }, 200))
  .openapi(read, async (c) => {
    const { id, name } = await nodeOrThrow(c, c.req.valid("param").id);
    const object = c.env.NODES.getByName(id);
    const [summary, report, titles] = await Promise.all([
      object.summary(),
      object.report(null),
      sessionTitles(c.var.db, id),
    ]);
    const executions = Object.values(report.entries).map((entry) => ({
      ...entry,
      title: titles.get(entry.session_id) ?? null,
      orphan: !titles.has(entry.session_id),
    }));
    return c.json({ ...summary, name, executions }, 200);
  })
  .openapi(rename, async (c) => {
    const { id } = await nodeOrThrow(c, c.req.valid("param").id);
    const { name } = c.req.valid("json");
    await writeNode(c.var.db, id, { name });
    await c.env.NODES.getByName(id).rename(name);
    return c.json({ ok: true as const }, 200);
  })
  .openapi(remove, async (c) => {
    const { id } = await nodeOrThrow(c, c.req.valid("param").id);
    await dropNodeCredentials(c.var.db, id);
    await c.env.NODES.getByName(id).revoke();
    // Last: from here on it is unknown, and a removal cut short before could not be asked for again (K2).
    await writeNode(c.var.db, id, { revoked_at: c.var.now });
    await feed(c.env).changed([{ type: "node.changed", node_id: id }]);
    return c.json({ ok: true as const }, 200);
  })
  .openapi(approve, async (c) => {
    const { id } = await nodeOrThrow(c, c.req.valid("param").id);
    // What makes this server call somebody takes a person: a leaked token must not be able to.
    if (c.var.identity?.kind !== "viewer") throw new RepriseError("forbidden");
    const { url, approved } = c.req.valid("json");
    const problem = approved ? addressProblem(url, c.env.PRIVATE_ADDRESSES === "allowed") : null;
    if (problem) throw new RepriseError("address_refused", problem, { field: "url" });
    if (!(await c.env.NODES.getByName(id).approve(url, approved)))
      throw new RepriseError("address_refused", "The machine has another address by now. Look again.", {
        field: "url",
      });
    return c.json({ ok: true as const }, 200);
  })
  .openapi(callNow, async (c) => {
    const { id } = await nodeOrThrow(c, c.req.valid("param").id);
    if (!(await c.env.NODES.getByName(id).callNow()))
      throw new RepriseError("bad_request", "It is there already, or it has no approved address to be called at.");
    return c.json({ ok: true as const }, 200);
  })
  .openapi(complete, async (c) => {
    const request = { op: "complete_path" as const, prefix: c.req.valid("json").prefix };
    return c.json(await ask(c, c.req.valid("param").id, request), 200);
  })
  .openapi(inspect, async (c) => {
    const request = { op: "inspect_path" as const, path: c.req.valid("json").path };
    return c.json(await ask(c, c.req.valid("param").id, request), 200);
  })
  .openapi(rescan, async (c) => c.json(await ask(c, c.req.valid("param").id, { op: "rescan_agents" }), 200));
