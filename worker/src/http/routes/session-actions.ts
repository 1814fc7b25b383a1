import { createRoute, z } from "@hono/zod-openapi";
import {
  AnswerApproval,
  EditPrompt,
  Ok,
  PromptAnswer,
  PromptId,
  RecoveryBody,
  RepriseError,
  RequestId,
  ResumeAnswer,
  ResumeBody,
  SendPrompt,
  SessionId,
  SettingsBody,
} from "@reprise/protocol";
import { unwrap } from "../../result.ts";
import { listing, routes } from "../context.ts";
import { answers, takes } from "../describe.ts";
import { specNow } from "../launch-spec.ts";
import { profileOrThrow } from "../profile.ts";
import { sessionObject, statusOrThrow } from "../session.ts";

const params = z.object({ id: SessionId });
const ok = { ok: true as const };

/** A verb without a body, answered by `ok`. */
function verb<M extends "post" | "delete", P extends string>(method: M, path: P, description: string) {
  return createRoute({ method, path, request: { params }, responses: { 200: answers(Ok, description) } });
}

const resume = createRoute({
  method: "post",
  path: "/sessions/{id}/resume",
  request: { params, body: takes(ResumeBody) },
  responses: { 202: answers(ResumeAnswer, "The claim is stored; the launch goes on behind it (R8).") },
});
const prompt = createRoute({
  method: "post",
  path: "/sessions/{id}/prompts",
  request: { params, body: takes(SendPrompt) },
  responses: { 202: answers(PromptAnswer, "Stored (P1). The same id is the same prompt.") },
});
const promptParams = z.object({ id: SessionId, promptId: PromptId });
const edit = createRoute({
  method: "patch",
  path: "/sessions/{id}/prompts/{promptId}",
  request: { params: promptParams, body: takes(EditPrompt) },
  responses: { 200: answers(Ok, "Changed, while it still waits (P2).") },
});
const removePrompt = createRoute({
  method: "delete",
  path: "/sessions/{id}/prompts/{promptId}",
  request: { params: promptParams },
  responses: { 200: answers(Ok, "Taken out of the queue, or discarded.") },
});
const approval = createRoute({
  method: "post",
  path: "/sessions/{id}/permissions/{requestId}",
  request: { params: z.object({ id: SessionId, requestId: RequestId }), body: takes(AnswerApproval) },
  responses: { 200: answers(Ok, "Stored; answered once the host has acknowledged it (P3).") },
});
const recovery = createRoute({
  method: "post",
  path: "/sessions/{id}/recovery",
  request: { params, body: takes(RecoveryBody) },
  responses: { 200: answers(Ok, "Done.") },
});
const settings = createRoute({
  method: "post",
  path: "/sessions/{id}/settings",
  request: { params, body: takes(SettingsBody) },
  responses: { 200: answers(Ok, "Told to the agent.") },
});

export const actionRoutes = routes()
  .openapi(resume, async (c) => {
    const { id } = c.req.valid("param");
    const body = c.req.valid("json");
    const session = await sessionObject(c, id);
    // Of another task it is unknown (R8).
    if (body.task_id && (await statusOrThrow(listing(c), id)).task_id !== body.task_id) {
      throw new RepriseError("session_not_found");
    }
    return c.json(unwrap(await session.resume(body)).answer, 202);
  })
  .openapi(prompt, async (c) => {
    const body = c.req.valid("json");
    const { state } = unwrap(await (await sessionObject(c, c.req.valid("param").id)).prompt(body));
    return c.json({ prompt_id: body.prompt_id, state }, 202);
  })
  .openapi(edit, async (c) => {
    const { id, promptId } = c.req.valid("param");
    unwrap(await (await sessionObject(c, id)).editPrompt(promptId, c.req.valid("json").blocks));
    return c.json(ok, 200);
  })
  .openapi(removePrompt, async (c) => {
    const { id, promptId } = c.req.valid("param");
    unwrap(await (await sessionObject(c, id)).removePrompt(promptId));
    return c.json(ok, 200);
  })
  .openapi(approval, async (c) => {
    const { id, requestId } = c.req.valid("param");
    unwrap(await (await sessionObject(c, id)).answer(requestId, c.req.valid("json")));
    return c.json(ok, 200);
  })
  .openapi(recovery, async (c) => {
    const { id } = c.req.valid("param");
    const { action } = c.req.valid("json");
    const session = await sessionObject(c, id);
    unwrap(await session.recovery(action, action === "start_again" ? await specNow(c, id) : null));
    return c.json(ok, 200);
  })
  .openapi(settings, async (c) => {
    const { agent_profile_id, ...change } = c.req.valid("json");
    const session = await sessionObject(c, c.req.valid("param").id);
    const profile = agent_profile_id && (await profileOrThrow(c, agent_profile_id));
    unwrap(await session.settings(profile ? { ...change, profile } : change));
    return c.json(ok, 200);
  })
  .openapi(verb("post", "/sessions/{id}/cancel", "The turn is being cancelled (P4)."), async (c) => {
    unwrap(await (await sessionObject(c, c.req.valid("param").id)).cancel());
    return c.json(ok, 200);
  })
  .openapi(
    verb("post", "/sessions/{id}/stop", "The stop is stored, and carried out as soon as it can be."),
    async (c) => {
      unwrap(await (await sessionObject(c, c.req.valid("param").id)).stop("stopped"));
      return c.json(ok, 200);
    },
  )
  .openapi(verb("delete", "/sessions/{id}/stop", "The unconfirmed stop is taken back."), async (c) => {
    unwrap(await (await sessionObject(c, c.req.valid("param").id)).undoStop());
    return c.json(ok, 200);
  })
  .openapi(verb("post", "/sessions/{id}/complete", "It is being marked done."), async (c) => {
    unwrap(await (await sessionObject(c, c.req.valid("param").id)).stop("completed"));
    return c.json(ok, 200);
  })
  .openapi(verb("post", "/sessions/{id}/archive", "Out of the way."), async (c) => {
    unwrap(await (await sessionObject(c, c.req.valid("param").id)).archive(true));
    return c.json(ok, 200);
  })
  .openapi(verb("delete", "/sessions/{id}/archive", "Back in the lists."), async (c) => {
    unwrap(await (await sessionObject(c, c.req.valid("param").id)).archive(false));
    return c.json(ok, 200);
  });
