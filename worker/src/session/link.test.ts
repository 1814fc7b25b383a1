import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { SpoolEventBody } from "@reprise/protocol";
import { describe, expect, it, vi } from "vitest";
import { ask, browser, joinedNode } from "../../test/client.ts";
import { LiveSession, SOON, text } from "../../test/session.ts";
import type { NodeObject } from "../node/object.ts";
import { NODE_TAG } from "./node-link.ts";

const ASKED: SpoolEventBody = {
  type: "approval.asked",
  ask: {
    request_id: "req-1",
    turn_id: null,
    tool_call_id: null,
    title: "rm -rf build?",
    options: [{ option_id: "yes", name: "Yes", kind: "allow_once" }],
    content: [],
    input: null,
  },
};

describe("L1: a spool's events", () => {
  it("L1: are acknowledged once they are stored; what is resent after an eviction is stored once", async () => {
    const { session, host } = await LiveSession.running();
    const events = session.events(text("i1", "one"), text("i2", "two"));
    host.send(session.frame(events));
    expect(await host.next("ack")).toMatchObject({ seq: session.seq });
    const before = await session.log();
    expect(before.rows.filter((row) => row.body.kind === "message")).toHaveLength(2);
    await evictDurableObject(session.stub, { webSockets: "close" });
    const again = await session.host();
    expect(await again.next("session.welcome")).toMatchObject({ acked: session.seq });
    again.send(session.frame(events));
    expect(await again.next("ack")).toMatchObject({ seq: session.seq });
    expect(await session.log()).toEqual(before);
  });

  it("L1: a gap is not passed: the mark stays before it, and what lies beyond is taken when it is told again", async () => {
    const { session, host } = await LiveSession.running();
    const mark = session.seq;
    const [missing, beyond] = [session.events(text("i1", "one")), session.events(text("i2", "two"))];
    host.send(session.frame(beyond));
    expect(await host.next("ack")).toMatchObject({ seq: mark });
    expect(JSON.stringify(await session.log())).not.toContain("two");
    host.send(session.frame([...missing, ...beyond]));
    expect(await host.next("ack")).toMatchObject({ seq: mark + 2 });
  });

  it("R3: the permit waits until the spool before it is stored, across an eviction", async () => {
    const session = await LiveSession.create();
    const host = await session.host();
    const notice = { type: "notice", level: "info", code: "x", text: "of before" } as const;
    const drained = session.events(notice, notice);
    host.send(session.permit());
    host.send(session.frame(drained.slice(0, 1)));
    await host.next("ack");
    await evictDurableObject(session.stub, { webSockets: "hibernate" });
    expect(host.got.filter((frame) => frame.type.startsWith("permit"))).toEqual([]);
    host.send(session.frame(drained));
    expect(await host.next("permit.granted")).toEqual({ type: "permit.granted", execution_id: session.execution_id });
    expect(await session.facts()).toMatchObject({ execution: { phase: "permitted" } });
  });
});

