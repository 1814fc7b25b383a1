import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeFrame, NodeUp } from "@reprise/protocol";
import { pino } from "pino";
import { afterEach, beforeEach, expect, it } from "vitest";
import { id } from "../host/testing.ts";
import { rootsOf } from "../workspace/roots.ts";
import { Requests } from "./requests.ts";

let dir = "";
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "requests-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

it("S6: an answer that no frame can carry is refused by its code, and never costs the link", async () => {
  const folder = join(dir, "many");
  mkdirSync(folder);
  // Names that JSON writes six times as long.
  for (let i = 0; i < 900; i++) writeFileSync(join(folder, `${String(i).padStart(4, "0")}${"\u0001".repeat(240)}`), "");
  const { requests, sent } = open();
  await requests.answer("req_1", { op: "files", session_id: id("session"), path: "many" });
  expect(sent).toMatchObject([{ type: "answer", request_id: "req_1", result: { ok: false, code: "too_large" } }]);
  expect(decodeFrame(JSON.stringify(sent[0]), NodeUp)).toMatchObject({ ok: true });
});

it("S4, T4: kept conversations are told of folders that this machine allows, and why not of others", async () => {
  mkdirSync(join(dir, "work"));
  const { requests, sent } = open([join(dir, "work")]);
  const spec = { agent_kind: "codex", agent_name: "Codex", driver: "terminal" as const, command: "codex", args: [] };
  const request = {
    op: "list_conversations" as const,
    spec: { ...spec, env: { HOME: dir } },
    runtime: "standalone" as const,
  };
  await requests.answer("req_1", { ...request, cwd: join(dir, "work") });
  await requests.answer("req_2", { ...request, cwd: dir });
  expect(sent).toMatchObject([
    { request_id: "req_1", result: { ok: true, answer: { op: "list_conversations", conversations: [] } } },
    { request_id: "req_2", result: { ok: false, code: "path_not_allowed" } },
  ]);
});

function open(allowed: string[] = []): { requests: Requests; sent: NodeUp[] } {
  const sent: NodeUp[] = [];
  const requests = new Requests({
    agents: { probe: () => Promise.reject(new Error("not asked")), rescan: () => [] },
    roots: rootsOf(allowed, dir),
    log: pino({ level: "silent" }),
    workspace: () => dir,
    write: () => Promise.reject(new Error("not asked")),
    send: (frame) => sent.push(frame),
  });
  return { requests, sent };
}
