import { createRoute, z } from "@hono/zod-openapi";
import { AgentProfile, CreateProfile, Ok, ProfileId, ProfileList, UpdateProfile } from "@reprise/protocol";
import { deleteProfile, insertProfile, listProfiles, updateProfile } from "../../db/profiles.ts";
import { feed } from "../../env.ts";
import { makeId } from "../../ids.ts";
import { routes } from "../context.ts";
import { answers, takes } from "../describe.ts";
import { profileOrThrow, tellProfileGone } from "../profile.ts";

const params = z.object({ id: ProfileId });

const list = createRoute({
  method: "get",
  path: "/agent-profiles",
  responses: { 200: answers(ProfileList, "Agents as they are started.") },
});
const create = createRoute({
  method: "post",
  path: "/agent-profiles",
  request: { body: takes(CreateProfile) },
  responses: { 201: answers(AgentProfile, "Made.") },
});
const read = createRoute({
  method: "get",
  path: "/agent-profiles/{id}",
  request: { params },
  responses: { 200: answers(AgentProfile, "One profile.") },
});
const update = createRoute({
  method: "patch",
  path: "/agent-profiles/{id}",
  request: { params, body: takes(UpdateProfile) },
  responses: { 200: answers(AgentProfile, "Changed: sessions keep the copy that they began with.") },
});
const remove = createRoute({
  method: "delete",
  path: "/agent-profiles/{id}",
  request: { params },
  responses: { 200: answers(Ok, "Gone.") },
});

export const profileRoutes = routes()
  .openapi(list, async (c) => c.json({ profiles: await listProfiles(c.var.db, c.var.now) }, 200))
  .openapi(create, async (c) => {
    const id = makeId("profile");
    await insertProfile(c.var.db, { ...c.req.valid("json"), id, built_in: false }, c.var.now);
    await feed(c.env).changed([{ type: "profiles.changed" }]);
    return c.json(await profileOrThrow(c, id), 201);
  })
  .openapi(read, async (c) => c.json(await profileOrThrow(c, c.req.valid("param").id), 200))
  .openapi(update, async (c) => {
    const { id } = c.req.valid("param");
    await profileOrThrow(c, id);
    await updateProfile(c.var.db, id, c.req.valid("json"), c.var.now);
    await feed(c.env).changed([{ type: "profiles.changed" }]);
    return c.json(await profileOrThrow(c, id), 200);
  })
  .openapi(remove, async (c) => {
    const { id } = c.req.valid("param");
    await profileOrThrow(c, id);
    // First: where this fails half-way, the profile is still there to be deleted again.
    await tellProfileGone(c, id);
    await deleteProfile(c.var.db, id, c.var.now);
    await feed(c.env).changed([{ type: "profiles.changed" }]);
    return c.json({ ok: true as const }, 200);
  });
