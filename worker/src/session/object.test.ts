import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { AgentProfile, type SpoolEventBody } from "@reprise/protocol";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ask, helloOf, NodeSocket } from "../../test/client.ts";
import { LiveSession, SOON, stubOf } from "../../test/session.ts";
import { makeId } from "../ids.ts";
import { NodeObject } from "../node/object.ts";
import type { SessionObject } from "./object.ts";

type Stub = DurableObjectStub<SessionObject>;

const DEATH: SpoolEventBody = {
  type: "execution.ended",
  end_reason: "interrupted",
  failure: { code: "agent_died", message: "killed" },
  exit_code: null,
  signal: "SIGKILL",
  died: "agent",
  found: "live",
  group_dead: true,
};

/** All that is stored, and when it wakes. */
function stored(stub: Stub): Promise<unknown> {
  return runInDurableObject(stub, async (_object, ctx) => {
    const tables = [...ctx.storage.sql.exec<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'")]
      .map(({ name }) => name)
      .filter((name) => !name.startsWith("_cf"));
    const rows = tables.map((name) => [name, [...ctx.storage.sql.exec(`SELECT * FROM ${name}`).raw()]]);
    return { rows, alarm: await ctx.storage.getAlarm() };
  });
}

const alarmOf = (stub: Stub) => runInDurableObject(stub, (_object, ctx) => ctx.storage.getAlarm());

function d1Title(session: LiveSession): Promise<string | null> {
  return env.DB.prepare("SELECT title FROM task_sessions WHERE id = ?").bind(session.id).first<string>("title");
}

afterEach(() => vi.restoreAllMocks());

describe("alarms", () => {
  it("run twice, an alarm does nothing twice, and stays set while something is due", async () => {
    const { session, host } = await LiveSession.running();
    await host.next("prompt");
    const before = [await session.facts(), await session.log()];
    expect(await runDurableObjectAlarm(session.stub)).toBe(true);
    expect(await runDurableObjectAlarm(session.stub)).toBe(true);
    expect([await session.facts(), await session.log()]).toEqual(before);
    expect(host.got.filter((frame) => frame.type === "prompt")).toHaveLength(1);
    expect(await alarmOf(session.stub)).toBeGreaterThan(Date.now());
  });

  it("an alarm that was lost is armed again at the next wake, when work is due", async () => {
    const { session } = await LiveSession.running();
    await runInDurableObject(session.stub, (_object, ctx) => ctx.storage.deleteAlarm());
    await evictDurableObject(session.stub, { webSockets: "close" });
    await session.facts();
    expect(await alarmOf(session.stub)).not.toBeNull();
  });

  it("T6: while D1 fails, an alarm doesn't throw and comes again; the row is written once D1 is back", async () => {
    const { session } = await LiveSession.running();
    await vi.waitFor(async () => expect(await d1Title(session)).toBe("Fix the test"), SOON);
    const warned = vi.spyOn(console, "warn").mockReturnValue();
    await env.DB.exec("ALTER TABLE task_sessions RENAME TO away");
    try {
      await session.stub.rename("By a person");
      expect(await session.facts()).toMatchObject({ title: "By a person" });
      expect(await runDurableObjectAlarm(session.stub)).toBe(true);
      expect(await alarmOf(session.stub)).not.toBeNull();
      // Also what an eviction forgot is still owed.
      await evictDurableObject(session.stub, { webSockets: "close" });
      expect(await runDurableObjectAlarm(session.stub)).toBe(true);
    } finally {
      await env.DB.exec("ALTER TABLE away RENAME TO task_sessions");
    }
    expect(warned).toHaveBeenCalledWith(expect.objectContaining({ session_id: session.id }));
    expect(await runDurableObjectAlarm(session.stub)).toBe(true);
    expect(await d1Title(session)).toBe("By a person");
  });

  it("T5: while the node's object fails, a stop is stored and owed; it is told, once, when that is back", async () => {
    const { session, host } = await LiveSession.running();
    vi.spyOn(console, "warn").mockReturnValue();
    const enqueue = vi.spyOn(NodeObject.prototype, "enqueue").mockRejectedValue(new Error("no storage"));
    expect((await ask(session.person, "POST", `/api/sessions/${session.id}/stop`)).status).toBe(200);
    expect(await runDurableObjectAlarm(session.stub)).toBe(true);
    expect(enqueue).toHaveBeenCalled();
    expect(await session.facts()).toMatchObject({ stop_requested_at: expect.any(Number) });
    enqueue.mockRestore();
    await evictDurableObject(session.stub, { webSockets: "hibernate" });
    expect(await runDurableObjectAlarm(session.stub)).toBe(true);
    const control = await NodeSocket.open(session.node);
    control.send(helloOf(session.node));
    const { commands } = await control.next("welcome");
    expect(commands.map(({ command }) => command.type)).toEqual(["launch", "stop"]);
    await session.tell(host, DEATH);
    expect(await session.facts()).toMatchObject({ state: "CANCELLED", end_reason: "stopped" });
  });
});

describe("T2: reading", () => {
  it("T2: of an unknown id makes nothing", async () => {
    const stub = stubOf(makeId("session"));
    expect([await stub.facts(), await stub.page(), await stub.events({ limit: 10 })]).toEqual([null, null, null]);
    expect(await stub.exchange("nod_x", { frames: [{ type: "idle" }] })).toMatchObject({ ok: false });
    expect((await stub.fetch("https://object/viewer", { headers: { upgrade: "websocket" } })).status).toBe(404);
    expect(await stored(stub)).toEqual({ rows: [], alarm: null });
  });

  it("T2: of a session changes nothing of it", async () => {
    const { session } = await LiveSession.running();
    await vi.waitFor(async () => expect(await d1Title(session)).toBe("Fix the test"), SOON);
    const before = await stored(session.stub);
    await session.stub.facts();
    await session.stub.page();
    await session.stub.events({ limit: 10 });
    await session.stub.events({ since: 0, limit: 10 });
    await ask(session.person, "GET", `/api/sessions/${session.id}`);
    expect(await stored(session.stub)).toEqual(before);
  });
});

describe("T7: a deleted session", () => {
  it("T7: whoever looks is told `session_over`, node and viewers are cut, and nobody gets in again", async () => {
    const { session, host } = await LiveSession.running();
    const viewer = await session.viewer();
    await viewer.next("session.snapshot");
    expect((await ask(session.person, "DELETE", `/api/sessions/${session.id}`)).status).toBe(200);
    expect(await viewer.next("error")).toMatchObject({ code: "session_over", retry: "never" });
    expect(await viewer.closed).toBe(4403);
    expect(await host.closed).toBe(4403);
    await expect(session.viewer()).rejects.toThrow("session_not_found");
    await expect(session.rawHost()).rejects.toThrow("forbidden");
    const post = { frames: [session.frame(session.events(DEATH))] };
    expect((await ask(session.node, "POST", `/api/agentctl/sessions/${session.id}/events`, post)).status).toBe(404);
    const report = () => env.NODES.getByName(session.node.node_id) as unknown as DurableObjectStub<NodeObject>;
    // Its node's object remembers nothing of it but the order to tear it down.
    await vi.waitFor(async () => expect((await report().report([session.id])).versions).toEqual({}), SOON);
  });
});

describe("profile_missing", () => {
  it("T1: list and socket say the same of a deleted profile, and another one of that agent can be chosen", async () => {
    const made = await ask((await LiveSession.create()).person, "POST", "/api/agent-profiles", {
      name: "Mine",
      agent_kind: "claude-code",
      agent_name: "Claude Code",
      driver: "acp",
      command: "claude-agent-acp",
      args: [],
      env: {},
      auto_resume: "never",
    });
    const mine = AgentProfile.parse(made.answer);
    const { session, host } = await LiveSession.running({ profile_id: mine.id, auto_resume: "never" });
    const control = await NodeSocket.open(session.node);
    control.send(helloOf(session.node));
    const { turn_id, prompt_id } = await host.next("prompt");
    await session.tell(host, { type: "turn.started", turn_id, prompt_id }, DEATH);
    const path = `/api/sessions/${session.id}`;
    const profilePath = `/api/agent-profiles/${mine.id}`;
    expect((await ask(session.person, "DELETE", profilePath)).status).toBe(200);

    const reasons = async () => {
      const status = (await ask(session.person, "GET", `${path}/status`)).answer;
      const list = (await ask(session.person, "GET", "/api/sessions")).answer;
      const viewer = await session.viewer();
      const { status: told } = await viewer.next("session.snapshot");
      viewer.close();
      const listed = (list as { sessions: { session_id: string }[] }).sessions.find((s) => s.session_id === session.id);
      return [status, listed, told];
    };
    const all = (change: object) => [change, change, change].map((one) => expect.objectContaining(one));
    await vi.waitFor(async () => expect(await reasons()).toEqual(all({ resume_reason: "profile_missing" })), SOON);
    await evictDurableObject(session.stub, { webSockets: "close" });
    expect(await reasons()).toEqual(all({ resume_reason: "profile_missing" }));

    const choose = (agent_profile_id: string) => ask(session.person, "POST", `${path}/settings`, { agent_profile_id });
    expect(await choose("prf_nothere")).toMatchObject({ status: 404, code: "profile_not_found" });
    expect(await choose("prf_codex")).toMatchObject({
      status: 400,
      answer: { error: { code: "invalid_field", details: { field: "agent_profile_id" } } },
    });
    expect(await choose("prf_claudecode")).toMatchObject({ status: 200 });
    const chosen = {
      resume_reason: "agent_not_running",
      agent_profile_id: "prf_claudecode",
      auto_resume: "interrupted",
    };
    await vi.waitFor(async () => expect(await reasons()).toEqual(all(chosen)), SOON);
  });
});
