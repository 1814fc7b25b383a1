import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { until } from "../../host/testing.ts";
import { findToken } from "./find-token.ts";

let folder = "";
let children: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rollouts-"));
  mkdirSync(join(folder, "sessions/2026/11/30"), { recursive: true });
});
afterEach(() => {
  for (const child of children) child.kill("SIGKILL");
  children = [];
  rmSync(folder, { recursive: true, force: true });
});

const id = (n: number) => `01a22e93-db63-7ee2-a768-${String(n).padStart(12, "0")}`;

/** A conversation's file as Codex 0.166 writes it. @param written in seconds: the larger, the later */
function rollout(n: number, written: number, source: unknown = "cli"): string {
  const path = join(folder, `sessions/2026/11/30/rollout-2026-11-30T22-29-31-${id(n)}.jsonl`);
  const payload = {
    session_id: id(n),
    id: id(n),
    cwd: "/w",
    originator: "codex-tui",
    source,
    base: "x".repeat(30_000),
  };
  const meta = { timestamp: "2026-11-30T22:29:45.776Z", ordinal: 0, type: "session_meta", payload };
  writeFileSync(path, `${JSON.stringify(meta)}\n{"type":"event_msg"}\n`);
  utimesSync(path, written, written);
  return path;
}

/** A process that holds these files open, as Codex does. */
async function holding(...paths: string[]): Promise<number> {
  const script = [...paths.map((path, at) => `exec ${at + 3}>>'${path}'`), "echo held", "exec tail -f /dev/null"];
  const child = spawn("/bin/sh", ["-c", script.join("; ")], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  children.push(child);
  let held = false;
  child.stdout.once("data", () => {
    held = true;
  });
  await until("the files to be held", () => held);
  return child.pid ?? 0;
}

describe.runIf(process.platform === "linux")("the conversation that a process holds open", () => {
  it("C15: is its own, not that of a sibling in the same folder, nor the newest", async () => {
    const mine = await holding(rollout(1, 100));
    const sibling = await holding(rollout(2, 200));
    rollout(3, 300);
    expect(findToken("codex", [mine])).toBe(id(1));
    expect(findToken("codex", [sibling])).toBe(id(2));
  });

  it("after /new is the one that was written last, also when its person goes back to the first", async () => {
    const [first, second] = [rollout(1, 100), rollout(2, 200)];
    const codex = await holding(first, second);
    expect(findToken("codex", [codex])).toBe(id(2));
    utimesSync(first, 300, 300);
    expect(findToken("codex", [codex])).toBe(id(1));
  });

  it("is no subagent's, nor that of another Codex which it runs as a tool", async () => {
    const subagent = rollout(2, 200, { subagent: { thread_spawn: { parent_thread_id: id(1), depth: 1 } } });
    const codex = await holding(rollout(1, 100), subagent);
    const nested = await holding(rollout(3, 300, "exec"));
    expect(findToken("codex", [codex, nested])).toBe(id(1));
    expect(findToken("codex", [await holding(), codex, nested])).toBe(id(1));
  });

  it("is none before its first prompt, when it is gone, or of an agent that says it by hooks", async () => {
    const path = rollout(1, 100);
    const codex = await holding(path);
    expect(findToken("claude-code", [codex])).toBeNull();
    expect(findToken("codex", [await holding(join(folder, "thread-writer-locks.lock"))])).toBeNull();
    writeFileSync(path, '{"timestamp":"2026-11-30T22:29:45.776Z","ordinal":0,"type":"sess');
    expect(findToken("codex", [codex])).toBeNull();
    rmSync(path);
    expect(findToken("codex", [codex])).toBeNull();
    expect(findToken("codex", [2 ** 22 + 1])).toBeNull();
  });
});
