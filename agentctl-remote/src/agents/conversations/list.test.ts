import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { LaunchSpec } from "@reprise/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { rootsOf } from "../../workspace/roots.ts";
import { listConversations } from "./list.ts";

let home = "";
let work = "";
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "kept-")));
  work = join(home, "my.work");
  mkdirSync(work);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** Lines of JSON in the home. @param at when it was last written, in seconds */
function file(path: string, lines: readonly unknown[], at = 1_000): string {
  const full = join(home, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join(""));
  utimesSync(full, at, at);
  return full;
}

function spec(agent_kind: string, part: Partial<LaunchSpec> = {}): LaunchSpec {
  return { agent_kind, agent_name: "It", driver: "terminal", command: "x", args: [], env: { HOME: home }, ...part };
}
const list = (asked: LaunchSpec, cwd = work, runtime: "standalone" | "docker" = "standalone", roots: string[] = []) =>
  listConversations({ spec: asked, cwd, runtime }, rootsOf(roots, home));
const titles = async (asked: LaunchSpec) => (await list(asked)).map((one) => one.title);

describe("conversations that Claude Code has kept", () => {
  const slug = () => work.replace(/[^a-zA-Z0-9]/g, "-");
  /** As 2.1 writes them. */
  const user = (content: unknown, part: object = {}) => ({
    parentUuid: null,
    isSidechain: false,
    type: "user",
    message: { role: "user", content },
    cwd: work,
    ...part,
  });
  const conversation = (name: string, lines: readonly unknown[], at?: number) =>
    file(`.claude/projects/${slug()}/${name}.jsonl`, [{ type: "mode", mode: "normal" }, ...lines], at);

  it("are those of the folder, newest first, by the title they were given or their first prompt", async () => {
    conversation(
      "aaaa-1",
      [user("fix the\n  parser"), { type: "assistant", message: { content: [{ type: "text", text: "ok" }] } }],
      100,
    );
    conversation(
      "aaaa-2",
      [user([{ type: "text", text: "add tests" }]), { type: "ai-title", aiTitle: "Tests for it" }],
      300,
    );
    conversation(
      "aaaa-3",
      [user("x"), { type: "summary", summary: "Old" }, { type: "custom-title", customTitle: "Mine" }],
      200,
    );
    expect(await list(spec("claude-code"))).toEqual([
      { id: "aaaa-2", title: "Tests for it", updated_at: 300_000 },
      { id: "aaaa-3", title: "Mine", updated_at: 200_000 },
      { id: "aaaa-1", title: "fix the parser", updated_at: 100_000 },
    ]);
  });

  it("leave out what nobody prompted, subagents, and a folder whose name looks the same there", async () => {
    conversation("none", [user("<command-name>/clear</command-name>"), user("Caveat: x", { isMeta: true })]);
    conversation("agent-1", [user("search for it", { isSidechain: true })]);
    conversation("other", [user("not here", { cwd: join(home, "my-work") })]);
    conversation("cut", [user("mine"), '{"type":"user","mess']);
    conversation("--flag", [user("a name that would be a flag")]);
    file(`.claude/projects/${slug()}/notes.txt`, [user("no conversation")]);
    expect(await titles(spec("claude-code"))).toEqual(["mine"]);
  });

  it("are found by their begin and end alone, however large they are", async () => {
    const filler = Array.from({ length: 3_000 }, () => user(`<tool>${"x".repeat(300)}</tool>`));
    conversation("large", [user("the first"), ...filler, { type: "custom-title", customTitle: "The last" }]);
    conversation("long", [user("y".repeat(50_000)), ...filler]);
    expect((await titles(spec("claude-code"))).sort()).toEqual(["The last", "y".repeat(200)]);
  });

  it("S4: are never read through a link that leads out of their folder", async () => {
    const secret = file("elsewhere/x.jsonl", [user("secret")]);
    conversation("mine", [user("mine")]);
    symlinkSync(secret, join(home, `.claude/projects/${slug()}/linked.jsonl`));
    expect(await titles(spec("claude-code"))).toEqual(["mine"]);
    rmSync(join(home, ".claude/projects", slug()), { recursive: true });
    symlinkSync(join(home, "elsewhere"), join(home, ".claude/projects", slug()));
    expect(await titles(spec("claude-code"))).toEqual([]);
  });

  it("of a folder with a very long name are found, too, and lie where the profile says", async () => {
    work = join(home, "d".repeat(120), "e".repeat(120));
    mkdirSync(work, { recursive: true });
    const name = `${slug().slice(0, 200)}-1x2y3z`;
    file(`cfg/projects/${name}/id.jsonl`, [user("deep")]);
    file(`cfg/projects/${slug().slice(0, 200)}-other/id.jsonl`, [user("elsewhere", { cwd: `${work}2` })]);
    expect(await titles(spec("claude-code", { env: { HOME: home, CLAUDE_CONFIG_DIR: join(home, "cfg") } }))).toEqual([
      "deep",
    ]);
  });
});

