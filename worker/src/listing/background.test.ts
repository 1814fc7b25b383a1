import { evictAllDurableObjects } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { SessionCount, SessionList, type SessionStatus } from "@reprise/protocol";
import { CAPABILITIES } from "@reprise/protocol/testing";
import { describe, expect, it, vi } from "vitest";
import { ask, entryOf, helloOf, NodeSocket } from "../../test/client.ts";
import { LiveSession, SOON } from "../../test/session.ts";
import { TERMINAL } from "../session/core/rig.ts";

/** A terminal agent that waits in the background: nobody has it open. */
async function background(title: string, first?: LiveSession): Promise<LiveSession> {
  const session = await LiveSession.create({ ...TERMINAL, prompt: null, title }, first);
  const host = await session.host();
  host.send(session.permit());
  await host.next("permit.granted");
  const token = `tok-${session.id}`;
  await session.tell(
    host,
    { type: "execution.opened", how: "new", automatic: false },
    { type: "agent.spawned", pid: 42, start_time: "1", boot_id: "b" },
    { type: "agent.initialized", name: "A", version: null, capabilities: CAPABILITIES },
    { type: "agent.ready", token, how: "new", replayed: 0, verified: true },
    { type: "agent.prompted" },
  );
  await vi.waitFor(async () => expect((await session.facts()).resume_token).toBe(token), SOON);
  host.close();
  await host.closed;
  return session;
}

/** What its machine says of it. */
const alive = (session: LiveSession) =>
  entryOf(session.id, {
    spool: { spool_id: session.spool_id, last_seq: session.seq },
    execution: {
      execution_id: session.execution_id,
      state: "alive",
      pid: 42,
      open_turn: null,
      token: `tok-${session.id}`,
    },
  });

async function hello(sessions: readonly LiveSession[], nonce: string | null = null): Promise<string> {
  const [first] = sessions;
  if (!first) throw new Error("no session");
  const socket = await NodeSocket.open(first.node);
  const inventory = { complete: true, last_command_seq: 99, entries: sessions.map(alive) };
  socket.send(helloOf(first.node, { protocol_version: 3, nonce, inventory }));
  return (await socket.next("welcome")).nonce;
}

async function list(session: LiveSession, query = ""): Promise<SessionStatus[]> {
  const { answer } = await ask(session.person, "GET", `/api/sessions?node_id=${session.node.node_id}${query}`);
  return SessionList.parse(answer).sessions;
}
async function count(session: LiveSession, query = ""): Promise<number> {
  const { answer } = await ask(session.person, "GET", `/api/sessions/count?node_id=${session.node.node_id}${query}`);
  return SessionCount.parse(answer).count;
}

/** Every row that a query could have touched. */
async function stored(): Promise<unknown> {
  const tables = ["task_sessions", "executors_running", "nodes", "tasks"];
  return Promise.all(tables.map(async (t) => (await env.DB.prepare(`SELECT * FROM ${t} ORDER BY id`).all()).results));
}

/** All that is owed has been told: nothing is on its way by itself. */
async function settled(sessions: readonly LiveSession[]): Promise<void> {
  await vi.waitFor(async () => {
    for (const session of sessions) {
      const { version } = await session.facts();
      const row = await env.DB.prepare("SELECT version FROM task_sessions WHERE id = ?").bind(session.id).first();
      expect(row?.["version"]).toBe(version);
    }
  }, SOON);
}

describe("T1, T2: terminal sessions in the background", () => {
  it("C04, T2: after a restart with 17 of them, list and count are right at the first query, and it changes nothing", async () => {
    const first = await background("agent 0");
    const sessions = [first];
    for (let n = 1; n < 17; n++) sessions.push(await background(`agent ${n}`, first));
    const nonce = await hello(sessions);
    await settled(sessions);
    await evictAllDurableObjects({ webSockets: "close" });

    const before = await stored();
    const rows = await list(first);
    expect(rows).toHaveLength(17);
    expect(await count(first)).toBe(17);
    for (const row of rows)
      expect(row).toMatchObject({
        driver: "terminal",
        state: "WAITING_FOR_INPUT",
        is_agent_running: true,
        attached: false,
        end_reason: null,
      });
    expect(rows.map((row) => row.title).sort()).toEqual(sessions.map((_, n) => `agent ${n}`).sort());
    expect(await stored()).toEqual(before);

    // Their machine calls again: the same processes, and nothing was sent to them.
    await hello(sessions, nonce);
    await vi.waitFor(async () => {
      const back = await list(first);
      expect(back.map((row) => [row.node.presence, row.agent_execution_id]).sort()).toEqual(
        sessions.map((session) => ["online", session.execution_id]).sort(),
      );
    }, SOON);
  }, 60_000);

  it("T1: the count and the list leave out the same: what the caller has attached, what is deleted or hidden", async () => {
    const first = await background("a");
    const [b, gone] = [await background("b", first), await background("gone", first)];
    await hello([first, b, gone]);
    await ask(first.person, "DELETE", `/api/sessions/${gone.id}`);
    expect((await list(first)).map((row) => row.session_id).sort()).toEqual([first.id, b.id].sort());
    const query = `&exclude=${first.id},ses_unknown1`;
    expect((await list(first, query)).map((row) => row.session_id)).toEqual([b.id]);
    expect(await count(first, query)).toBe(1);
    // Marked to be torn down, it never comes back, whatever its machine still says of it.
    const socket = await NodeSocket.open(first.node);
    socket.send(
      helloOf(first.node, {
        protocol_version: 3,
        inventory: { complete: true, last_command_seq: 99, entries: [alive(gone)] },
      }),
    );
    await evictAllDurableObjects({ webSockets: "close" });
    expect(await count(first)).toBe(2);
    await env.DB.prepare("UPDATE task_sessions SET listed = 0 WHERE id = ?").bind(b.id).run();
    expect((await list(first)).map((row) => row.session_id)).toEqual([first.id]);
    expect(await count(first)).toBe(1);
  });

  it("T1, T2: a row says whether somebody has it open; after a restart nobody has, and nobody needs to have said so", async () => {
    const session = await background("a");
    await hello([session]);
    await settled([session]);
    expect(await list(session)).toMatchObject([{ attached: false }]);
    const viewer = await session.viewer();
    await viewer.next("session.snapshot");
    await vi.waitFor(async () => expect(await list(session)).toMatchObject([{ attached: true }]), SOON);
    await evictAllDurableObjects({ webSockets: "close" });
    expect(await list(session)).toMatchObject([{ attached: false, title: "a" }]);
  });

  it("T1: who leaves is seen to have left", async () => {
    const session = await background("a");
    await hello([session]);
    const viewer = await session.viewer();
    await viewer.next("session.snapshot");
    await vi.waitFor(async () => expect(await list(session)).toMatchObject([{ attached: true }]), SOON);
    viewer.close();
    await vi.waitFor(async () => expect(await list(session)).toMatchObject([{ attached: false }]), SOON);
  });
});
