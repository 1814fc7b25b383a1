import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ROOT } from "../lib/paths.ts";
import { startTimeOf } from "../lib/process-id.ts";
import { oncePerPress } from "./run.mjs";

const WAIT = { timeout: 15_000, interval: 20 };

let folder: string;
let outer: ChildProcess | undefined;
/** The command's own pid, so that a red test leaves nothing running either. */
let inner: number | undefined;
/** What came over stderr, the command's own included. */
let complaints: string;
beforeEach(() => {
  complaints = "";
  folder = mkdtempSync(join(tmpdir(), "reprise-boot-"));
});
afterEach(() => {
  outer?.kill("SIGKILL");
  if (inner !== undefined && startTimeOf(inner) !== null) process.kill(inner, "SIGKILL");
  inner = undefined;
  rmSync(folder, { recursive: true, force: true });
});

const log = () => join(folder, "log");
const lines = () => (existsSync(log()) ? readFileSync(log(), "utf8").trim().split("\n") : []);

/** Runs a script through runChild in a process of its own, as bootstrap.mjs does. */
function boot(script: string, ...args: string[]): Promise<number | null> {
  const file = join(folder, "command.ts");
  const header = `import { appendFileSync } from "node:fs";\nconst say = (x: string) => appendFileSync(${JSON.stringify(log())}, x + "\\n");\n`;
  writeFileSync(file, header + script);
  const run = JSON.stringify(pathToFileURL(join(ROOT, "scripts/bootstrap/run.mjs")).href);
  const code = `const { runChild } = await import(${run}); process.exitCode = await runChild(${JSON.stringify(ROOT)}, process.execPath, ${JSON.stringify(file)}, ${JSON.stringify(args)});`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", code], {
    stdio: ["ignore", "inherit", "pipe"],
  });
  outer = child;
  child.stderr.on("data", (chunk: Buffer) => {
    complaints += chunk.toString();
  });
  return new Promise((resolve) => child.once("close", (status) => resolve(status)));
}

const STAYS = `
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => say(signal));
setInterval(() => say === null, 1e6);
say(String(process.pid));`;

async function started(): Promise<number> {
  await vi.waitUntil(() => lines().length > 0 && lines()[0] !== "", WAIT);
  inner = Number(lines()[0]);
  return inner;
}

describe("a command behind bootstrap.mjs", () => {
  it("gets its arguments, the project's tools first on PATH, and its exit code goes out", async () => {
    const code = await boot(
      `say(process.argv.slice(2).join("|")); say(process.env.PATH ?? ""); process.exit(7)`,
      "a b",
      "--c",
    );
    expect(code).toBe(7);
    expect(lines()[0]).toBe("a b|--c");
    expect(lines()[1]?.startsWith(join(ROOT, "node_modules", ".bin"))).toBe(true);
  });

  it("says nothing of Node's own experiments to the person", async () => {
    expect(await boot(`await import("node:sqlite"); process.emitWarning("of our own");`)).toBe(0);
    expect(complaints).toContain("of our own");
    expect(complaints).not.toContain("ExperimentalWarning");
  });

  it("ends when its work does: the line to its parent keeps nothing running", async () => {
    expect(await boot(`say("done")`)).toBe(0);
  });

  it("that a signal ended gives the status that a shell says", async () => {
    expect(await boot(`process.kill(process.pid, "SIGKILL"); setInterval(() => say === null, 1e6)`)).toBe(137);
  });

  it("hears a signal to bootstrap once", async () => {
    const exited = boot(STAYS);
    const pid = await started();
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      outer?.kill(signal);
      await vi.waitUntil(() => lines().includes(signal), WAIT);
    }
    expect(lines().slice(1)).toEqual(["SIGINT", "SIGTERM"]);
    process.kill(pid, "SIGKILL");
    expect(await exited).toBe(137);
  });

  it("is told to end when bootstrap is killed (-9): no orphan", async () => {
    const exited = boot(`${STAYS.replace("() => say(signal)", "() => { say(signal); process.exit(0); }")}`);
    const pid = await started();
    outer?.kill("SIGKILL");
    await exited;
    await vi.waitUntil(() => startTimeOf(pid) === null, WAIT);
    expect(lines()).toContain("SIGTERM");
  });
});

it("a Ctrl-C is passed on once, though it comes from the terminal and from npm; a second press is too", () => {
  let now = 0;
  const sent: string[] = [];
  const pass = oncePerPress(
    (signal: string) => sent.push(signal),
    () => now,
  );
  for (const at of [0, 2, 1000]) {
    now = at;
    pass("SIGINT");
  }
  pass("SIGTERM");
  expect(sent).toEqual(["SIGINT", "SIGINT", "SIGTERM"]);
});