describe("conversations that Codex has kept", () => {
  const id = (n: number) => `01a22e93-db63-7ee2-a768-${String(n).padStart(12, "0")}`;
  /** As 0.166 writes them. */
  function rollout(n: number, day: string, at: number, part: object = {}) {
    const payload = { session_id: id(n), id: id(n), timestamp: "x", cwd: work, originator: "codex-tui", source: "cli" };
    const message = (text: string) => ({
      type: "response_item",
      payload: { type: "message", role: "user", content: [{ type: "input_text", text }] },
    });
    const lines = [
      {
        ordinal: 0,
        type: "session_meta",
        payload: { ...payload, ...part, base_instructions: { text: "i".repeat(20_000) } },
      },
      message("<environment_context>\n  <cwd>/x</cwd>"),
      message(`prompt ${n}`),
      message("later"),
    ];
    return file(`.codex/sessions/${day}/rollout-2026-11-30T22-29-31-${id(n)}.jsonl`, lines, at);
  }

  it("are those of the folder, the last written first, by the name it gave them or their first prompt", async () => {
    rollout(1, "2026/11/30", 100);
    rollout(2, "2025/01/02", 300);
    rollout(3, "2026/11/29", 200);
    rollout(4, "2026/11/30", 400, { cwd: `${work}/sub` });
    rollout(5, "2026/11/30", 500, { source: { subagent: { thread_spawn: { parent_thread_id: id(1) } } } });
    file(".codex/session_index.jsonl", [{ id: id(1), thread_name: "old" }, { id: id(1), thread_name: "Named" }, "{"]);
    expect(await list(spec("codex"))).toEqual([
      { id: id(2), title: "prompt 2", updated_at: 300_000 },
      { id: id(3), title: "prompt 3", updated_at: 200_000 },
      { id: id(1), title: "Named", updated_at: 100_000 },
    ]);
  });

  it("S6: one that isn't what Codex writes hides no other", async () => {
    rollout(1, "2026/11/30", 100);
    file(`.codex/sessions/2026/11/30/rollout-2026-11-30T22-29-31-${id(2)}.jsonl`, ['{"cwd":"\\q"}'], 200);
    expect(await titles(spec("codex"))).toEqual(["prompt 1"]);
  });

  it("S4: are never read through a link; more than a hundred are not told", async () => {
    for (let n = 0; n < 120; n++) rollout(n, "2026/11/30", n);
    symlinkSync(join(home, ".codex/sessions/2026/11/30"), join(home, ".codex/sessions/2026/11/31"));
    const all = await list(spec("codex"));
    expect(all).toHaveLength(100);
    expect(new Set(all.map((one) => one.id)).size).toBe(100);
  });
});

describe("conversations that Gemini CLI has kept", () => {
  /** As 0.61 writes them. */
  function chat(folder: string, name: string, sessionId: string, lines: readonly unknown[], at: number, cwd = work) {
    const projectHash = createHash("sha256").update(cwd).digest("hex");
    file(`.gemini/tmp/${folder}/chats/session-${name}.jsonl`, [{ sessionId, projectHash, kind: "main" }, ...lines], at);
  }
  const user = (text: string) => ({ id: "m", type: "user", content: [{ text }] });

  it("are those of the folder, one each also where it goes on in a second file", async () => {
    chat("work", "2026-11-30T22-03-aaaaaaaa", "aaaaaaaa-1", [user("<session_context>"), user("first prompt")], 100);
    chat(
      "work",
      "2026-11-30T22-09-aaaaaaaa",
      "aaaaaaaa-1",
      [{ $set: { messages: [user("first prompt"), user("x")] } }],
      300,
    );
    chat("work", "2026-11-30T22-05-bbbbbbbb", "bbbbbbbb-1", [user("y"), { $set: { summary: "In short" } }], 200);
    chat("work", "2026-11-30T22-06-cccccccc", "cccccccc-1", [user("<session_context>")], 250);
    // An id that would be a flag of the agent's.
    chat("work", "2026-11-30T22-07-eeeeeeee", "--yolo", [user("z")], 260);
    chat("work-1", "2026-11-30T22-06-dddddddd", "dddddddd-1", [user("elsewhere")], 400, `${work}2`);
    expect(await list(spec("gemini"))).toEqual([
      { id: "aaaaaaaa-1", title: "first prompt", updated_at: 300_000 },
      { id: "bbbbbbbb-1", title: "In short", updated_at: 200_000 },
    ]);
  });

  it("are told over ACP, too, where the agent itself can't list them", async () => {
    chat("work", "2026-11-30T22-03-aaaaaaaa", "aaaaaaaa-1", [user("mine")], 100);
    expect(await titles(acp("", { agent_kind: "gemini" }))).toEqual(["mine"]);
  });
});

