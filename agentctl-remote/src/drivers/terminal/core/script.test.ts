import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { id, until } from "../../../host/testing.ts";
import { quoted } from "./quote.ts";
import { readReport } from "./report.ts";
import { reportScript, runScript, shellLine } from "./script.ts";

let dir = "";
let reports = "";
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "it's a script-"));
  reports = join(dir, "reports");
  mkdirSync(reports);
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const execution_id = id("execution");
const ECHO = ["node", "-e", "process.stdout.write(JSON.stringify([process.argv.slice(1), process.env.MARK]))"];

const reported = () =>
  readdirSync(reports)
    .filter((name) => name.endsWith(".report"))
    .map((name) => readReport(readFileSync(join(reports, name), "utf8")));

function write(words: readonly string[], env: Record<string, string> = {}, host_pid = process.pid): string {
  const path = join(dir, "run");
  const go = join(dir, "go");
  writeFileSync(path, runScript({ execution_id, words, env, reports, go, host_pid }));
  return path;
}

describe("the wrapper's text", () => {
  it("any words survive the shell, whatever is in them", () => {
    const word = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.string({ unit: fc.constantFrom("'", '"', "\\", "$", "`", "\n", " ", "!", "*", "-", ";", "é", "\u{1f600}") }),
    );
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 8 }), (words) => {
        const text = execFileSync("/bin/sh", ["-c", `printf '%s\\0' ${words.map(quoted).join(" ")}`]).toString();
        expect(text).toBe(words.map((one) => `${one.replaceAll("\0", "")}\0`).join(""));
      }),
      { numRuns: 60 },
    );
  });

  it("runs the agent with its words and variables, and tells start and exit", () => {
    writeFileSync(join(dir, "go"), "");
    const words = [...ECHO, "it's", "$HOME", "a\nb", ""];
    const text = execFileSync("/bin/sh", [write(words, { MARK: "a 'mark' of $5" })]).toString();
    expect(text).toContain(JSON.stringify([["it's", "$HOME", "a\nb", ""], "a 'mark' of $5"]));
    expect(reported()).toEqual([
      { type: "exit", execution_id, status: 0, hung_up: false },
      { type: "start", execution_id, pid: expect.any(Number) },
    ]);
  });

  it("waits for the word of its host, and starts nothing where that is dead", async () => {
    const gone = spawn("true");
    await new Promise((resolve) => gone.once("exit", resolve));
    const ran = join(dir, "ran");
    const child = spawn("/bin/sh", [write(["touch", ran], {}, gone.pid)]);
    const code = await new Promise((resolve) => child.once("exit", resolve));
    expect(code).toBe(125);
    expect(readdirSync(dir)).not.toContain("ran");
    expect(reported()).toMatchObject([{ type: "start" }]);
  });

  it("and where its host has given it up", async () => {
    const run = write(["touch", join(dir, "ran")]);
    const child = spawn("/bin/sh", [run]);
    await until("its word", () => reported().length === 1);
    rmSync(run);
    expect(await new Promise((resolve) => child.once("exit", resolve))).toBe(125);
    expect(readdirSync(dir)).not.toContain("ran");
  });

  it.each<[string, number, boolean]>([
    ["kill -KILL $$", 137, false],
    ["kill -HUP $$", 129, false],
    ["kill -HUP $PPID; exit 0", 0, true],
    ["kill -TERM $PPID; exit 3", 3, true],
    ["kill -INT $PPID; exit 4", 4, false],
  ])("R7: `%s` is told as status %i", (line, status, hung_up) => {
    writeFileSync(join(dir, "go"), "");
    expect(spawnSync("/bin/sh", [write(["/bin/sh", "-c", line])]).status).toBe(0);
    expect(reported()).toContainEqual({ type: "exit", execution_id, status, hung_up });
  });

  it("the shell's line keeps a path with quotes and a space whole", () => {
    writeFileSync(join(dir, "go"), "");
    const run = write(["printenv", "REPRISE_EXECUTION_ID"]);
    const line = shellLine(run, { variable: "REPRISE_EXECUTION_ID", id: execution_id }, ["/bin/sh", "-c", "echo then"]);
    const text = execFileSync("/bin/sh", ["-c", line]).toString();
    expect(text).toContain(execution_id);
    expect(text).toContain("then\n");
  });
});

const SILENT = { status: 0, text: "" };

describe("the report script", () => {
  const call = (input: string, args: readonly string[] = ["hook", "claude-code"]) => {
    const path = join(dir, "report");
    writeFileSync(path, reportScript(reports, "claude-code"), { mode: 0o700 });
    const { status, stdout, stderr } = spawnSync(path, args, { input });
    return { status, text: `${stdout}${stderr}` };
  };

  it("drops the hook's words with the chain of its callers, and prints nothing", () => {
    expect(call('{"session_id":"x","text":"it\'s\\nfine"}')).toEqual(SILENT);
    const [one] = reported();
    if (one?.type !== "hook") throw new Error("no hook's report");
    expect(one).toMatchObject({ agent_kind: "claude-code", payload: { session_id: "x", text: "it's\nfine" } });
    expect(one.chain[0]).toBe(process.pid);
    expect(one.chain).toContain(process.ppid);
  });

  it("S4: what is longer than 256 KiB says nothing, and blocks nobody", () => {
    expect(call(JSON.stringify({ text: "x".repeat(1024 * 1024) }))).toEqual(SILENT);
    expect(reported()).toEqual([null]);
  });

  it("never fails: of a session that is gone, or called in another way, nothing is kept", () => {
    expect(call("{}", ["else"])).toEqual(SILENT);
    expect(call("{}", ["hook"])).toEqual(SILENT);
    // More than a pipe holds: an agent whose words nobody reads would wait, or fail.
    expect(call(JSON.stringify("x".repeat(200_000)), ["hook", "gemini"]), "another agent's").toEqual(SILENT);
    expect(readdirSync(reports)).toEqual([]);
    rmSync(reports, { recursive: true });
    expect(call("{}")).toEqual(SILENT);
  });
});
