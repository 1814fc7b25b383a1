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
  const sent: NodeUp[] = [];
  const requests = new Requests({
    agents: { probe: () => Promise.reject(new Error("not asked")), rescan: () => [] },
    roots: rootsOf([], dir),
    log: pino({ level: "silent" }),
    workspace: () => dir,
    write: () => Promise.reject(new Error("not asked")),
    send: (frame) => sent.push(frame),
  });
  await requests.answer("req_1", { op: "files", session_id: id("session"), path: "many" });
  expect(sent).toMatchObject([{ type: "answer", request_id: "req_1", result: { ok: false, code: "too_large" } }]);
  expect(decodeFrame(JSON.stringify(sent[0]), NodeUp)).toMatchObject({ ok: true });
});