/** An agent over ACP. @param code what it does with `ask`, the request after `initialize`, besides */
function acp(code: string, part: Partial<LaunchSpec> = {}, can: object = {}): LaunchSpec {
  const initialize = { agentCapabilities: { loadSession: true, sessionCapabilities: can } };
  const script = `
    const say = (id, rest) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, ...rest }) + "\\n");
    let left = "";
    process.stdin.on("data", (chunk) => {
      const lines = (left + chunk).split("\\n");
      left = lines.pop();
      for (const line of lines) {
        const ask = JSON.parse(line);
        if (ask.method === "initialize") say(ask.id, { result: ${JSON.stringify(initialize)} });
        else { ${code} }
      }
    });`;
  return spec("custom:mine", { driver: "acp", command: process.execPath, args: ["-e", script], ...part });
}
const LISTS = { list: {} };

describe("conversations that an ACP agent lists", () => {
  it("are asked for page after page, and only those of the folder are told", async () => {
    const one = (sessionId: string, cwd: string, rest = "") => `{ sessionId: "${sessionId}", cwd: "${cwd}"${rest} }`;
    const agent = acp(
      `console.error(JSON.stringify(ask)); process.stdout.write("a line that is none\\n");
       if (ask.method !== "session/list" || ask.params.cwd !== ${JSON.stringify(work)}) process.exit(9);
       if (ask.params.cursor === undefined)
         say(ask.id, { result: { sessions: [${one("a", work, ', title: "A", updatedAt: "2026-11-30T22:31:36Z"')}, { no: 1 }], nextCursor: "2" } });
       else say(ask.id, { result: { sessions: [${one("b", `${work}2`)}, ${one("c", `${work}/`, ", title: null")}, ${one("--flag", work)}] } });`,
      {},
      LISTS,
    );
    expect(await list(agent)).toEqual([
      { id: "a", title: "A", updated_at: Date.parse("2026-11-30T22:31:36Z") },
      { id: "c", title: null, updated_at: null },
    ]);
  });

  it("an endless list ends with what can be shown", async () => {
    const sessions = `Array.from({ length: 40 }, (_, n) => ({ sessionId: ask.id + "-" + n, cwd: ask.params.cwd }))`;
    const agent = acp(`say(ask.id, { result: { sessions: ${sessions}, nextCursor: "more" } });`, {}, LISTS);
    expect(await list(agent)).toHaveLength(100);
  });

  it.each([
    ["can't list", () => acp(""), "conversations_unlisted", /doesn't list/],
    [
      "refuses",
      () => acp(`say(ask.id, { error: { code: 1, message: "sign in" } });`, {}, LISTS),
      "agent_failed",
      /sign in/,
    ],
    ["dies", () => acp(`console.error("no key"); process.exit(3);`, {}, LISTS), "agent_failed", /status 3.*no key/s],
    ["isn't there", () => acp("", { command: "/nonexistent/agent" }), "agent_failed", /PATH/],
  ])("T4: one that %s is told as that", async (_name, agent, code, message) => {
    await expect(list(agent())).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  });
});

describe("conversations that OpenCode lists", () => {
  const printing = (output: string, rest = "") => {
    const command = join(home, "opencode");
    writeFileSync(
      command,
      `#!/bin/sh\n[ "$1 $2 $3 $4" = "session list --format json" ] || exit 8\n${rest}\ncat <<'END'\n${output}\nEND\n`,
      { mode: 0o755 },
    );
    return spec("opencode", { command });
  };

  it("are those of the folder", async () => {
    const one = (id: string, updated: number, directory = work) => ({
      id,
      title: `of ${id}`,
      updated,
      created: 1,
      projectId: "global",
      directory,
    });
    const all = [one("ses_1", 100), one("ses_2", 300), one("ses_3", 400, home)];
    expect(await list(printing(JSON.stringify(all)))).toEqual([
      { id: "ses_2", title: "of ses_2", updated_at: 300 },
      { id: "ses_1", title: "of ses_1", updated_at: 100 },
    ]);
    expect(await list(printing(""))).toEqual([]);
  });

  it("T4: an older one that answers something else, or fails, is told as that", async () => {
    await expect(list(printing("Session ID  Title"))).rejects.toMatchObject({ code: "agent_failed" });
    await expect(list(printing("", "echo broken >&2; exit 1"))).rejects.toMatchObject({
      code: "agent_failed",
      message: expect.stringContaining("broken"),
    });
  });
});

describe("whoever asks", () => {
  it("S4: hears nothing of a folder that this machine doesn't allow, or that is gone", async () => {
    await expect(list(spec("claude-code"), work, "standalone", [join(home, "allowed")])).rejects.toMatchObject({
      code: "path_not_allowed",
    });
    await expect(list(spec("claude-code"), join(home, "gone"))).rejects.toMatchObject({ code: "workspace_missing" });
  });

  it("T4: hears why there is none: Docker, or an agent whose files nobody knows; nothing kept yet is an empty list", async () => {
    await expect(list(spec("claude-code"), work, "docker")).rejects.toMatchObject({
      code: "conversations_unlisted",
      message: expect.stringContaining("container"),
    });
    await expect(list(spec("amp"))).rejects.toMatchObject({ code: "conversations_unlisted" });
    for (const kind of ["claude-code", "codex", "gemini"]) expect(await list(spec(kind))).toEqual([]);
  });
});
