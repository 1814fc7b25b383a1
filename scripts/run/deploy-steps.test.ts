import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../lib/paths.ts";
import { deployConfig, originIn } from "./deploy-config.ts";
import { deployWorker, ensureDatabase, migrateRemote, type Wrangler, whoami } from "./deploy-steps.ts";

type Answer = Partial<Awaited<ReturnType<Wrangler>>>;

/** wrangler's answers, by how its arguments begin; each is given once, the last one again and again. */
function answering(answers: Record<string, Answer[]>) {
  const calls: string[] = [];
  const wrangler: Wrangler = async (args) => {
    const line = args.join(" ");
    calls.push(line);
    const [, queue] = Object.entries(answers).find(([start]) => line.startsWith(start)) ?? [];
    const answer = queue && queue.length > 1 ? queue.shift() : queue?.[0];
    if (!answer) throw new Error(`Unexpected: wrangler ${line}`);
    return { code: 0, output: "", records: [], ...answer };
  };
  return { wrangler, calls };
}

const listed = (...names: string[]) => ({
  output: `some words first\n${JSON.stringify(names.map((name) => ({ uuid: `id-of-${name}`, name })))}`,
});

describe("deploying", () => {
  it("says how to sign in when nobody is", async () => {
    const { wrangler } = answering({ whoami: [{ code: 1, output: '{"loggedIn":false}' }] });
    await expect(whoami(wrangler)).rejects.toThrow("npx wrangler login");
    const other = answering({ whoami: [{ output: '{"loggedIn":true,"email":"a@b.c"}' }] });
    expect(await whoami(other.wrangler)).toBe("a@b.c");
  });

  it("takes the database that is there, and makes one only where there is none", async () => {
    const there = answering({ "d1 list": [listed("x", "reprise")] });
    expect(await ensureDatabase(there.wrangler, "reprise")).toEqual({ id: "id-of-reprise", made: false });
    expect(there.calls).toEqual(["d1 list --json"]);
    const none = answering({ "d1 list": [listed("x"), listed("x", "reprise")], "d1 create": [{}] });
    expect(await ensureDatabase(none.wrangler, "reprise")).toEqual({ id: "id-of-reprise", made: true });
    expect(none.calls).toEqual(["d1 list --json", "d1 create reprise", "d1 list --json"]);
  });

  it("ends with wrangler's own words where it fails", async () => {
    const { wrangler } = answering({ "d1 migrations": [{ code: 1, output: "no such table: x" }] });
    await expect(migrateRemote(wrangler, "c.toml")).rejects.toThrow(/no such table: x\nMigrating the database failed/);
  });

  it.each([
    ["https://reprise.me.workers.dev", "https://reprise.me.workers.dev"],
    ["Reprise.me.workers.dev", "https://reprise.me.workers.dev"],
    ["schedule: */5 * * * *", null],
  ])("reads its address from what wrangler records: %s", async (target, origin) => {
    const records = ['{"type":"wrangler-session"}', JSON.stringify({ type: "deploy", targets: [target] })];
    const { wrangler, calls } = answering({ deploy: [{ records }] });
    const deployed = deployWorker(wrangler, "c.toml", "s.json", null);
    if (origin === null) await expect(deployed).rejects.toThrow("no address");
    else expect(await deployed).toBe(origin);
    expect(calls).toEqual(["deploy --config c.toml --secrets-file s.json"]);
  });

  it("is at its own domain where one was given", async () => {
    const { wrangler, calls } = answering({ deploy: [{}] });
    expect(await deployWorker(wrangler, "c.toml", "s.json", "a.example")).toBe("https://a.example");
    expect(calls[0]).toContain("--domain a.example");
  });
});

describe("the configuration of a deploy", () => {
  const base = readFileSync(join(ROOT, "wrangler.toml"), "utf8");

  it("is wrangler.toml with this person's database and address", () => {
    const first = deployConfig(base, { database_id: "abc", origin: null });
    expect(first).toContain('database_id = "abc"');
    expect(originIn(first)).toBeNull();
    const second = deployConfig(base, { database_id: "abc", origin: "https://r.example" });
    expect(originIn(second)).toBe("https://r.example");
  });

  it("refuses a wrangler.toml that it doesn't know", () => {
    expect(() => deployConfig("", { database_id: "abc", origin: null })).toThrow("exactly once");
  });
});
