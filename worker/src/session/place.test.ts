import { CONN_HEADER } from "@reprise/protocol";
import { describe, expect, it } from "vitest";
import { ask, call, helloOf, joinToken, NodeSocket } from "../../test/client.ts";
import { LiveSession } from "../../test/session.ts";

describe("K2: whose socket a session listens to", () => {
  it("K2, T3: a machine that took the place of a lost one leaves the old one's open sockets cut", async () => {
    const { session, host } = await LiveSession.running();
    const { node_id } = session.node;
    const joined = await ask({ headers: {} }, "POST", "/api/agentctl/join", {
      token: await joinToken(),
      machine_id: "another",
      state_id: "another",
      hostname: "new",
      platform: "linux",
      replace: node_id,
    });
    expect(joined.status).toBe(200);
    expect(await host.closed).toBe(4408);
    expect((await call(`/api/agentctl/sessions/${session.id}/ws`, upgrade(session.node.headers))).status).toBe(401);
  });

  it("N6: another daemon with the same credential doesn't get a session's socket, nor its POSTs", async () => {
    const { session, host } = await LiveSession.running();
    const control = await NodeSocket.open(session.node);
    control.send(helloOf(session.node, { protocol_version: 2 }));
    const { conn_id } = await control.next("welcome");
    const open = (conn: string) =>
      call(`/api/agentctl/sessions/${session.id}/ws`, upgrade({ ...session.node.headers, [CONN_HEADER]: conn }));
    const refused = await open("con_other");
    expect(refused.status).toBe(409);
    expect(await refused.json()).toMatchObject({ error: { code: "node_replaced" } });
    const hello = {
      type: "session.hello",
      protocol_version: 2,
      spool_id: null,
      last_seq: 0,
      execution_id: null,
      permit_pending: null,
    };
    const posted = await ask(session.node, "POST", `/api/agentctl/sessions/${session.id}/events`, {
      hello,
      frames: [],
    });
    expect(posted.code).toBe("node_replaced");
    host.send(session.frame(session.events({ type: "notice", level: "info", code: "x", text: "undisturbed" })));
    await host.next("ack");
    expect((await open(conn_id)).status).toBe(101);
  });
});

function upgrade(headers: Record<string, string>) {
  return { headers: { ...headers, upgrade: "websocket" } };
}
