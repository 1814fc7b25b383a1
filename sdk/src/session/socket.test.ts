import { describe, expect, it, vi } from "vitest";
import { createClient } from "../client.ts";
import { FakeEnvironment } from "../testing/fake-socket.ts";
import { ModelLog, preview, rowFrame, SESSION, textRow } from "../testing/model.ts";
import { SessionSocket } from "./socket.ts";

function setUp(answer: () => Response = () => Response.error()) {
  const environment = new FakeEnvironment();
  const fetch = vi.fn<typeof globalThis.fetch>(async () => answer());
  const client = createClient({ origin: "https://reprise.test", fetch });
  const socket = new SessionSocket({ client, sessionId: SESSION, environment });
  socket.start();
  environment.last.open();
  return { environment, socket, fetch };
}

const frames = (sent: readonly string[]) => sent.map((text): unknown => JSON.parse(text));

describe("SessionSocket", () => {
  it("L2: it comes back with its cursor, and says since when it is behind", () => {
    const { environment, socket } = setUp();
    expect(environment.last.url).toBe(`wss://reprise.test/api/sessions/${SESSION}/ws`);
    const log = new ModelLog();
    log.write(1, true);
    environment.last.say(log.snapshot("first", 10));
    expect(socket.state.connection).toEqual({ kind: "live" });
    environment.advance(15_000);
    environment.last.end();
    expect(socket.state.connection).toEqual({ kind: "behind", since: 15_000 });
    environment.advance(3_000);
    expect(environment.sockets).toHaveLength(2);
    expect(environment.last.url).toContain(`?log=${log.log_id}&since=1`);
  });

  it("L4: it acknowledges after a second, and at once after 32 KiB, counted as the server does", () => {
    const { environment } = setUp();
    environment.last.say(new ModelLog().snapshot("first", 10));
    expect(environment.last.sent).toEqual([]);
    environment.advance(1_000);
    expect(frames(environment.last.sent)).toMatchObject([{ type: "seen", cursor: 0 }]);
    environment.last.say(rowFrame(textRow("a", 1, 1, "é".repeat(33_000), "done"), true));
    const [, second] = frames(environment.last.sent);
    expect(second).toMatchObject({ type: "seen", cursor: 1, bytes: expect.toSatisfy((n: number) => n > 33_000) });
    environment.advance(1_500);
    expect(environment.last.sent).toHaveLength(2);
  });

  it("L3: it asks for the whole item over the socket", () => {
    const { environment } = setUp();
    environment.last.say(new ModelLog().snapshot("first", 10));
    environment.last.say(preview("a", 5, "x"));
    expect(frames(environment.last.sent)).toEqual([{ type: "whole", item_id: "a" }]);
  });

  it("S6: a frame that can't be read is told, acknowledged, and changes nothing", () => {
    const environment = new FakeEnvironment();
    const bad = vi.fn();
    const client = createClient({ origin: "https://reprise.test" });
    const socket = new SessionSocket({ client, sessionId: SESSION, environment, onBadFrame: bad });
    socket.start();
    environment.last.open();
    const before = socket.state;
    environment.last.say("{");
    environment.last.say({ type: "session.unheard_of" });
    expect(bad).toHaveBeenCalledTimes(2);
    expect(socket.state).toBe(before);
    environment.advance(1_000);
    expect(environment.last.sent).toHaveLength(1);
  });

  it("a session that is gone is said, not asked for again and again", async () => {
    const body = { error: { code: "session_not_found", message: "There is no such session." } };
    const { environment, socket } = setUp(() => Response.json(body, { status: 404 }));
    environment.last.end();
    environment.advance(3_000);
    environment.last.end();
    await vi.waitFor(() => expect(socket.state.connection.kind).toBe("refused"));
    environment.advance(60_000);
    expect(environment.sockets).toHaveLength(2);
  });

  it("what an old socket still says is not taken in", () => {
    const { environment, socket } = setUp();
    const [first] = environment.sockets;
    environment.advance(60_000);
    expect(environment.sockets.length).toBeGreaterThan(1);
    first?.say(new ModelLog().snapshot("first", 10));
    expect(socket.state.log).toBeNull();
    socket.stop();
    expect(environment.last.closedWith).toBe(1000);
  });
});
