import { createRoute, z } from "@hono/zod-openapi";
import {
  AgentProfile,
  CreateProfile,
  findBuiltIn,
  Ok,
  ProfileId,
  ProfileList,
  RepriseError,
  UpdateProfile,
} from "@reprise/protocol";
import { deleteProfile, insertProfile, listProfiles, resetProfile, updateProfile } from "../../db/profiles.ts";
import { feed } from "../../env.ts";
import { makeId } from "../../ids.ts";
import { routes } from "../context.ts";
import { answers, takes } from "../describe.ts";
import { profileFields, profileOrThrow, tellSessions } from "../profile.ts";

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

const reset = createRoute({
  method: "post",
  path: "/agent-profiles/{id}/reset",
  request: { params },
  responses: { 200: answers(AgentProfile, "A built-in profile is as it came, also where it was deleted.") },
});

export const profileRoutes = routes()
  .openapi(list, async (c) => c.json({ profiles: await listProfiles(c.var.db, c.var.now) }, 200))
  .openapi(create, async (c) => {
    const id = makeId("profile");
    await insertProfile(c.var.db, { ...profileFields(c.req.valid("json"), null), id, built_in: false }, c.var.now);
    await feed(c.env).changed([{ type: "profiles.changed" }]);
    return c.json(await profileOrThrow(c, id), 201);
  })
  .openapi(read, async (c) => c.json(await profileOrThrow(c, c.req.valid("param").id), 200))
  .openapi(update, async (c) => {
    const { id } = c.req.valid("param");
    const was = await profileOrThrow(c, id);
    await updateProfile(c.var.db, id, profileFields(c.req.valid("json"), was), c.var.now);
    await feed(c.env).changed([{ type: "profiles.changed" }]);
    return c.json(await profileOrThrow(c, id), 200);
  })
  .openapi(remove, async (c) => {
    const { id } = c.req.valid("param");
    await profileOrThrow(c, id);
    // First: where this fails half-way, the profile is still there to be deleted again.
    await tellSessions(c, id, "gone");
    await deleteProfile(c.var.db, id, c.var.now);
    await feed(c.env).changed([{ type: "profiles.changed" }]);
    return c.json({ ok: true as const }, 200);
  })
  .openapi(reset, async (c) => {
    const { id } = c.req.valid("param");
    const builtIn = findBuiltIn(id);
    if (builtIn === null) {
      await profileOrThrow(c, id);
      throw new RepriseError("profile_not_built_in");
    }
    await resetProfile(c.var.db, builtIn, c.var.now);
    await tellSessions(c, id, "back");
    await feed(c.env).changed([{ type: "profiles.changed" }]);
    return c.json(await profileOrThrow(c, id), 200);
  });
