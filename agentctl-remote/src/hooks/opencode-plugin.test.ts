import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { saidBy } from "../drivers/terminal/core/said-by.ts";
import { until } from "../host/testing.ts";
import { ensureHooks, hookedAgent, uninstallHooks } from "./hooks.ts";
import { PLUGIN_TEXT } from "./opencode-plugin.ts";

let home = "";
let folder = "";
let plugin = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "opencode-"));
  folder = join(home, ".config/opencode");
  plugin = join(folder, "plugins/reprise.js");
  mkdirSync(folder, { recursive: true });
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true, force: true });
});

/** OpenCode has installed what plugins need. */
function prepared(): void {
  mkdirSync(join(folder, "node_modules"), { recursive: true });
  const packages = { "": { dependencies: { "@opencode-ai/plugin": "1.18.33" } } };
  writeFileSync(join(folder, "package-lock.json"), JSON.stringify({ packages }));
}

const opencode = hookedAgent("opencode");
if (!opencode) throw new Error("no plugin of OpenCode");

describe("OpenCode's plugin file", () => {
  it("is written where OpenCode looks, and goes with the folder that was made for it", () => {
    prepared();
    expect(ensureHooks("opencode", { HOME: home })).toEqual({ ok: true, reports: "turns" });
    expect(readFileSync(plugin, "utf8")).toBe(PLUGIN_TEXT);
    expect(uninstallHooks(opencode, { HOME: home })).toEqual({ removed: [plugin], problems: [] });
    expect(existsSync(join(folder, "plugins"))).toBe(false);
    expect(existsSync(folder)).toBe(true);
    expect(ensureHooks("opencode", { HOME: home })).toEqual({ ok: true, reports: "end" });
  });

  it("leaves the person's other plugins, and a file of theirs in its place", () => {
    prepared();
    mkdirSync(join(folder, "plugins"));
    writeFileSync(plugin, "export const Mine = async () => ({});\n");
    expect(ensureHooks("opencode", { HOME: home })).toMatchObject({ ok: false });
    expect(uninstallHooks(opencode, { HOME: home })).toEqual({ removed: [], problems: [] });
    expect(readFileSync(plugin, "utf8")).toContain("Mine");
  });

  it("isn't written while OpenCode would wait for an installation at its start because of it", () => {
    expect(ensureHooks("opencode", { HOME: home })).toEqual({
      ok: false,
      message: expect.stringContaining("would wait"),
    });
    mkdirSync(join(folder, "node_modules"));
    writeFileSync(join(folder, "package-lock.json"), "{");
    expect(ensureHooks("opencode", { HOME: home })).toMatchObject({ ok: false });
    expect(existsSync(plugin)).toBe(false);
    prepared();
    expect(ensureHooks("opencode", { HOME: home })).toMatchObject({ ok: true });
  });
});

/** What a plugin gives OpenCode. */
const Plugged = z.object({
  "chat.message": z.function({ input: [z.unknown()], output: z.promise(z.unknown()) }),
  event: z.function({ input: [z.unknown()], output: z.promise(z.unknown()) }),
});

describe("OpenCode's plugin", () => {
  const said = () =>
    existsSync(join(home, "said"))
      ? readFileSync(join(home, "said"), "utf8")
          .trim()
          .split("\n")
          .map((line) => saidBy("opencode", JSON.parse(line)))
      : [];

  /** The plugin as OpenCode loads it. @param script what the report script does with one line of input */
  async function load(script: string): Promise<z.infer<typeof Plugged>> {
    const report = join(home, "report");
    writeFileSync(report, `#!/bin/sh\n[ "$*" = "hook opencode" ] || exit 1\n${script}\n`, { mode: 0o755 });
    vi.stubEnv("REPRISE_REPORT", report);
    return await plugged();
  }
  async function plugged() {
    writeFileSync(join(home, "plugin.mjs"), PLUGIN_TEXT);
    const module: unknown = await import(`${join(home, "plugin.mjs")}`);
    const get = ({ path }: { path: { id: string } }) => Promise.resolve({ data: { id: path.id } });
    const { Reprise } = z.object({ Reprise: z.function({ input: [z.unknown()] }) }).parse(module);
    const hooks: unknown = await Reprise({ client: { session: { get } } });
    return Plugged.parse(hooks);
  }
  const WRITE = `printf '%s\\n' "$(cat)" >> "$(dirname "$0")/said"`;
  const event = (type: string, properties: object) => ({ event: { type, properties } });

  it("says which conversation, each turn's begin and end, what is asked, and leaves out subagents", async () => {
    const { "chat.message": message, event: heard } = await load(WRITE);
    await heard(event("session.created", { info: { id: "ses_main" } }));
    await message({ sessionID: "ses_main" });
    await heard(event("session.created", { info: { id: "ses_sub", parentID: "ses_main" } }));
    await message({ sessionID: "ses_sub" });
    await heard(event("permission.asked", { sessionID: "ses_sub", permission: "bash", patterns: ["rm x"] }));
    await heard(event("session.idle", { sessionID: "ses_sub" }));
    await heard(event("session.error", { sessionID: "ses_main", error: { name: "MessageAbortedError" } }));
    await heard(event("session.idle", { sessionID: "ses_main" }));
    await message({ sessionID: "ses_other" });
    await heard(event("question.asked", { sessionID: "ses_other", questions: [{ question: "Which?" }] }));
    await heard(
      event("session.error", { sessionID: "ses_other", error: { name: "APIError", data: { message: "no" } } }),
    );
    await heard(event("session.idle", { sessionID: "ses_other" }));
    await message({ sessionID: "ses_other" });
    await heard(event("session.idle", { sessionID: "ses_other" }));
    const all = [
      { type: "conversation", id: "ses_main" },
      { type: "prompted", id: "ses_main" },
      { type: "asks", id: "ses_main", text: "Permission required: bash rm x" },
      { type: "idle", id: "ses_main" },
      { type: "conversation", id: "ses_other" },
      { type: "prompted", id: "ses_other" },
      { type: "asks", id: "ses_other", text: "Which?" },
      { type: "turn_over", id: "ses_other", outcome: "failed", message: "no" },
      { type: "prompted", id: "ses_other" },
      { type: "turn_over", id: "ses_other", outcome: "done", message: null },
    ];
    await until("all that was said", () => said().length >= all.length);
    expect(said()).toEqual(all);
  });

  it("keeps OpenCode waiting for nothing: a report that hangs is ended, and the next ones are told", async () => {
    const { "chat.message": message, event: heard } = await load(
      `case "$(cat)" in *conversation*) echo $$ > "$(dirname "$0")/hung"; exec sleep 1000;; esac; echo '{"type":"idle","id":"after"}' >> "$(dirname "$0")/said"`,
    );
    await message({ sessionID: "ses_main" });
    const pid = await until(
      "the one that hangs",
      () => existsSync(join(home, "hung")) && readFileSync(join(home, "hung"), "utf8").trim(),
    );
    expect(said()).toEqual([]);
    await until("the next one", () => said().length > 0);
    expect(existsSync(`/proc/${pid}`)).toBe(false);
    await heard(event("session.idle", { sessionID: "ses_main" }));
  });

  it("throws nothing when its report script is gone, and does nothing outside Reprise", async () => {
    const { "chat.message": message } = await load(WRITE);
    rmSync(join(home, "report"));
    await message({ sessionID: "ses_main" });
    vi.stubEnv("REPRISE_REPORT", undefined);
    await expect(plugged()).rejects.toThrow();
    expect(said()).toEqual([]);
  });
});
