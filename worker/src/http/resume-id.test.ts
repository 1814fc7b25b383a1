import { CreatedSession, SessionList, TaskList } from "@reprise/protocol";
import { CAPABILITIES } from "@reprise/protocol/testing";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { ask, browser, type Caller, helloOf, type JoinedNode, joinedNode, NodeSocket } from "../../test/client.ts";
import { LiveSession, SOON, stubOf } from "../../test/session.ts";
import { DEATH, TERMINAL } from "../session/core/rig.ts";

interface Setup {
  me: Caller;
  node: JoinedNode;
  socket: NodeSocket;
}

async function setup(version = 3): Promise<Setup> {
  const [me, node] = [await browser(), await joinedNode()];
  const socket = await NodeSocket.open(node);
  socket.send(helloOf(node, { protocol_version: version }));
  await socket.next("welcome");
  return { me, node, socket };
}

async function profile(s: Setup, change: Record<string, unknown> = {}): Promise<string> {
  const body = {
    name: "Mine",
    agent_kind: "custom:mine",
    agent_name: "Mine",
    driver: "terminal",
    command: "mine",
    args: [],
    env: {},
    ...change,
  };
  return z.object({ id: z.string() }).parse((await ask(s.me, "POST", "/api/agent-profiles", body)).answer).id;
}

const post = (s: Setup, change: Record<string, unknown>) =>
  ask(s.me, "POST", "/api/sessions", {
    node_id: s.node.node_id,
    agent_profile_id: "prf_claudecode",
    cwd: "/x",
    ...change,
  });

/** The machine says that the folder is there. */
async function create(s: Setup, change: Record<string, unknown>) {
  const made = post(s, change);
  const { request_id, request } = await s.socket.next("request");
  if (request.op !== "inspect_path") throw new Error("unexpected");
  const answer = { op: "inspect_path" as const, path: request.path, exists: true, allowed: true, git: null };
  s.socket.send({ type: "answer", request_id, result: { ok: true, answer } });
  return made;
}

async function made(s: Setup, node: JoinedNode = s.node) {
  const { sessions } = SessionList.parse((await ask(s.me, "GET", `/api/sessions?node_id=${node.node_id}`)).answer);
  const { tasks } = TaskList.parse((await ask(s.me, "GET", "/api/tasks")).answer);
  return { sessions: sessions.length, tasks: tasks.length };
}

