import { createRoute, z } from "@hono/zod-openapi";
import { ConversationList, ConversationsQuery, NodeId, RepriseError } from "@reprise/protocol";
import { sessionTitles } from "../../db/sessions.ts";
import { unwrap } from "../../result.ts";
import { routes } from "../context.ts";
import { runtimeOf } from "../create-session.ts";
import { answers } from "../describe.ts";
import { holdersOf } from "../holders.ts";
import { launchSpec } from "../launch-spec.ts";
import { nodeOrThrow } from "../node.ts";
import { profileOrThrow } from "../profile.ts";
import { absolute } from "../workspace.ts";

const list = createRoute({
  method: "get",
  path: "/nodes/{id}/conversations",
  request: { params: z.object({ id: NodeId }), query: ConversationsQuery },
  responses: {
    200: answers(ConversationList, "What that agent has kept of that folder, newest first, and who goes on with it."),
  },
});

/** Where a new session can start from: the agent's own conversations, as its machine finds them. */
export const conversationRoutes = routes().openapi(list, async (c) => {
  const { agent_profile_id, cwd, runtime } = c.req.valid("query");
  const node = await nodeOrThrow(c, c.req.valid("param").id);
  const profile = await profileOrThrow(c, agent_profile_id);
  const chosen = runtimeOf(node, runtime);
  const spec = launchSpec(profile, node, chosen, {});
  const request = { op: "list_conversations" as const, spec, cwd: absolute(cwd, node.home), runtime: chosen };
  const { answer } = unwrap(await c.env.NODES.getByName(node.id).request(request));
  if (answer.op !== "list_conversations") throw new RepriseError("internal");
  const ids = answer.conversations.map(({ id }) => id);
  const [holders, titles] = await Promise.all([
    holdersOf(c, node.id, profile.agent_kind, ids),
    sessionTitles(c.var.db, node.id),
  ]);
  const conversations = answer.conversations.map((one) => {
    const { session_id = "", keeps = false } = holders.get(one.id) ?? {};
    return { ...one, held_by: keeps ? { session_id, title: titles.get(session_id) ?? null } : null };
  });
  return c.json({ conversations }, 200);
});