describe("K1, P1, P3: what is on its way", () => {
  it("P1, P3, P4: prompt, answer and cancel that may be lost are said again at hello, with the same ids", async () => {
    const { session, host } = await LiveSession.running();
    const prompt = await host.next("prompt");
    await evictDurableObject(session.stub, { webSockets: "close" });
    const second = await session.host();
    expect(await second.next("prompt")).toEqual(prompt);
    const { turn_id, prompt_id, execution_id } = prompt;
    await session.tell(second, { type: "turn.started", turn_id, prompt_id }, ASKED);
    const answer = { execution_id, option_id: "yes" };
    await ask(session.person, "POST", `/api/sessions/${session.id}/permissions/req-1`, answer);
    await second.next("approval.answer");
    await ask(session.person, "POST", `/api/sessions/${session.id}/cancel`);
    await second.next("cancel");
    await evictDurableObject(session.stub, { webSockets: "close" });
    const third = await session.host();
    expect(await third.next("approval.answer")).toEqual({ type: "approval.answer", request_id: "req-1", ...answer });
    expect(await third.next("cancel")).toEqual({ type: "cancel", execution_id, turn_id });
    expect(third.got.filter((frame) => frame.type === "prompt")).toEqual([]);
  });

  it("K1: idle is answered only when nothing is on its way; a prompt after it asks for a new socket", async () => {
    const { session, host } = await LiveSession.running();
    const { turn_id, prompt_id } = await host.next("prompt");
    host.send({ type: "idle" });
    await session.tell(host, { type: "turn.started", turn_id, prompt_id });
    await session.tell(host, { type: "turn.ended", turn_id, outcome: "done", message: null });
    expect(host.got.some((frame) => frame.type === "idle.ok")).toBe(false);
    host.send({ type: "idle" });
    await host.next("idle.ok");
    const wants = () =>
      runInDurableObject(
        env.NODES.getByName(session.node.node_id) as unknown as DurableObjectStub<NodeObject>,
        (_object, state) => [...state.storage.sql.exec("SELECT * FROM cells").raw()].join("\n"),
      );
    expect(await wants()).not.toContain('"prompt":');
    // Before the socket has closed: said on it, and asked for, so that it can't be lost (K1).
    await session.stub.prompt({ prompt_id: "prompt-0002", blocks: [{ type: "text", text: "more" }] });
    expect(await host.next("prompt")).toMatchObject({ prompt_id: "prompt-0002" });
    await vi.waitFor(async () => expect(await wants()).toContain('"prompt":'), SOON);
    host.close();
    const next = await session.host();
    expect(await next.next("prompt")).toMatchObject({ prompt_id: "prompt-0002" });
  });

  it("K1: whoever says something after idle.ok is counted on again", async () => {
    const { session, host } = await LiveSession.running();
    const { turn_id, prompt_id } = await host.next("prompt");
    await session.tell(host, { type: "turn.started", turn_id, prompt_id });
    await session.tell(host, { type: "turn.ended", turn_id, outcome: "done", message: null });
    host.send({ type: "idle" });
    await host.next("idle.ok");
    await session.tell(host, text("i9", "not yet"));
    const [state] = await runInDurableObject(session.stub, (_object, ctx) =>
      ctx.getWebSockets(NODE_TAG).map((ws): unknown => ws.deserializeAttachment()),
    );
    expect(state).toMatchObject({ greeted: true, released: false });
  });

  it("N5: the newest node socket wins, the older one is closed with 4409", async () => {
    const { session, host } = await LiveSession.running();
    const newer = await session.host();
    await newer.next("session.welcome");
    expect(await host.closed).toBe(4409);
    await session.tell(newer, text("i1", "by the newer"));
  });

  it("S1: a node that isn't the session's gets 403, one that is unknown to it 404", async () => {
    const session = await LiveSession.create();
    const open = (headers: Record<string, string>) =>
      session.stub.fetch("https://object/node", { headers: { upgrade: "websocket", ...headers } });
    expect((await open({ "x-reprise-node": "nod_stranger" })).status).toBe(403);
    expect((await open({})).status).toBe(403);
    await expect(
      LiveSession.prototype.rawHost.call(Object.assign(Object.create(session), { node: await joinedNode() })),
    ).rejects.toThrow("session_not_found");
  });

  it("K2: when its machine is removed, the session's socket is cut with 4401", async () => {
    const { session, host } = await LiveSession.running();
    expect((await ask(await browser(), "DELETE", `/api/nodes/${session.node.node_id}`)).status).toBe(200);
    expect(await host.closed).toBe(4401);
    await expect(session.rawHost()).rejects.toThrow("401");
  });
});

describe("S6: bad frames of a node", () => {
  const bad: [string, string | ArrayBuffer, object][] = [
    ["no JSON", "{", { code: "invalid_json" }],
    ["an unknown type", '{"type":"nonsense"}', { code: "invalid_field", field: "type" }],
    ["a wrong field", '{"type":"events","spool_id":"spl_aaaa","events":[{"seq":0}]}', { field: "events.0.seq" }],
    ["a giant", JSON.stringify({ type: "x".repeat(1_100_000) }), { code: "too_large" }],
    ["bytes", new Uint8Array([1, 2, 3]).buffer, { code: "invalid_json" }],
  ];
  it("S6: each is told with code and field, closed with 4400, and changes nothing", async () => {
    const { session } = await LiveSession.running();
    const before = [await session.facts(), await session.log()];
    for (const [name, frame, told] of bad) {
      const host = await session.host();
      await host.next("session.welcome");
      host.raw(frame);
      expect(await host.next("error"), name).toMatchObject(told);
      expect(await host.closed, name).toBe(4400);
    }
    expect([await session.facts(), await session.log()]).toEqual(before);
    await session.tell(await session.host(), text("i1", "still alive"));
  });

  it("S6: before its hello nothing is heard", async () => {
    const session = await LiveSession.create();
    const host = await session.rawHost();
    host.send(session.frame(session.events(text("i1", "early"))));
    expect(await host.closed).toBe(4400);
    expect(JSON.stringify(await session.log())).not.toContain("early");
  });

  it("an attachment of an unknown shape (a deploy) closes that socket as stale, and the object lives", async () => {
    const { session, host } = await LiveSession.running();
    await runInDurableObject(session.stub, (_object, ctx) => {
      for (const ws of ctx.getWebSockets(NODE_TAG)) ws.serializeAttachment({ kind: "node", of: "yesterday" });
    });
    await evictDurableObject(session.stub, { webSockets: "hibernate" });
    await session.viewer();
    expect(await host.closed).toBe(4408);
    await session.tell(await session.host(), text("i1", "again"));
  });
});
