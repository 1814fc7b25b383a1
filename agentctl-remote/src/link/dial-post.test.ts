import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { HEARTBEAT_PING } from "@reprise/protocol";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Wire } from "./wire.ts";

const IDLE_MS = 150;
const BUSY_FOR_MS = 40;
vi.hoisted(() => {
  const limits = { POST_IDLE_MS: 150, POST_BUSY_MS: 5, POST_BUSY_FOR_MS: 40, POST_GATHER_MS: 1 };
  process.env["REPRISE_LIMITS"] = JSON.stringify(limits);
});

let server: Server;
let url = "";
/** When POSTs came, by their path. */
let posts: { path: string; at: number }[] = [];
const wires: Wire[] = [];

beforeEach(async () => {
  posts = [];
  server = createServer((request, response) => {
    posts.push({ path: request.url ?? "", at: performance.now() });
    request.resume().on("end", () => response.end('{"frames":[],"close":null}'));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
});
afterEach(async () => {
  for (const wire of wires.splice(0)) wire.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** A connection that has said its hello, and was answered. */
async function connected(path: string): Promise<Wire> {
  const { dialPost } = await import("./dial-post.ts");
  const wire = await new Promise<Wire>((resolve) => {
    const made = dialPost(`${url}${path}`, () => ({}))({
      opened: () => made.send('{"type":"hello"}'),
      text: () => resolve(made),
      refused: (status) => console.warn(`refused with ${status}`),
      failed: (message) => console.warn(message),
      closed: (code) => console.warn(`closed with ${code}`),
    });
    wires.push(made);
  });
  return wire;
}

const postsOf = (path: string) => posts.filter((post) => post.path === path);
const more = (path: string, count: number) => {
  const from = postsOf(path).length;
  return vi.waitUntil(() => postsOf(path).length >= from + count, { timeout: 30_000, interval: 5 });
};

it("N3: a heartbeat is no news: an idle connection stays at its slow pace", async () => {
  const wire = await connected("/idle");
  const since = performance.now();
  const beat = setInterval(() => wire.send(HEARTBEAT_PING), 5);
  try {
    await vi.waitUntil(() => performance.now() - since > BUSY_FOR_MS, { interval: 5 });
    await more("/idle", 3);
  } finally {
    clearInterval(beat);
  }
  const [before = 0, last = 0] = postsOf("/idle")
    .slice(-2)
    .map(({ at }) => at);
  expect(last - before).toBeGreaterThan(IDLE_MS * 0.9);
});

it("N3: a connection that was closed says nothing more: what its answer brought would be lost", async () => {
  await connected("/other");
  const wire = await connected("/closed");
  wire.close();
  const said = postsOf("/closed").length;
  await more("/other", 4);
  expect(postsOf("/closed")).toHaveLength(said);
});
