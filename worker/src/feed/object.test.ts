import { describe, expect, it } from "vitest";
import { ask, browser, call } from "../../test/client.ts";

async function feedSocket() {
  const me = await browser();
  const response = await call("/api/feed/ws", { headers: { ...me.headers, upgrade: "websocket" } });
  const socket = response.webSocket;
  if (!socket) throw new Error(`no socket: ${response.status}`);
  const frames: unknown[] = [];
  let arrived = Promise.withResolvers<void>();
  socket.addEventListener("message", ({ data }) => {
    frames.push(JSON.parse(String(data)));
    arrived.resolve();
  });
  const closed = new Promise<number>((resolve) => {
    socket.addEventListener("close", ({ code }) => resolve(code));
  });
  socket.accept();
  const next = async () => {
    while (frames.length === 0) {
      arrived = Promise.withResolvers<void>();
      await arrived.promise;
    }
    return frames.shift();
  };
  return { me, socket, next, closed };
}

describe("feed", () => {
  it("tells open pages which rows changed, without content", async () => {
    const { me, next } = await feedSocket();
    expect(await next()).toEqual({ type: "feed.hello" });
    const { answer } = await ask(me, "POST", "/api/tasks", { title: "secret plan" });
    expect(await next()).toEqual({ type: "task.changed", task_id: (answer as { id: string }).id });
  });

  it("S6: takes nothing: a frame is told so and closed with 4400, others go on", async () => {
    const [one, two] = [await feedSocket(), await feedSocket()];
    await one.next();
    await two.next();
    one.socket.send("{");
    expect(await one.next()).toMatchObject({ type: "error", code: "bad_request" });
    expect(await one.closed).toBe(4400);
    await ask(two.me, "POST", "/api/tasks", { title: "x" });
    expect(await two.next()).toMatchObject({ type: "task.changed" });
  });
});
