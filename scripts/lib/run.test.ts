import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { startTimeOf } from "./process-id.ts";
import { keepEnd, run, start, stop } from "./run.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "reprise-run-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const node = (code: string) => [process.execPath, ["-e", code]] as const;

describe("children", () => {
  it("give their output and exit status", async () => {
    const result = await run(...node("console.log(1); console.error(2); process.exit(3)"), {
      output: { kind: "capture" },
    });
    expect(result.code).toBe(3);
    expect(result.output.split("\n").sort()).toEqual(["", "1", "2"]);
  });

  it("that a signal ended have the status that a shell gives them", async () => {
    expect((await run(...node("process.kill(process.pid, 'SIGTERM')"))).code).toBe(143);
  });

  it("print each line after their name", async () => {
    const lines: string[] = [];
    const output = { kind: "prefix", prefix: "worker | " } as const;
    await run(...node("process.stdout.write('a\\nb')"), { output, write: (line) => lines.push(line) });
    expect(lines).toEqual(["worker | a", "worker | b"]);
  });

  it("that can't be started are an error", async () => {
    await expect(run("/no/such/program", [])).rejects.toThrow("ENOENT");
  });

  it("are stopped with all that they started, also when they refuse", async () => {
    const file = join(folder, "pid");
    const inner =
      "process.on('SIGTERM', () => {}); setInterval(() => {}, 1e6); require('fs').writeFileSync(FILE, String(process.pid))";
    const script = inner.replace("FILE", JSON.stringify(file));
    const code = `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(script)}], {stdio: 'ignore'}); process.on('SIGTERM', () => {}); setInterval(() => {}, 1e6)`;
    const { child } = start(...node(code));
    const grandchild = await vi.waitUntil(() => existsSync(file) && Number(readFileSync(file, "utf8")), 10_000);
    await stop(child, 100);
    await vi.waitUntil(() => startTimeOf(Number(grandchild)) === null, 5_000);
    expect(child.signalCode).toBe("SIGKILL");
  });
});

it("a long output keeps its end", () => {
  expect(keepEnd("abcdef", 3)).toBe("[...]\ndef");
  expect(keepEnd("abc", 3)).toBe("abc");
});
