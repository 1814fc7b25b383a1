import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { type AgentProfile, BUILT_INS, commandLineKey } from "@reprise/protocol";
import { beforeEach, describe, expect, it } from "vitest";
import { openDb } from "./db.ts";
import { listProfiles } from "./profiles.ts";

/** Of the last version that knew no terminal agents. */
const OLD_MIGRATIONS = 3;

const old = env.OLD_DB;
const list = async () => new Map((await listProfiles(openDb(old), 100)).map((profile) => [profile.id, profile]));

const COLUMNS =
  "id, name, agent_kind, agent_name, driver, command, args, env, auto_resume, built_in, created_at, updated_at";
type OldRow = Partial<Record<"name" | "driver" | "command" | "args" | "env" | "agent_kind", string>>;

/** A row as that version wrote it. */
async function row(id: string, change: OldRow = {}, built_in = 1, deleted_at: number | null = null): Promise<void> {
  const { name = "X", agent_kind = "x", driver = "acp", command = "x", args = "[]", env: vars = "{}" } = change;
  await old
    .prepare(`INSERT INTO agent_profiles (${COLUMNS}, deleted_at) VALUES (?,?,?,'X',?,?,?,?,'interrupted',?,1,1,?)`)
    .bind(id, name, agent_kind, driver, command, args, vars, built_in, deleted_at)
    .run();
}

beforeEach(async () => {
  const { results } = await old.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all<{ name: string }>();
  for (const { name } of results) {
    if (!/^(sqlite_|_cf)/.test(name)) await old.prepare(`DROP TABLE "${name}"`).run();
  }
  await applyD1Migrations(old, env.TEST_MIGRATIONS.slice(0, OLD_MIGRATIONS));
  await row("prf_claudecode", { command: "claude-agent-acp" });
  await row("prf_codex", { command: "codex-acp", args: '["--mine"]' });
  await row("prf_opencode", { command: "opencode", args: '["acp"]', env: '{"A":"1"}' });
  await row("prf_gemini", { command: "gemini", args: '["--acp"]' }, 1, 5);
});

const upgrade = async () => await applyD1Migrations(old, env.TEST_MIGRATIONS);

describe("a database of an older version", () => {
  it("gets the terminal agents; what a person changed or deleted of the others stays so", async () => {
    await upgrade();
    const profiles = await list();
    expect(profiles.get("prf_claudecodetui")).toMatchObject({ command: "claude", resume_args: ["--resume"] });
    expect(profiles.get("prf_claudecode")).toMatchObject({ command: "claude-agent-acp", args: [], resume_args: null });
    expect(profiles.get("prf_codex")).toMatchObject({ args: ["--mine"], updated_at: 1 });
    expect(profiles.get("prf_opencode")).toMatchObject({ env: { A: "1" }, updated_at: 1 });
    expect(profiles.has("prf_gemini")).toBe(false);
    expect(profiles.size).toBe(BUILT_INS.length - 1);
  });

  it("R1: terminal profiles that start a known agent as it comes get its resume args, once; edited ones don't", async () => {
    await row("prf_own1", { driver: "terminal", command: "claude" }, 0);
    await row("prf_own2", { driver: "terminal", command: "opencode" }, 0);
    await row("prf_own3", { driver: "terminal", command: "claude", args: '["--verbose"]' }, 0);
    await row("prf_own4", { driver: "terminal", command: "mine" }, 0);
    await row("prf_own5", { driver: "acp", command: "claude" }, 0);
    await upgrade();
    const lines = async () => {
      const profiles = await list();
      return [1, 2, 3, 4, 5].map((n) => profiles.get(`prf_own${n}`)).map((one) => [one?.resume_args, one?.prompt_args]);
    };
    const none = [null, null];
    expect(await lines()).toEqual([[["--resume"], []], [["--session"], ["--prompt"]], none, none, none]);
    // Emptied by a person afterwards: that is an answer, too.
    await old.prepare("UPDATE agent_profiles SET resume_args = NULL WHERE id = 'prf_own1'").run();
    expect((await lines())[0]?.[0]).toBeNull();
  });
});

describe("a default that changes", () => {
  /** As if an earlier catalog had given the row this line. */
  async function givenBefore(id: string, line: { command: string; args: string; default_line: string }): Promise<void> {
    await upgrade();
    await list();
    await old
      .prepare("UPDATE agent_profiles SET command = ?, args = ?, default_line = ?, updated_at = 2 WHERE id = ?")
      .bind(line.command, line.args, line.default_line, id)
      .run();
  }
  const former = '["acp","old-adapter",["--x"],null,"argv",[]]';
  const now = (profile: AgentProfile | undefined) => [profile?.command, profile?.args, profile?.updated_at];

  it("reaches a row that still holds the older one, and what its agent said is forgotten", async () => {
    await givenBefore("prf_claudecode", { command: "old-adapter", args: '["--x"]', default_line: former });
    await old
      .prepare("INSERT INTO profile_capabilities VALUES ('prf_claudecode', 'nod_a', 'standalone', '{}', 1)")
      .run();
    const profile = (await list()).get("prf_claudecode");
    expect(now(profile)).toEqual(["claude-agent-acp", [], 100]);
    expect(profile?.capabilities).toEqual([]);
  });

  it("leaves an edited row alone", async () => {
    await givenBefore("prf_claudecode", { command: "old-adapter", args: '["--mine"]', default_line: former });
    expect(now((await list()).get("prf_claudecode"))).toEqual(["old-adapter", ["--mine"], 2]);
  });

  it("will reach the rows of the first version, too: each knows what it was given", async () => {
    await upgrade();
    const query = "SELECT id, default_line FROM agent_profiles ORDER BY id";
    const { results } = await old.prepare(query).all<{ id: string; default_line: string }>();
    const given = (command: string, ...args: string[]) => commandLineKey({ driver: "acp", command, args });
    expect(results).toEqual([
      { id: "prf_claudecode", default_line: given("claude-agent-acp") },
      { id: "prf_codex", default_line: given("codex-acp") },
      { id: "prf_gemini", default_line: given("gemini", "--acp") },
      { id: "prf_opencode", default_line: given("opencode", "acp") },
    ]);
  });
});