describe("Starting from an agent's own id", () => {
  it("R2: an ACP agent: the launch resumes it, the id is the session's, and no prompt is needed", async () => {
    const s = await setup();
    const created = CreatedSession.parse((await create(s, { resume_session_id: "conv-1" })).answer);
    const { numbered } = await s.socket.next("command");
    expect(numbered.command).toMatchObject({
      type: "launch",
      how: { type: "resume", token: "conv-1", had_turns: true },
    });
    expect(created.status).toMatchObject({ state: "STARTING", prompted: true });
    expect((await stubOf(created.session_id).facts())?.facts.resume_token).toBe("conv-1");
  });

  it("P1: a prompt with it waits until the conversation is there", async () => {
    const s = await setup();
    const { session_id } = CreatedSession.parse(
      (await create(s, { resume_session_id: "conv-1", prompt: "Go on" })).answer,
    );
    expect((await stubOf(session_id).facts())?.facts).toMatchObject({ queued_prompts: 1 });
    const { numbered } = await s.socket.next("command");
    expect(numbered.command).not.toHaveProperty("prompt");
  });

  it("S6: one that would be a flag on the agent's command line is refused, and names the field", async () => {
    const s = await setup();
    expect(await post(s, { resume_session_id: "--dangerously" })).toMatchObject({ status: 400, code: "invalid_field" });
  });

  it("C16: one that another session of that machine holds is refused, names it, and leaves nothing behind", async () => {
    const s = await setup();
    const { session_id } = CreatedSession.parse((await create(s, { resume_session_id: "conv-1" })).answer);
    const before = await made(s);
    expect(await post(s, { resume_session_id: "conv-1" })).toMatchObject({
      status: 409,
      code: "token_in_use",
      answer: { error: { details: { session_id, field: "resume_session_id" } } },
    });
    expect(await made(s)).toEqual(before);
    // Deleted, it holds nothing any more.
    await ask(s.me, "DELETE", `/api/sessions/${session_id}`);
    await vi.waitFor(async () => {
      const again = await create(s, { resume_session_id: "conv-1" });
      expect(again.status).toBe(201);
    }, SOON);
  });

  it("§3: after its agent's goodbye another session may go on with the conversation; the first one then has none", async () => {
    const { session, host } = await LiveSession.running({ ...TERMINAL, prompt: null });
    const control = await NodeSocket.open(session.node);
    control.send(helloOf(session.node, { protocol_version: 3 }));
    await control.next("welcome");
    const s: Setup = { me: session.person, node: session.node, socket: control };
    expect(await post(s, { resume_session_id: "tok-1" })).toMatchObject({ code: "token_in_use" });
    await session.tell(host, { type: "execution.ended", ...DEATH, end_reason: "agent_exit", failure: null });

    const listed = ask(
      s.me,
      "GET",
      `/api/nodes/${s.node.node_id}/conversations?agent_profile_id=prf_claudecode&cwd=/x`,
    );
    const { request_id } = await control.next("request");
    const conversations = [{ id: "tok-1", title: null, updated_at: null }];
    control.send({
      type: "answer",
      request_id,
      result: { ok: true, answer: { op: "list_conversations", conversations } },
    });
    expect(await listed).toMatchObject({ answer: { conversations: [{ id: "tok-1", held_by: null }] } });

    // What can't begin takes nothing away.
    expect(await post(s, { resume_session_id: "tok-1", cwd: "relative" })).toMatchObject({ code: "invalid_field" });
    expect((await session.facts()).resume_token).toBe("tok-1");
    const created = CreatedSession.parse((await create(s, { resume_session_id: "tok-1" })).answer);
    expect((await session.facts()).resume_token).toBeNull();
    expect((await stubOf(created.session_id).facts())?.facts.resume_token).toBe("tok-1");
    expect(await post(s, { resume_session_id: "tok-1" })).toMatchObject({
      code: "token_in_use",
      answer: { error: { details: { session_id: created.session_id } } },
    });
  });

  it("P1: the same create again is the same session, not one that holds its conversation already", async () => {
    const s = await setup();
    const body = { client_id: "client-id-7", resume_session_id: "conv-1" };
    const first = CreatedSession.parse((await create(s, body)).answer);
    expect(CreatedSession.parse((await post(s, body)).answer).session_id).toBe(first.session_id);
  });

  it("R1: a terminal profile without resume args refuses it, with the reason that names the profile; nothing is made", async () => {
    const s = await setup();
    const agent_profile_id = await profile(s);
    const refused = await post(s, { agent_profile_id, resume_session_id: "conv-1" });
    expect(refused).toMatchObject({
      status: 409,
      code: "not_resumable",
      answer: { error: { message: expect.stringContaining('"Mine"'), details: { reason: "not_resumable" } } },
    });
    expect((await made(s)).sessions).toBe(0);
  });

  it("R1: an ACP agent of which its machine knows that it can't is refused, too", async () => {
    const s = await setup();
    const agent = {
      agent_kind: "claude-code",
      agent_name: "Claude Code",
      command: "claude-agent-acp",
      args: [],
      version: "1",
      status: "ready" as const,
      capabilities: { ...CAPABILITIES, load_session: false, resume_session: false },
      hint: null,
    };
    s.socket.send({ type: "agents.changed", agents: [agent] });
    await vi.waitFor(async () => {
      const refused = await post(s, { resume_session_id: "conv-1", cwd: "relative" });
      expect(refused).toMatchObject({ status: 409, code: "not_resumable" });
    }, SOON);
  });
});

it("R1: a terminal profile with resume args takes it, and its prompt rides on the launch", async () => {
  const s = await setup();
  const agent_profile_id = await profile(s, { resume_args: ["--resume"] });
  await create(s, { agent_profile_id, resume_session_id: "conv-1", prompt: "Go on" });
  const { numbered } = await s.socket.next("command");
  expect(numbered.command).toMatchObject({
    type: "launch",
    how: { type: "resume", token: "conv-1" },
    spec: { resume_args: ["--resume"] },
    prompt: { text: "Go on" },
  });
});

describe("Terminal sessions", () => {
  it("P1: the prompt is optional, and the session has a name all the same", async () => {
    const s = await setup();
    const agent_profile_id = await profile(s);
    const created = CreatedSession.parse((await create(s, { agent_profile_id })).answer);
    expect(created.status).toMatchObject({ driver: "terminal", title: "Mine in /x", prompted: false });
    const { numbered } = await s.socket.next("command");
    expect(numbered.command).toMatchObject({ type: "launch", spec: { driver: "terminal", command: "mine" } });
    expect(numbered.command).not.toHaveProperty("prompt");
  });

  it("§2: an agentctl that knows no terminal agents is too old, and nothing is made", async () => {
    const s = await setup(2);
    const refused = await post(s, { agent_profile_id: await profile(s), prompt: "hi" });
    expect(refused).toMatchObject({ status: 409, code: "agentctl_too_old" });
    expect((await made(s)).sessions).toBe(0);
  });
});
