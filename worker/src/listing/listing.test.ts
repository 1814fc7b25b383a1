import { evictAllDurableObjects, listDurableObjectIds, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { CreatedSession, SessionList, SessionStatus } from "@reprise/protocol";
import { describe, expect, it, vi } from "vitest";
import {
  ask,
  browser,
  type Caller,
  entryOf,
  helloOf,
  type JoinedNode,
  joinedNode,
  NodeSocket,
} from "../../test/client.ts";

interface Setup {
  me: Caller;
  node: JoinedNode;
  socket: NodeSocket;
  nonce: string;
}

async function setup(): Promise<Setup> {
  const [me, node] = [await browser(), await joinedNode()];
  const socket = await NodeSocket.open(node);
  socket.send(helloOf(node));
  const { nonce } = await socket.next("welcome");
  return { me, node, socket, nonce };
}

/** Create a session while the daemon answers what the folder is. */
async function create(s: Setup, change: Record<string, unknown> = {}) {
  const body = { node_id: s.node.node_id, agent_profile_id: "prf_claudecode", cwd: "~/x", prompt: "Fix it", ...change };
  const made = ask(s.me, "POST", "/api/sessions", body);
  const { request_id, request } = await s.socket.next("request");
  if (request.op !== "inspect_path") throw new Error("unexpected");
  const git = { root: "/home/me/x", branch: "main", dirty: false };
  const answer = { op: "inspect_path" as const, path: request.path, exists: true, allowed: true, git };
  s.socket.send({ type: "answer", request_id, result: { ok: true, answer } });
  return made;
}

async function list(me: Caller, query = ""): Promise<SessionStatus[]> {
  return SessionList.parse((await ask(me, "GET", `/api/sessions${query}`)).answer).sessions;
}

describe("create", () => {
  it("R3: the session exists at once, and its launch is on the way to the node", async () => {
    const s = await setup();
    const made = await create(s);
    expect(made.status).toBe(201);
    const created = CreatedSession.parse(made.answer);
    expect(created.status).toMatchObject({ state: "STARTING", title: "Fix it", workspace_path: "/home/me/x" });
    const { numbered } = await s.socket.next("command");
    expect(numbered.command).toMatchObject({ type: "launch", session_id: created.session_id, how: { type: "new" } });
    expect((await list(s.me)).map((row) => row.session_id)).toEqual([created.session_id]);
    await vi.waitFor(async () => {
      const row = await env.DB.prepare("SELECT state, version FROM task_sessions").first();
      expect(row).toMatchObject({ state: "STARTING" });
    });
    const task = await ask(s.me, "GET", `/api/tasks/${created.task_id}`);
    expect(task.answer).toMatchObject({ task: { state: "IN_PROGRESS", session_ids: [created.session_id] } });
  });

  it("S4, X2: it runs in what the machine's owner allows; else the field is named, and nothing is made", async () => {
    const s = await setup();
    const body = { node_id: s.node.node_id, agent_profile_id: "prf_claudecode", cwd: "~/x", prompt: "Fix it" };
    const refused = await ask(s.me, "POST", "/api/sessions", { ...body, runtime: "docker" });
    expect(refused).toMatchObject({
      status: 400,
      code: "invalid_field",
      answer: { error: { details: { field: "runtime" } } },
    });
    expect(await list(s.me, `?node_id=${s.node.node_id}`)).toEqual([]);

    const runtimes = [
      { runtime: "standalone" as const, status: "ready" as const, reason: null },
      { runtime: "docker" as const, status: "unavailable" as const, reason: "Docker does not answer." },
    ];
    s.socket.send({ type: "runtimes.changed", runtimes });
    await vi.waitFor(async () => {
      const { answer } = await ask(s.me, "GET", `/api/nodes/${s.node.node_id}`);
      expect(answer).toMatchObject({ runtimes });
      const row = await env.DB.prepare("SELECT runtimes FROM nodes WHERE id = ?").bind(s.node.node_id).first();
      expect(JSON.parse(String(row?.["runtimes"]))).toEqual(runtimes);
    });
    // What it allows counts; that it can't be had now is the machine's to say, when it tries.
    const made = CreatedSession.parse((await create(s, { runtime: "docker" })).answer);
    expect(made.status).toMatchObject({ runtime: "docker", executor_type: "local_docker" });
    const { numbered } = await s.socket.next("command");
    expect(numbered.command).toMatchObject({ type: "launch", runtime: "docker" });
  });

  it("P1: a create sent twice with one client id is one session", async () => {
    const s = await setup();
    const first = CreatedSession.parse((await create(s, { client_id: "client-id-1" })).answer);
    const body = {
      client_id: "client-id-1",
      node_id: s.node.node_id,
      agent_profile_id: "prf_claudecode",
      cwd: "/x",
      prompt: "p",
    };
    const second = CreatedSession.parse((await ask(s.me, "POST", "/api/sessions", body)).answer);
    expect(second.session_id).toBe(first.session_id);
    expect(await list(s.me, `?node_id=${s.node.node_id}`)).toHaveLength(1);
  });

  it("a worktree lies in the machine's own folder, on its branch, at the same place inside", async () => {
    const s = await setup();
    await create(s, { cwd: "/home/me/x/sub", worktree: { branch: "feat/a" } });
    const { numbered } = await s.socket.next("command");
    expect(numbered.command).toMatchObject({
      workspace: {
        cwd: expect.stringMatching(/^\/home\/me\/\.reprise\/worktrees\/x\/feat-a-\w{6}\/sub$/),
        worktree: { repo: "/home/me/x", branch: "feat/a", base: null },
      },
    });
  });

  it("what can't be is refused before anything exists", async () => {
    const s = await setup();
    const body = { node_id: s.node.node_id, agent_profile_id: "prf_claudecode", cwd: "/x", prompt: "p" };
    const post = async (change: object) => (await ask(s.me, "POST", "/api/sessions", { ...body, ...change })).code;
    expect(await post({ prompt: undefined })).toBe("prompt_required");
    expect(await post({ node_id: "nod_unknown1" })).toBe("node_not_found");
    expect(await post({ agent_profile_id: "prf_unknown1" })).toBe("profile_not_found");
    expect(await post({ task_id: "tsk_unknown1" })).toBe("task_not_found");
    expect(await post({ cwd: "relative/path" })).toBe("invalid_field");
    expect(await list(s.me, `?node_id=${s.node.node_id}`)).toEqual([]);
  });
});

describe("T1, T2: the one list", () => {
  it("T2: the first list after everything was evicted is right, and reading changes nothing", async () => {
    const s = await setup();
    const { session_id } = CreatedSession.parse((await create(s)).answer);
    await s.socket.next("command");
    // A D1 that fell behind: the session itself is asked, since versions disagree.
    await vi.waitFor(async () => {
      const row = await env.DB.prepare("SELECT metadata FROM task_sessions WHERE id = ?").bind(session_id).first();
      expect(row?.["metadata"]).toEqual(expect.any(String));
    });
    await env.DB.prepare(
      "UPDATE task_sessions SET metadata = json_set(metadata, '$.state', 'RUNNING', '$.version', 1), version = 1 WHERE id = ?",
    )
      .bind(session_id)
      .run();
    await evictAllDurableObjects({ webSockets: "close" });
    const before = await env.DB.prepare("SELECT * FROM task_sessions ORDER BY id").all();
    const [row] = await list(s.me, `?node_id=${s.node.node_id}`);
    expect(row).toMatchObject({
      state: "STARTING",
      node: { presence: "reconnecting" },
      resume_reason: expect.any(String),
    });
    expect((await env.DB.prepare("SELECT * FROM task_sessions ORDER BY id").all()).results).toEqual(before.results);
  });

  it("C03: a machine that says an execution is dead shows it at once; one that is silent changes nothing but words", async () => {
    const s = await setup();
    const { session_id } = CreatedSession.parse((await create(s)).answer);
    s.socket.close();
    await s.socket.closed;
    await vi.waitFor(async () => {
      const status = SessionStatus.parse((await ask(s.me, "GET", `/api/sessions/${session_id}/status`)).answer);
      expect(status).toMatchObject({ state: "STARTING", node: { presence: "reconnecting" } });
    });
  });

  it("T1: list, count and exclude agree", async () => {
    const s = await setup();
    const a = CreatedSession.parse((await create(s)).answer).session_id;
    const b = CreatedSession.parse((await create(s)).answer).session_id;
    const query = `?node_id=${s.node.node_id}&exclude=${a}`;
    expect((await list(s.me, query)).map((row) => row.session_id)).toEqual([b]);
    expect((await ask(s.me, "GET", `/api/sessions/count${query}`)).answer).toMatchObject({ count: 1, working: 1 });
  });

  it("T5, T7: a deleted session is in no list, its id is unknown, its token is gone, though its machine is away", async () => {
    const s = await setup();
    const { session_id } = CreatedSession.parse((await create(s)).answer);
    s.socket.close();
    await s.socket.closed;
    expect((await ask(s.me, "DELETE", `/api/sessions/${session_id}`)).status).toBe(200);
    expect(await list(s.me, `?node_id=${s.node.node_id}`)).toEqual([]);
    expect((await ask(s.me, "GET", `/api/sessions/${session_id}`)).code).toBe("session_not_found");
    await vi.waitFor(async () => {
      const left = await env.DB.prepare("SELECT id FROM executors_running WHERE session_id = ?").bind(session_id).all();
      expect(left.results).toEqual([]);
    });
    const again = await NodeSocket.open(s.node);
    again.send(helloOf(s.node, { nonce: s.nonce }));
    const welcome = await again.next("welcome");
    expect(welcome.commands.map((c) => c.command.type)).toContain("teardown");
  });

  it("S6: an unknown session wakes no object", async () => {
    const me = await browser();
    const before = (await listDurableObjectIds(env.SESSIONS)).length;
    expect((await ask(me, "GET", "/api/sessions/ses_unknown1/status")).code).toBe("session_not_found");
    expect((await ask(me, "POST", "/api/sessions/ses_unknown1/stop")).code).toBe("session_not_found");
    expect((await listDurableObjectIds(env.SESSIONS)).length).toBe(before);
  });

  it("T6: an orphan in an inventory wakes no session's object", async () => {
    const node = await joinedNode();
    const socket = await NodeSocket.open(node);
    const before = (await listDurableObjectIds(env.SESSIONS)).length;
    socket.send(
      helloOf(node, { inventory: { complete: true, last_command_seq: 0, entries: [entryOf("ses_orphan")] } }),
    );
    await socket.next("welcome");
    await vi.waitFor(async () => {
      const outbox = await runInDurableObject(env.NODES.getByName(node.node_id), (_object, state) =>
        state.storage.sql.exec("SELECT value FROM cells WHERE key = 'outbox'").one(),
      );
      expect(outbox).toEqual({ value: "{}" });
    });
    expect((await listDurableObjectIds(env.SESSIONS)).length).toBe(before);
  });
});
