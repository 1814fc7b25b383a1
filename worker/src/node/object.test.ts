import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { HeartbeatAnswer, NodeSummary } from "@reprise/protocol";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { ask, browser, call, entryOf, helloOf, type JoinedNode, joinedNode, NodeSocket } from "../../test/client.ts";
import type { NodeObject } from "./object.ts";

function stubOf(node: JoinedNode) {
  return env.NODES.getByName(node.node_id) as unknown as DurableObjectStub<NodeObject>;
}

async function connected(node: JoinedNode, nonce: string | null = null) {
  const socket = await NodeSocket.open(node);
  socket.send(helloOf(node, { nonce }));
  const welcome = await socket.next("welcome");
  return { socket, welcome };
}

async function summary(node: JoinedNode) {
  const person = await browser();
  const { answer } = await ask(person, "GET", `/api/nodes/${node.node_id}`);
  return NodeSummary.extend({ waiting_commands: z.number() }).parse(answer);
}

describe("N1, N2: a node's connection", () => {
  it("N1: hello is answered, and the machine is online with what it said", async () => {
    const node = await joinedNode();
    expect(await summary(node)).toMatchObject({ presence: "offline", hostname: "", reason: expect.any(String) });
    const { welcome } = await connected(node);
    expect(welcome).toMatchObject({ node_id: node.node_id, commands: [], wants: [] });
    expect(await summary(node)).toMatchObject({ presence: "online", hostname: "box", home: "/home/me" });
    await vi.waitFor(async () => {
      const row = await env.DB.prepare("SELECT presence FROM nodes WHERE id = ?").bind(node.node_id).first();
      expect(row).toEqual({ presence: "online" });
    });
  });

  it("N2: reconnecting at once when the socket closes", async () => {
    const node = await joinedNode();
    const { socket } = await connected(node);
    socket.close();
    expect(await socket.closed).toBe(1000);
    await vi.waitFor(async () => expect(await summary(node)).toMatchObject({ presence: "reconnecting" }));
  });

  it("N2: state, link and waiting commands survive an eviction; the socket goes on", async () => {
    const node = await joinedNode();
    const { socket } = await connected(node);
    await evictDurableObject(stubOf(node));
    expect(await summary(node)).toMatchObject({ presence: "online" });
    const seq = await stubOf(node).enqueue({
      type: "teardown",
      command_id: "cmd_test1",
      session_id: "ses_aaaa",
      remove_worktree: false,
    });
    expect(await socket.next("command")).toMatchObject({ numbered: { seq } });
    await evictDurableObject(stubOf(node), { webSockets: "close" });
    expect(await summary(node)).toMatchObject({ presence: "reconnecting" });
    const again = await stubOf(node).enqueue({
      type: "teardown",
      command_id: "cmd_test1",
      session_id: "ses_aaaa",
      remove_worktree: false,
    });
    expect(again).toBe(seq);
  });

  it("N2: the alarm re-arms itself while the link is good", async () => {
    const node = await joinedNode();
    await connected(node);
    expect(await runDurableObjectAlarm(stubOf(node))).toBe(true);
    const armed = await runInDurableObject(stubOf(node), (_object, state) => state.storage.getAlarm());
    expect(armed).toBeGreaterThan(Date.now());
    expect(await summary(node)).toMatchObject({ presence: "online" });
  });

  it("T2: reading a node's report writes nothing", async () => {
    const node = await joinedNode();
    await connected(node);
    const cells = () =>
      runInDurableObject(stubOf(node), (_object, state) => [
        ...state.storage.sql.exec("SELECT * FROM cells ORDER BY bucket, key").raw(),
      ]);
    await vi.waitFor(async () => expect(JSON.stringify(await cells())).toContain('["field","outbox","{}"]'));
    const before = await cells();
    await stubOf(node).report(null);
    await stubOf(node).summary();
    expect(await cells()).toEqual(before);
  });

  it("T3: a clone gets an error frame and 4403; the original stays", async () => {
    const node = await joinedNode();
    const first = await connected(node);
    first.socket.close();
    await first.socket.closed;
    await connected(node, first.welcome.nonce);
    const clone = await NodeSocket.open(node);
    clone.send(helloOf(node, { nonce: null }));
    expect(await clone.next("error")).toMatchObject({ code: "cloned_identity" });
    expect(await clone.closed).toBe(4403);
    expect(await summary(node)).toMatchObject({ presence: "online" });
  });

  it("N6: the newest connection wins, the other is told to yield (4409)", async () => {
    const node = await joinedNode();
    const first = await connected(node);
    await connected(node, first.welcome.nonce);
    expect(await first.socket.closed).toBe(4409);
    expect(await summary(node)).toMatchObject({ presence: "online" });
  });

  it("K2: removing a machine cuts its socket (4401)", async () => {
    const node = await joinedNode();
    const { socket } = await connected(node);
    expect((await ask(await browser(), "DELETE", `/api/nodes/${node.node_id}`)).status).toBe(200);
    expect(await socket.closed).toBe(4401);
  });
});

