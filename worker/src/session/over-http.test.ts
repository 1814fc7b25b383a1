import { ExchangeAnswer } from "@reprise/protocol";
import { describe, expect, it } from "vitest";
import { ask, joinedNode } from "../../test/client.ts";
import { LiveSession, text } from "../../test/session.ts";

describe("N3: a session over plain HTTP", () => {
  const hello = {
    type: "session.hello",
    protocol_version: 2,
    spool_id: null,
    last_seq: 0,
    execution_id: null,
    permit_pending: null,
  } as const;
  const post = async (session: LiveSession, body: { hello?: typeof hello; frames: unknown[] }) => {
    const { answer } = await ask(session.node, "POST", `/api/agentctl/sessions/${session.id}/events`, body);
    return ExchangeAnswer.parse(answer);
  };
  const types = (answer: ExchangeAnswer) => answer.frames.map((frame) => frame.type);

  it("N3, R3: hello, permit and events, as over a socket", async () => {
    const session = await LiveSession.create();
    expect(types(await post(session, { hello, frames: [] }))).toEqual(["session.welcome"]);
    expect(types(await post(session, { frames: [session.permit()] }))).toEqual(["permit.granted", "watch"]);
    const events = session.frame(session.events({ type: "notice", level: "info", code: "x", text: "hi" }));
    expect((await post(session, { frames: [events] })).frames[0]).toMatchObject({ type: "ack", seq: session.seq });
    expect(types(await post(session, { frames: [{ type: "idle" }] }))).toContain("idle.ok");
  });

  it("N3, L1, S1: events are stored once and never past a gap; another node's are refused", async () => {
    const { session, host } = await LiveSession.running();
    host.close();
    await post(session, { hello, frames: [] });
    const mark = session.seq;
    const [missing, beyond] = [session.events(text("i1", "one")), session.events(text("i2", "two"))];
    const ack = async (...frames: unknown[]) => (await post(session, { frames })).frames.find((f) => f.type === "ack");
    expect(await ack(session.frame(beyond))).toMatchObject({ seq: mark });
    const both = session.frame([...missing, ...beyond]);
    for (const _twice of [1, 2]) expect(await ack(both)).toMatchObject({ seq: mark + 2 });
    expect((await session.log()).rows.filter((row) => row.body.kind === "message")).toHaveLength(2);
    const path = `/api/agentctl/sessions/${session.id}/events`;
    expect((await ask(await joinedNode(), "POST", path, { hello, frames: [both] })).code).toBe("session_not_found");
  });

  it("N3, P1, P3: what is outstanding is said once in a while, not with each answer; a new hello hears all of it", async () => {
    const { session, host } = await LiveSession.running();
    host.close();
    await session.stub.prompt({ prompt_id: "prm_posted", blocks: [{ type: "text", text: "go on" }] });
    expect(types(await post(session, { hello, frames: [] }))).toContain("prompt");
    expect(types(await post(session, { frames: [] }))).not.toContain("prompt");
    expect(types(await post(session, { hello, frames: [] }))).toContain("prompt");
    await session.stub.prompt({ prompt_id: "prm_second", blocks: [{ type: "text", text: "and on" }] });
    expect(types(await post(session, { frames: [] }))).toEqual(["watch"]);
  });

  it("N3: the newest way counts: a hello by POST ends a socket, a straggler never does", async () => {
    const { session, host } = await LiveSession.running();
    expect((await post(session, { frames: [{ type: "idle" }] })).close).toBe(4408);
    host.send(session.frame(session.events({ type: "notice", level: "info", code: "x", text: "still here" })));
    await host.next("ack");
    await post(session, { hello, frames: [] });
    expect(await host.closed).toBe(4408);
  });
});
