import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, expect, it } from "vitest";
import { sessionPaths } from "../../host/paths.ts";
import { id } from "../../host/testing.ts";
import { LABELS, readContainer, writeContainer } from "./container.ts";
import { Containers } from "./containers.ts";
import { Engine } from "./engine.ts";

const log = pino({ level: "silent" });
const owner = { node_id: "node_1", state_id: "state_1" };
const ours = id("session");
let dir = "";
let server: Server;
/** What the engine has, by id. */
let containers: Record<string, Record<string, string>>;
let removed: string[];
let engine: string;
let wanted: Containers;

/** An engine's answers about containers, without an engine. */
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), "containers-"));
  removed = [];
  engine = "engine-1";
  server = createServer((request, response) => {
    const url = new URL(request.url ?? "", "http://engine");
    const one = /containers\/([a-z]+)(\/json)?$/.exec(url.pathname)?.[1] ?? "";
    const labels = containers[one];
    response.setHeader("content-type", "application/json");
    if (url.pathname.endsWith("/containers/json")) {
      const filters: { label: string[] } = JSON.parse(url.searchParams.get("filters") ?? "{}");
      const found = Object.entries(containers).filter(([, has]) =>
        filters.label.every((label) => has[label.split("=")[0] ?? ""] === label.split("=")[1]),
      );
      response.end(JSON.stringify(found.map(([Id]) => ({ Id, State: "exited" }))));
    } else if (url.pathname.endsWith("/info")) {
      response.end(JSON.stringify({ ID: engine }));
    } else if (request.method === "DELETE") {
      removed.push(one);
      response.writeHead(204).end();
    } else if (labels) {
      const State = { Status: "running", StartedAt: "2026-01-01T00:00:00Z" };
      response.end(JSON.stringify({ Id: one, State, Config: { Labels: labels } }));
    } else response.writeHead(404).end('{"message":"no such container"}');
  });
  const socket = join(dir, "engine.sock");
  await once(server.listen(socket), "listening");
  wanted = new Containers(new Engine({ socket, log, changed: () => undefined }), owner, log);
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(dir, { recursive: true, force: true });
});

const labels = (session: string, state: string) => ({
  [LABELS.session]: session,
  [LABELS.node]: owner.node_id,
  [LABELS.state]: state,
});

it("S4, X2: a note that names a stranger's container is not believed: its own is found by label", async () => {
  containers = { stranger: {}, other: labels(id("session"), "state_1"), own: labels(ours, "state_1") };
  for (const noted of ["stranger", "other"]) {
    writeContainer(sessionPaths(dir), ours, noted, "engine-1");
    expect(await wanted.find(sessionPaths(dir), ours, true)).toMatchObject({ ok: true, value: { id: "own" } });
  }
});

it("S4, X6: what a session had goes with it, of earlier state folders too, and nobody else's", async () => {
  containers = { stranger: {}, own: labels(ours, "state_1"), former: labels(ours, "state_0") };
  writeContainer(sessionPaths(dir), ours, "stranger", "engine-1");
  expect(await wanted.remove(ours)).toMatchObject({ ok: true });
  expect(removed.toSorted()).toEqual(["former", "own"]);
});

it("T3, X2: only the engine that had a container can say that it is gone; another one proves nothing", async () => {
  containers = {};
  writeContainer(sessionPaths(dir), ours, "own", "engine-1");
  engine = "engine-2";
  expect(await wanted.find(sessionPaths(dir), ours, true)).toMatchObject({
    ok: false,
    why: "away",
    failure: { code: "runtime_unavailable" },
  });
  engine = "engine-1";
  expect(await wanted.find(sessionPaths(dir), ours, true)).toEqual({ ok: true, value: null });
});

it("T3: a note of an earlier version learns which engine has it", async () => {
  containers = { own: labels(ours, "state_1") };
  writeContainer(sessionPaths(dir), ours, "own", null);
  await wanted.find(sessionPaths(dir), ours, true);
  expect(readContainer(sessionPaths(dir))).toEqual({ id: "own", engine_id: "engine-1" });
});