describe("S6, N5: bad frames", () => {
  const bad: [string, string, string][] = [
    ["no JSON", "{", "invalid_json"],
    ["an unknown type", '{"type":"nonsense"}', "invalid_field"],
    ["a wrong type", '{"type":"command.received","command_id":5}', "invalid_field"],
    ["a giant", `{"type":"${"x".repeat(1_100_000)}"}`, "too_large"],
  ];
  it.each(bad)("S6: %s is told by an error frame and 4400, and the node goes on", async (_name, frame, code) => {
    const node = await joinedNode();
    const { socket, welcome } = await connected(node);
    socket.send(frame);
    expect(await socket.next("error")).toMatchObject({ code });
    expect(await socket.closed).toBe(4400);
    await connected(node, welcome.nonce);
    expect(await summary(node)).toMatchObject({ presence: "online" });
  });

  it("S6: a frame before hello is refused", async () => {
    const node = await joinedNode();
    const socket = await NodeSocket.open(node);
    socket.send({ type: "command.received", command_id: "cmd_xxxx" });
    expect(await socket.closed).toBe(4400);
  });
});

describe("requests and heartbeats", () => {
  it("a question reaches the live node, and its answer the page", async () => {
    const node = await joinedNode();
    const { socket } = await connected(node);
    const person = await browser();
    const asked = ask(person, "POST", `/api/nodes/${node.node_id}/complete_path`, { prefix: "~/" });
    const { request_id, request } = await socket.next("request");
    expect(request).toEqual({ op: "complete_path", prefix: "~/" });
    socket.send({
      type: "answer",
      request_id,
      result: { ok: true, answer: { op: "complete_path", folders: ["/home/me/x"] } },
    });
    expect((await asked).answer).toEqual({ op: "complete_path", folders: ["/home/me/x"] });
  });

  it("T4: a machine that is away says so at once; one that goes meanwhile too", async () => {
    const node = await joinedNode();
    const person = await browser();
    const path = `/api/nodes/${node.node_id}/rescan`;
    expect((await ask(person, "POST", path)).code).toBe("node_unavailable");
    const { socket } = await connected(node);
    const asked = ask(person, "POST", path);
    await socket.next("request");
    socket.close();
    expect((await asked).code).toBe("node_unavailable");
  });

  it("N3: the same by plain HTTP: hello, commands, acknowledgement", async () => {
    const node = await joinedNode();
    const command = {
      type: "teardown" as const,
      command_id: "cmd_http",
      session_id: "ses_aaaa",
      remove_worktree: false,
    };
    await stubOf(node).enqueue(command);
    const first = await ask(node, "POST", "/api/agentctl/heartbeat", { hello: helloOf(node) });
    expect(first.answer).toMatchObject({ frames: [{ type: "welcome", commands: [{ command }] }] });
    const nonce = (first.answer as { frames: { nonce: string }[] }).frames[0]?.nonce ?? null;
    const frames = [{ type: "command.received", command_id: "cmd_http" }];
    await ask(node, "POST", "/api/agentctl/heartbeat", { hello: helloOf(node, { nonce }), frames });
    expect(await summary(node)).toMatchObject({ presence: "online", waiting_commands: 0 });
  });

  it("N3: a question reaches a machine that comes by POST, and a goodbye there is its last word", async () => {
    const node = await joinedNode();
    const post = async (body: object) =>
      HeartbeatAnswer.parse((await ask(node, "POST", "/api/agentctl/heartbeat", body)).answer);
    const [welcome] = (await post({ hello: helloOf(node) })).frames;
    const conn_id = welcome?.type === "welcome" ? welcome.conn_id : "";
    const person = await browser();
    expect((await ask(person, "GET", `/api/nodes/${node.node_id}`)).answer).toMatchObject({ transport: "http" });
    const asked = ask(person, "POST", `/api/nodes/${node.node_id}/complete_path`, { prefix: "~/" });
    const question = await vi.waitFor(async () => {
      const found = (await post({ conn_id })).frames.find((frame) => frame.type === "request");
      if (found?.type !== "request") throw new Error("not asked yet");
      return found;
    });
    const answer = { op: "complete_path", folders: ["/home/me/x"] };
    const { request_id } = question;
    await post({ conn_id, frames: [{ type: "answer", request_id, result: { ok: true, answer } }] });
    expect((await asked).answer).toEqual(answer);
    expect(await post({ conn_id, frames: [{ type: "goodbye" }] })).toEqual({ frames: [], close: null });
    expect(await summary(node)).toMatchObject({ presence: "offline", transport: null });
    expect((await post({ conn_id })).close).toBe(4408);
  });

  it("T6: a machine's detail shows what it runs, orphans marked, and wakes no session for them", async () => {
    const node = await joinedNode();
    const socket = await NodeSocket.open(node);
    const inventory = { complete: true, last_command_seq: 0, entries: [entryOf("ses_orphan")] };
    socket.send(helloOf(node, { inventory }));
    await socket.next("welcome");
    const { answer } = await ask(await browser(), "GET", `/api/nodes/${node.node_id}`);
    expect(answer).toMatchObject({ executions: [{ session_id: "ses_orphan", orphan: true, title: null }] });
  });
});

it("S1: a node doesn't reach a session that isn't its own", async () => {
  const node = await joinedNode();
  for (const id of ["ses_stranger", "nonsense", "%00"]) {
    const response = await call(`/api/agentctl/sessions/${id}/ws`, {
      headers: { ...node.headers, upgrade: "websocket" },
    });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: { code: "session_not_found" } });
  }
});
