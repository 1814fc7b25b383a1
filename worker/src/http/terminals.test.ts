import { type KeptConversation, MAX_TERMINAL_CHUNK } from "@reprise/protocol";
import { describe, expect, it } from "vitest";
import { ask, call, helloOf, NodeSocket } from "../../test/client.ts";
import { LiveSession, stubOf } from "../../test/session.ts";
import { TERMINAL } from "../session/core/rig.ts";

async function connected(version = 3) {
  const session = await LiveSession.create(TERMINAL);
  const control = await NodeSocket.open(session.node);
  control.send(helloOf(session.node, { protocol_version: version }));
  await control.next("welcome");
  return { session, control };
}

const door = (session: LiveSession, terminal = "agent") => `/api/sessions/${session.id}/terminals/${terminal}/input`;

describe("B1: input to a terminal that nobody has open", () => {
  it.each([
    ["text", { text: "ja, bitte ⏎\r" }, "amEsIGJpdHRlIOKPjg0="],
    ["bytes", { data: "AwA=" }, "AwA="],
  ])("B1: %s is delivered without any pane", async (_what, body, data) => {
    const { session, control } = await connected();
    const typed = ask(session.person, "POST", door(session), body);
    const { request_id, request } = await control.next("request");
    expect(request).toEqual({ op: "terminal_input", session_id: session.id, terminal_id: "agent", data });
    control.send({ type: "answer", request_id, result: { ok: true, answer: { op: "terminal_input" } } });
    expect(await typed).toMatchObject({ status: 200, answer: { ok: true } });
    expect((await stubOf(session.id).facts())?.attached).toBe(false);
  });

  it.each([
    ["terminal_ended", 409],
    ["terminal_not_found", 404],
  ] as const)("B1: %s is its machine's word", async (code, status) => {
    const { session, control } = await connected();
    const typed = ask(session.person, "POST", door(session, "shell"), { text: "x" });
    const { request_id } = await control.next("request");
    control.send({ type: "answer", request_id, result: { ok: false, code, message: "No." } });
    expect(await typed).toMatchObject({ status, code });
  });

  it("T3: a machine that is away, or too old, says so", async () => {
    const away = await LiveSession.create(TERMINAL);
    expect(await ask(away.person, "POST", door(away), { text: "x" })).toMatchObject({
      status: 409,
      code: "node_unavailable",
    });
    const { session } = await connected(2);
    expect(await ask(session.person, "POST", door(session), { text: "x" })).toMatchObject({
      status: 409,
      code: "agentctl_too_old",
    });
  });

  it.each([
    ["nothing", {}, "text"],
    ["both", { text: "x", data: "AwA=" }, "text"],
    ["no text", { text: "" }, "text"],
    ["too many characters", { text: "x".repeat(MAX_TERMINAL_CHUNK + 1) }, "text"],
    ["too many bytes", { text: "é".repeat(MAX_TERMINAL_CHUNK) }, "text"],
    ["what isn't base64", { data: "%%%%" }, "data"],
  ])("S6: %s is refused by its field, and nobody is asked", async (_what, body, field) => {
    const { session } = await connected();
    expect(await ask(session.person, "POST", door(session), body)).toMatchObject({
      status: 400,
      code: "invalid_field",
      answer: { error: { details: { field } } },
    });
  });

  it("S1, S6: an unknown session is 404, a name that is none 400; a node, and nobody, reach no terminal", async () => {
    const { session } = await connected();
    const unknown = `/api/sessions/ses_unknown1/terminals/agent/input`;
    expect(await ask(session.person, "POST", unknown, { text: "x" })).toMatchObject({ code: "session_not_found" });
    expect(await ask(session.person, "POST", door(session, "NO"), { text: "x" })).toMatchObject({ status: 400 });
    expect((await ask(session.node, "POST", door(session), { text: "x" })).status).toBe(403);
    expect((await call(door(session), { method: "POST" })).status).toBe(401);
  });
});

describe("what an agent has kept of a folder", () => {
  const KEPT: KeptConversation[] = [
    { id: "conv-2", title: "Fix the login", updated_at: 2 },
    { id: "conv-1", title: null, updated_at: null },
  ];
  const path = (session: LiveSession, query: string) => `/api/nodes/${session.node.node_id}/conversations?${query}`;

  it("R2: they are listed as the machine finds them, each with the session that goes on with it already", async () => {
    const { session, control } = await connected();
    const other = await LiveSession.create({ token: "conv-1", prompt: null, title: "Theirs" }, session);
    const asked = ask(session.person, "GET", path(session, "agent_profile_id=prf_claudecode&cwd=~/x"));
    const { request_id, request } = await control.next("request");
    expect(request).toMatchObject({
      op: "list_conversations",
      cwd: "/home/me/x",
      runtime: "standalone",
      spec: { agent_kind: "claude-code" },
    });
    const answer = { op: "list_conversations" as const, conversations: KEPT };
    control.send({ type: "answer", request_id, result: { ok: true, answer } });
    expect(await asked).toMatchObject({
      status: 200,
      answer: {
        conversations: [
          { ...KEPT[0], held_by: null },
          { ...KEPT[1], held_by: { session_id: other.id, title: "Theirs" } },
        ],
      },
    });
  });

  it("S6: bad input names its field; an unknown profile, a machine that is away or too old say so", async () => {
    const { session } = await connected(2);
    const get = (query: string) => ask(session.person, "GET", path(session, query));
    expect(await get("cwd=/x")).toMatchObject({ code: "invalid_field", status: 400 });
    expect(await get("agent_profile_id=prf_claudecode&cwd=x")).toMatchObject({
      code: "invalid_field",
      answer: { error: { details: { field: "cwd" } } },
    });
    expect(await get("agent_profile_id=prf_claudecode&cwd=/x&runtime=docker")).toMatchObject({
      answer: { error: { details: { field: "runtime" } } },
    });
    expect(await get("agent_profile_id=prf_unknown1&cwd=/x")).toMatchObject({ code: "profile_not_found" });
    expect(await get("agent_profile_id=prf_claudecode&cwd=/x")).toMatchObject({ code: "agentctl_too_old" });
    const away = await LiveSession.create(TERMINAL);
    expect(await ask(away.person, "GET", path(away, "agent_profile_id=prf_claudecode&cwd=/x"))).toMatchObject({
      code: "node_unavailable",
    });
  });
});
