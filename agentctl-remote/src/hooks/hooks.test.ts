import { execFile } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hookCommand, MARKER } from "./command.ts";
import { ensureHooks, hookedAgent, hooksState, installHooks, uninstallHooks } from "./hooks.ts";

const run = promisify(execFile);

let home = "";
let env: Record<string, string> = {};
let settings = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "hooks-"));
  env = { HOME: home };
  settings = join(home, ".claude/settings.json");
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const claude = hookedAgent("claude-code");
if (!claude) throw new Error("no hooks of Claude Code");

function write(text: string, mode = 0o644): void {
  mkdirSync(join(home, ".claude"), { recursive: true });
  writeFileSync(settings, text, { mode });
  chmodSync(settings, mode);
}
const read = () => readFileSync(settings, "utf8");
const ours = (text: string) => text.split(MARKER).length - 1;
const OURS = { hooks: [{ type: "command", command: hookCommand("claude-code"), timeout: 2 }] };

describe("hooks in Claude Code's settings", () => {
  it("are added for each event that is needed, once, beside what the person has", () => {
    const theirs = { hooks: [{ type: "command", command: "say done" }] };
    write(`${JSON.stringify({ hooks: { Stop: [theirs] }, model: "opus" }, null, 2)}\n`);
    expect(ensureHooks("claude-code", env)).toEqual({ ok: true, reports: "turns" });
    expect(JSON.parse(read())).toEqual({
      hooks: {
        Stop: [theirs, OURS],
        SessionStart: [OURS],
        UserPromptSubmit: [OURS],
        Notification: [OURS],
        SessionEnd: [OURS],
      },
      model: "opus",
    });
    const { ino, mtimeMs } = statSync(settings);
    expect(ensureHooks("claude-code", env)).toEqual({ ok: true, reports: "turns" });
    expect(statSync(settings)).toMatchObject({ ino, mtimeMs });
  });

  it("lie where the agent looks: the given environment's folder", () => {
    env = { HOME: home, CLAUDE_CONFIG_DIR: join(home, "elsewhere") };
    expect(ensureHooks("claude-code", env)).toMatchObject({ ok: true });
    expect(ours(readFileSync(join(home, "elsewhere/settings.json"), "utf8"))).toBe(5);
    expect(existsSync(settings)).toBe(false);
  });

  it("leave the file's mode, and a link to it", () => {
    const real = join(home, "dotfiles.json");
    mkdirSync(join(home, ".claude"));
    writeFileSync(real, "{}");
    chmodSync(real, 0o640);
    symlinkSync(real, settings);
    expect(ensureHooks("claude-code", env)).toMatchObject({ ok: true });
    expect(lstatSync(settings).isSymbolicLink()).toBe(true);
    expect(statSync(real).mode & 0o777).toBe(0o640);
    expect(ours(readFileSync(real, "utf8"))).toBe(5);
    expect(readdirSync(join(home, ".claude"))).toEqual(["settings.json"]);
  });

  it.each([
    ["nothing in it", "{}"],
    ["empty hooks", '{ "hooks": {}, "model": "opus" }'],
    ["an empty list", '{\n\t"hooks": { "Stop": [] }\n}\n'],
    ["no line at its end", '{\n  "model": "opus"\n}'],
    ["an empty file", ""],
    ["a blank line", "\n"],
  ])("are removed so that the file is byte for byte what it was: %s", (_name, before) => {
    write(before);
    expect(ensureHooks("claude-code", env)).toMatchObject({ ok: true });
    expect(ours(read())).toBe(5);
    expect(uninstallHooks(claude, env)).toEqual({ removed: [settings], problems: [] });
    expect(read()).toBe(before);
    expect(statSync(settings).mode & 0o777).toBe(0o644);
  });

  it("were the file and its folder not there before, they are gone afterwards", () => {
    expect(ensureHooks("claude-code", env)).toMatchObject({ ok: true });
    expect(statSync(settings).mode & 0o777).toBe(0o600);
    uninstallHooks(claude, env);
    expect(existsSync(join(home, ".claude"))).toBe(false);
  });

  it("go alone when the person has changed the file since", () => {
    write('{\n  "model": "opus"\n}\n');
    ensureHooks("claude-code", env);
    write(read().replace('"opus",', '"sonnet", // cheaper'));
    uninstallHooks(claude, env);
    expect(read()).toBe('{\n  "model": "sonnet" // cheaper\n}\n');
  });

  it("stay away once they were uninstalled, also where a profile names another folder, until they are installed", () => {
    const other = { HOME: home, CLAUDE_CONFIG_DIR: join(home, "other") };
    ensureHooks("claude-code", env);
    ensureHooks("claude-code", other);
    expect(uninstallHooks(claude, env).removed).toEqual([settings, join(home, "other/settings.json")]);
    expect(ensureHooks("claude-code", env)).toEqual({ ok: true, reports: "end" });
    expect(ensureHooks("claude-code", other)).toEqual({ ok: true, reports: "end" });
    expect(hooksState(claude, env)).toMatchObject({ state: "off" });
    expect(existsSync(settings)).toBe(false);
    expect(installHooks(claude, env)).toEqual({ ok: true, reports: "turns" });
    expect(ensureHooks("claude-code", other)).toEqual({ ok: true, reports: "turns" });
    expect(hooksState(claude, env)).toMatchObject({ state: "installed" });
  });

  it.each([
    ["broken JSON", '{"model": ', /settings\.json was left as it is\. They aren't valid JSON/],
    ["hooks of another form", '{"hooks": []}', /left as it is/],
    ["all hooks switched off", '{"disableAllHooks": true}', /switches all hooks off/],
  ])("T4: are not added to settings that can't take them, which is said: %s", (_name, text, words) => {
    write(text);
    const { ino } = statSync(settings);
    expect(ensureHooks("claude-code", env)).toEqual({ ok: false, message: expect.stringMatching(words) });
    expect(read()).toBe(text);
    expect(statSync(settings).ino).toBe(ino);
  });

  it("T4: a link that leads nowhere, and a folder in its place, are left, too", () => {
    mkdirSync(settings, { recursive: true });
    expect(ensureHooks("claude-code", env)).toEqual({ ok: false, message: expect.stringContaining("isn't a file") });
    rmSync(settings, { recursive: true });
    symlinkSync(join(home, "nowhere"), settings);
    expect(ensureHooks("claude-code", env)).toEqual({ ok: false, message: expect.stringContaining("can't be read") });
    expect(readdirSync(home).sort()).toEqual([".claude", ".reprise"]);
  });

  it("of many hosts at once are there once, and none is lost", async () => {
    write('{\n  "model": "opus"\n}\n');
    const code = `import { ensureHooks } from ${JSON.stringify(fileURLToPath(new URL("./hooks.ts", import.meta.url)))};
      process.stdout.write(JSON.stringify(ensureHooks("claude-code", { HOME: process.argv[1] })));`;
    const args = ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", code, home];
    const results = await Promise.all(Array.from({ length: 6 }, () => run(process.execPath, args)));
    for (const { stdout } of results) expect(JSON.parse(stdout)).toEqual({ ok: true, reports: "turns" });
    expect(ours(read())).toBe(5);
    uninstallHooks(claude, env);
    expect(read()).toBe('{\n  "model": "opus"\n}\n');
  });

  it("of an agent that has none are nothing to do", () => {
    expect(ensureHooks("custom:mine", env)).toEqual({ ok: true, reports: "end" });
    expect(readdirSync(home)).toEqual([]);
  });
});

describe("hooks in Gemini CLI's settings", () => {
  it("are bounded in its own unit, have a name that it shows, and respect that hooks are switched off", () => {
    const path = join(home, ".gemini/settings.json");
    expect(ensureHooks("gemini", env)).toEqual({ ok: true, reports: "turns" });
    const hook = { type: "command", command: hookCommand("gemini"), timeout: 2_000, name: "reprise" };
    const events = ["SessionStart", "BeforeAgent", "AfterAgent", "Notification", "SessionEnd"];
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({
      hooks: Object.fromEntries(events.map((event) => [event, [{ hooks: [hook] }]])),
    });
    writeFileSync(path, '{"hooksConfig": {"enabled": false}}');
    expect(ensureHooks("gemini", env)).toMatchObject({ ok: false });
    expect(existsSync(settings)).toBe(false);
  });
});

describe("the hook's command", () => {
  // More than a pipe holds: who writes it must not find the pipe broken.
  const PAYLOAD = JSON.stringify({ prompt: "x".repeat(200_000) });
  const shell = (given: Record<string, string>) => {
    const child = run("/bin/sh", ["-c", hookCommand("claude-code")], { env: { PATH: "/usr/bin:/bin", ...given } });
    child.child.stdin?.end(PAYLOAD);
    return child;
  };

  it("hands the agent's JSON to the session that the terminal belongs to", async () => {
    const report = join(home, "re port");
    writeFileSync(report, `#!/bin/sh\necho "$@" > "${home}/args"; cat > "${home}/stdin"\n`, { mode: 0o755 });
    expect(await shell({ REPRISE_REPORT: report })).toMatchObject({ stdout: "", stderr: "" });
    expect(readFileSync(join(home, "args"), "utf8")).toBe("hook claude-code\n");
    expect(readFileSync(join(home, "stdin"), "utf8")).toBe(PAYLOAD);
  });

  it("does nothing and says nothing outside Reprise, or when the session is gone", async () => {
    expect(await shell({})).toMatchObject({ stdout: "", stderr: "" });
    expect(await shell({ REPRISE_REPORT: join(home, "gone") })).toMatchObject({ stdout: "", stderr: "" });
  });
});
