import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { freePort } from "./lib/net.ts";
import { ROOT } from "./lib/paths.ts";
import { readPidFile } from "./lib/pid-file.ts";
import { keepPort, makeStateFolder, stateFolder } from "./run/state.ts";

/** Builds, if something changed, and several starts of the whole system. */
const TEST_MS = 300_000;

let folder: string;
const children: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "reprise-start-"));
});
afterEach(async () => {
  for (const child of children) child.kill("SIGKILL");
  await command("stop").exit;
  rmSync(folder, { recursive: true, force: true });
});

/** A command on the test's state folder, as `npm run` would start it. */
function command(name: "start" | "stop") {
  const args = ["--disable-warning=ExperimentalWarning", join(ROOT, "scripts", `${name}.ts`), "--state", folder];
  const child = spawn(process.execPath, args, { cwd: ROOT });
  children.push(child);
  let output = "";
  const waiting = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      for (const look of waiting) look();
    });
  }
  const exit = new Promise<{ code: number | null; output: string }>((resolve) => {
    child.once("close", (code) => resolve({ code, output }));
  });
  const said = (words: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const look = () => words.test(output) && resolve(output);
      waiting.add(look);
      look();
      void exit.then(() => reject(new Error(`It ended without ${words}:\n${output}`)));
    });
  return { child, exit, said };
}

it("one command starts all of it, once; what a killed one left is taken over; Ctrl-C and stop say what they did", {
  timeout: TEST_MS,
}, async () => {
  const state = stateFolder(folder);
  makeStateFolder(state);
  const port = await freePort();
  keepPort(state, port);
  const first = command("start");
  expect(await first.said(/sign-in#\S+/)).toContain(`http://127.0.0.1:${port}/sign-in#`);

  const second = await command("start").exit;
  expect(second.code).toBe(0);
  expect(second.output).toMatch(/runs already \(process \d+\).*sign-in#/s);

  const daemon = readPidFile(state.pids.node);
  expect(daemon).not.toBeNull();
  first.child.kill("SIGKILL");
  await first.exit;
  const third = command("start");
  expect(await third.said(/sign-in#\S+/)).toContain(`http://127.0.0.1:${port}/sign-in#`);
  expect(readPidFile(state.pids.node)).not.toBe(daemon);

  third.child.kill("SIGINT");
  const ended = await third.exit;
  expect(ended).toMatchObject({ code: 0, output: expect.stringContaining("Nothing is left running.") });
  expect(Object.values(state.pids).map(readPidFile)).toEqual([null, null, null, null]);
  expect((await command("stop").exit).output).toBe("Reprise was not running.\n");
});
