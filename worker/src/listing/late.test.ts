import { env } from "cloudflare:workers";
import type { SessionFacts } from "@reprise/protocol";
import { beforeEach, describe, expect, it } from "vitest";
import { factsOf } from "../../test/facts.ts";
import { openDb } from "../db/db.ts";
import { insertNode, writeNode } from "../db/nodes.ts";
import { projectSession } from "../db/projection.ts";
import type { Env } from "../env.ts";
import { LIMITS_DEFAULT } from "../limits.ts";
import type { NodeReport } from "../node/rpc.ts";
import { type ListingContext, listSessions } from "./listing.ts";

const db = openDb(env.DB);
const never = new Promise<never>(() => undefined);

/** Objects that answer as a test says, so that lateness needs no waiting; calls are counted. */
function context(report: () => Promise<NodeReport>, facts: (id: string) => Promise<SessionFacts | null>) {
  const asked = { nodes: 0, sessions: [] as string[] };
  const nodes = {
    getByName: () => ({
      report: () => {
        asked.nodes += 1;
        return report();
      },
    }),
  };
  const sessions = {
    getByName: (id: string) => ({
      facts: async () => {
        asked.sessions.push(id);
        const told = await facts(id);
        return told && { facts: told, attached: true };
      },
    }),
  };
  const fake = { ...env, NODES: nodes, SESSIONS: sessions } as unknown as Env;
  const limits = { ...LIMITS_DEFAULT, report_ms: 20, facts_ms: 20 };
  const ctx: ListingContext = { env: fake, db, limits, now: 100 };
  return { ctx, asked };
}

function reportOf(versions: Record<string, number>, presence: "online" | "offline" = "online"): NodeReport {
  const node = {
    id: "nod_aaaa",
    name: "box",
    kind: "local" as const,
    presence,
    since: 1,
    reason: null,
    heard_at: 1,
    as_of: 1,
  };
  return { node, entries: {}, versions, attached: [] };
}

const told = (facts: SessionFacts) => async () => facts;

async function projected(facts: SessionFacts): Promise<SessionFacts> {
  await projectSession(db, facts, { node_kind: "local", pid: null, agentctl_url: null, last_seen_at: 1, now: 1 });
  return facts;
}

beforeEach(async () => {
  await env.DB.batch(["nodes", "task_sessions", "executors_running"].map((t) => env.DB.prepare(`DELETE FROM ${t}`)));
  const row = {
    name: "box",
    kind: "local" as const,
    machine_id: "m",
    state_id: "s",
    hostname: "box",
    platform: "linux",
  };
  await insertNode(db, { id: "nod_aaaa", ...row }, 1);
  await writeNode(db, "nod_aaaa", { presence: "online", presence_reason: null });
});

describe("T1: who is asked", () => {
  it("T1: a node that is online and agrees is asked once, and no session is", async () => {
    await projected(factsOf("ses_aaaa"));
    await projected(factsOf("ses_bbbb", { version: 4 }));
    const { ctx, asked } = context(async () => reportOf({ ses_aaaa: 1, ses_bbbb: 4 }), told(factsOf("ses_aaaa")));
    expect(await listSessions(ctx, {})).toHaveLength(2);
    expect(asked).toEqual({ nodes: 1, sessions: [] });
  });

  it.each([
    ["the node knows a newer version", { ses_aaaa: 2 }],
    ["the node knows an older version", { ses_aaaa: 0 }],
    ["the node knows none", {}],
  ])("T1: where %s, the session itself is asked", async (_name, versions) => {
    await projected(factsOf("ses_aaaa"));
    const { ctx } = context(
      async () => reportOf(versions),
      told(factsOf("ses_aaaa", { version: 2, state: "COMPLETED", end_reason: "completed" })),
    );
    expect(await listSessions(ctx, {})).toMatchObject([{ state: "COMPLETED", version: 2, attached: true }]);
  });

  it("T1: of a silent node every session that isn't over is asked, and no other", async () => {
    await projected(factsOf("ses_open"));
    await projected(factsOf("ses_over", { state: "CANCELLED", end_reason: "stopped" }));
    const { ctx, asked } = context(
      async () => reportOf({ ses_open: 1, ses_over: 1 }, "offline"),
      told(factsOf("ses_open")),
    );
    await listSessions(ctx, {});
    expect(asked.sessions).toEqual(["ses_open"]);
  });

  it("T1: what was disposed meanwhile is absent, and what was never created", async () => {
    await projected(factsOf("ses_aaaa"));
    const disposed = factsOf("ses_aaaa", { version: 2, end_reason: "disposed" });
    expect(await listSessions(context(async () => reportOf({}), told(disposed)).ctx, {})).toEqual([]);
    expect(
      await listSessions(
        context(
          async () => reportOf({}),
          async () => null,
        ).ctx,
        {},
      ),
    ).toEqual([]);
  });
});

describe("C03, T3: a time-out is not absence", () => {
  it("C03: a node that doesn't answer: last known, said to be reconnecting, never dead and never gone", async () => {
    await projected(factsOf("ses_aaaa", { state: "RUNNING" }));
    const { ctx } = context(() => never, told(factsOf("ses_aaaa", { state: "RUNNING" })));
    const [row] = await listSessions(ctx, {});
    expect(row).toMatchObject({
      state: "RUNNING",
      node: { presence: "reconnecting", reason: "Asking about this machine takes too long." },
      resume_reason: "node_reconnecting",
    });
  });

  it("T1, T2: a hundred sessions that are late are no later than one, and each row says as of when it is", async () => {
    for (let i = 0; i < 100; i++)
      await projected(factsOf(`ses_${String(i).padStart(6, "0")}`, { state: "RUNNING", since: 3, last_event_at: 7 }));
    const { ctx, asked } = context(
      async () => reportOf({}),
      () => never,
    );
    const rows = await listSessions(ctx, {});
    expect(rows).toHaveLength(100);
    expect(new Set(rows.map((row) => row.as_of))).toEqual(new Set([7]));
    expect(asked.sessions.length, "the rest isn't asked once the time is over").toBeLessThan(100);
  });

  it("C03: neither node nor session answers, or both fail: the last known row with its as_of", async () => {
    await projected(factsOf("ses_aaaa", { state: "RUNNING" }));
    const fails = () => Promise.reject(new Error("overloaded"));
    for (const { ctx } of [
      context(
        () => never,
        () => never,
      ),
      context(fails, fails),
    ]) {
      const [row] = await listSessions(ctx, {});
      expect(row).toMatchObject({ state: "RUNNING", as_of: 1 });
    }
  });
});
