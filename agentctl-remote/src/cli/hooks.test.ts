import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { buildProgram } from "../../build.ts";

let folder = "";
let agentctl = "";
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "cli-hooks-"));
  agentctl = join(folder, "agentctl.mjs");
  await buildProgram("agentctl", agentctl);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function cli(...args: string[]): Promise<{ code: number; text: string }> {
  const env = { HOME: folder, PATH: "/usr/bin:/bin" };
  return new Promise((resolve) =>
    execFile(process.execPath, [agentctl, "hooks", ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, text: `${stdout}${stderr}` }),
    ),
  );
}

it("agentctl hooks: says what is there, installs for the agents that are here, removes for good, takes it back", async () => {
  const settings = join(folder, ".claude/settings.json");
  expect(await cli("install")).toEqual({ code: 0, text: expect.stringContaining("None of the agents") });
  mkdirSync(join(folder, ".claude"));
  writeFileSync(settings, '{"model":"opus"}');
  expect((await cli("status", "--agent", "claude-code")).text).toContain("Claude Code: not installed yet");
  expect(await cli("install")).toEqual({ code: 0, text: `Claude Code: installed in ${settings}\n` });
  expect((await cli("status")).text).toContain(`Claude Code: installed (${settings})`);
  expect(await cli("uninstall")).toMatchObject({
    code: 0,
    text: expect.stringContaining(`Claude Code: removed from ${settings}`),
  });
  expect(readFileSync(settings, "utf8")).toBe('{"model":"opus"}');
  expect((await cli("status")).text).toContain("Claude Code: removed, and stay away");
  expect((await cli("uninstall", "--agent", "claude-code")).text).toBe("Claude Code: had none\n");
  expect((await cli("install", "--agent", "claude-code")).code).toBe(0);

  writeFileSync(settings, "{ broken");
  expect(await cli("status")).toMatchObject({ code: 0, text: expect.stringContaining("aren't valid JSON") });
  expect(await cli("install")).toMatchObject({ code: 1, text: expect.stringContaining("was left as it is") });
  expect(await cli("uninstall", "--agent", "claude-code")).toMatchObject({ code: 1 });
  expect(readFileSync(settings, "utf8")).toBe("{ broken");
  expect(await cli("install", "--agent", "nobody")).toMatchObject({
    code: 2,
    text: expect.stringContaining("claude-code"),
  });
});
