import { createServer, type Socket } from "node:net";
import { pino } from "pino";
import { afterEach, describe, expect, it } from "vitest";
import { WebSocketServer } from "ws";
import { until } from "../host/testing.ts";
import { UPLINK_BUFFER_BYTES } from "../limits.ts";
import { dialSocket } from "./dial-socket.ts";
import { SessionSocket } from "./session.ts";

const close: (() => void)[] = [];
afterEach(() => {
  for (const one of close.splice(0)) one();
});

function socketTo(url: string) {
  const seen = { downs: 0, drains: 0, welcomed: false };
  const socket = new SessionSocket({
    dial: () => dialSocket(url, () => ({})),
    log: pino({ level: "silent" }),
    hello: () => ({
      type: "session.hello",
      protocol_version: 1,
      spool_id: null,
      last_seq: 0,
      execution_id: null,
      permit_pending: null,
    }),
    onWelcome: () => {
      seen.welcomed = true;
    },
    onFrame: () => undefined,
    onDown: () => {
      seen.downs++;
    },
    onDrain: () => {
      seen.drains++;
    },
  });
  close.push(() => socket.close());
  return { socket, seen };
}

const port = (server: { address(): unknown }) => {
  const address = server.address();
  if (typeof address !== "object" || address === null || !("port" in address)) throw new Error("no port");
  return address.port;
};

describe("a session's socket", () => {
  it("L4: says when the network is full, and when it has room again; nothing is lost or out of order", async () => {
    const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
    close.push(() => server.close());
    await new Promise((resolve) => server.once("listening", resolve));
    let raw: Socket | null = null;
    const got: string[] = [];
    server.on("connection", (ws, request) => {
      raw = request.socket;
      ws.on("message", (data) => {
        const text = String(data);
        if (text.includes("session.hello"))
          ws.send(JSON.stringify({ type: "session.welcome", protocol_version: 1, acked: 0, watched: false }));
        if (text.includes("preview")) got.push(text.slice(0, 200));
      });
    });
    const { socket, seen } = socketTo(`ws://127.0.0.1:${port(server)}`);
    socket.want(true);
    await until("a welcome", () => seen.welcomed);
    const reader = await until("its socket", () => raw);
    reader.pause();
    let sent = 0;
    const send = () =>
      socket.send({
        type: "preview",
        execution_id: "exe_0000",
        turn_id: null,
        item_id: `i${sent++}`,
        kind: "text",
        offset: 0,
        text: "x".repeat(100_000),
      });
    while (send()) expect(sent).toBeLessThan(1_000);
    expect(seen.drains).toBe(0);
    expect(send()).toBe(false);
    reader.resume();
    await until("room", () => seen.drains === 1);
    await until("all of it", () => got.length === sent);
    expect(got.map((text) => /"item_id":"(\w+)"/.exec(text)?.[1])).toEqual(got.map((_, i) => `i${i}`));
    expect(sent * 100_000).toBeGreaterThan(UPLINK_BUFFER_BYTES);
  });

  it("N4: new things to say don't hurry a control plane that isn't there; only its own sign does", async () => {
    const server = createServer();
    let tries = 0;
    server.on("connection", (one) => {
      tries++;
      one.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    close.push(() => server.close());
    const { socket, seen } = socketTo(`ws://127.0.0.1:${port(server)}`);
    socket.want(true);
    await until("a failure", () => seen.downs === 1);
    let wants = 0;
    await until("many new things to say", () => {
      socket.want(true);
      return ++wants > 40;
    });
    expect(tries).toBeLessThan(10);
    const before = tries;
    socket.nudge();
    await until("the nudged one", () => tries > before);
  });
});
