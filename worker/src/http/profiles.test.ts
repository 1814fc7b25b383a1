import { AgentProfile, BUILT_INS, ProfileList } from "@reprise/protocol";
import { beforeEach, describe, expect, it } from "vitest";
import { ask, browser, type Caller } from "../../test/client.ts";
import { LiveSession } from "../../test/session.ts";

let me: Caller;
beforeEach(async () => {
  me = await browser();
});

const PROFILES = "/api/agent-profiles";
const list = async () => ProfileList.parse((await ask(me, "GET", PROFILES)).answer).profiles;
const ids = async () => (await list()).map(({ id }) => id);
const change = async (id: string, body: object) => await ask(me, "PATCH", `${PROFILES}/${id}`, body);
const reset = async (id: string) => await ask(me, "POST", `${PROFILES}/${id}/reset`);

const own = { agent_kind: "custom:mine", agent_name: "Mine", command: "/x", args: [], env: {}, name: "M" };
const acp = { ...own, driver: "acp" };
const terminal = { ...own, driver: "terminal", resume_args: ["--resume"], prompt_transport: "stdin" };
const create = async (body: object) => await ask(me, "POST", PROFILES, body);

describe("built-in profiles", () => {
  it("are there at first use in the catalog's order, over ACP and in the terminal, can be changed and removed, and don't come back", async () => {
    expect(await ids()).toEqual(BUILT_INS.map(({ id }) => id));
    expect((await list()).find(({ id }) => id === "prf_claudecodetui")).toMatchObject({
      name: "Claude Code (terminal)",
      agent_kind: "claude-code",
      driver: "terminal",
      command: "claude",
      resume_args: ["--resume"],
      prompt_transport: "argv",
      built_in: true,
    });
    const changed = await change("prf_codex", { auto_resume: "never" });
    expect(changed.answer).toMatchObject({ auto_resume: "never", command: "codex-acp", args: [] });
    expect((await change("prf_codex", { name: "Mine" })).answer).toMatchObject({ name: "Mine", auto_resume: "never" });
    expect((await ask(me, "DELETE", `${PROFILES}/prf_gemini`)).status).toBe(200);
    expect(await ids()).toEqual(BUILT_INS.map(({ id }) => id).filter((id) => id !== "prf_gemini"));
  });

  it("go back to their default, whatever was changed, and come back where they were deleted", async () => {
    const as = (id: string) => list().then((all) => all.find((profile) => profile.id === id));
    const before = await as("prf_codextui");
    await change("prf_codextui", {
      name: "Mine",
      args: ["--x"],
      env: { A: "1" },
      resume_args: [],
      model: "m",
      turn_limit_s: 60,
      auto_resume: "never",
    });
    expect(await as("prf_codextui")).toMatchObject({ name: "Mine", resume_args: null, model: "m" });
    const { answer } = await reset("prf_codextui");
    expect({ ...AgentProfile.parse(answer), updated_at: 0 }).toEqual({ ...before, updated_at: 0 });
    await ask(me, "DELETE", `${PROFILES}/prf_codextui`);
    expect(await as("prf_codextui")).toBeUndefined();
    expect((await reset("prf_codextui")).status).toBe(200);
    expect(await as("prf_codextui")).toMatchObject({ name: "Codex (terminal)" });
  });

  it("a session of a deleted one says so, and no longer once it is back", async () => {
    const session = await LiveSession.create({ profile_id: "prf_claudecode" });
    await ask(me, "DELETE", `${PROFILES}/prf_claudecode`);
    expect(await session.facts()).toMatchObject({ profile_exists: false });
    await reset("prf_claudecode");
    expect(await session.facts()).toMatchObject({ profile_exists: true });
  });

  it("only they have a default: 409 for one that a person made", async () => {
    const { id } = AgentProfile.parse((await create(acp)).answer);
    expect(await reset(id)).toMatchObject({ status: 409, code: "profile_not_built_in" });
    expect(await reset("prf_unknown1")).toMatchObject({ status: 404, code: "profile_not_found" });
  });
});

describe("a profile of a person's own", () => {
  it("is a profile like any other", async () => {
    expect(await create(acp)).toMatchObject({ status: 201, answer: { built_in: false, auto_resume: "interrupted" } });
    expect(await create(terminal)).toMatchObject({
      status: 201,
      answer: { driver: "terminal", resume_args: ["--resume"], prompt_transport: "stdin" },
    });
  });

  it("R1: no resume args are none, said in either way: it can't resume", async () => {
    for (const resume_args of [[], null, undefined]) {
      expect((await create({ ...terminal, resume_args })).answer).toMatchObject({ resume_args: null });
    }
  });

  it("S6: what its driver has no use for is refused, with the field; at a change, as the whole would be", async () => {
    const refused = { status: 400, code: "invalid_field" };
    for (const field of ["resume_args", "prompt_args"]) {
      const { answer, ...rest } = await create({ ...acp, [field]: ["--x"] });
      expect(rest).toEqual(refused);
      expect(answer).toMatchObject({ error: { details: { field } } });
    }
    expect(await create({ ...acp, prompt_transport: "stdin" })).toMatchObject(refused);
    expect(await create({ ...acp, resume_args: null, prompt_args: [] })).toMatchObject({ status: 201 });
    const { id } = AgentProfile.parse((await create(terminal)).answer);
    expect(await change(id, { driver: "acp" })).toMatchObject(refused);
    expect(await change(id, { driver: "acp", resume_args: null, prompt_transport: null })).toMatchObject({
      status: 200,
      answer: { driver: "acp", resume_args: null },
    });
    expect(await change("prf_codex", { resume_args: ["--x"] })).toMatchObject(refused);
  });

  it("a field is taken away by null, and stays where it isn't named", async () => {
    const { id } = AgentProfile.parse((await create({ ...acp, model: "m", mode: "plan" })).answer);
    const { answer } = await change(id, { model: null });
    expect(answer).toMatchObject({ mode: "plan" });
    expect(answer).not.toHaveProperty("model");
  });
});
