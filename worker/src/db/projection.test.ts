import { env } from "cloudflare:workers";
import type { SessionFacts, SessionState, TaskState } from "@reprise/protocol";
import { beforeEach, describe, expect, it } from "vitest";
import { factsOf } from "../../test/facts.ts";
import { openDb } from "./db.ts";
import { projectSession } from "./projection.ts";
import { buryRow } from "./sessions.ts";
import { findTask, insertTask, updateTask } from "./tasks.ts";

const db = openDb(env.DB);
const extra = { node_kind: "local" as const, pid: 7, agentctl_url: "https://box.example.com", last_seen_at: 5, now: 9 };

async function row(table: "task_sessions" | "executors_running", id: string) {
  const key = table === "task_sessions" ? "id" : "session_id";
  return env.DB.prepare(`SELECT * FROM ${table} WHERE ${key} = ?`).bind(id).first();
}

let ids = 0;
function session(change: Partial<SessionFacts> = {}): SessionFacts {
  ids += 1;
  return factsOf(`ses_test${ids}`, { task_id: `tsk_test${ids}`, ...change });
}

describe("projectSession", () => {
  it("writes both rows under the design's names", async () => {
    const facts = session({ worktree_path: "/w", worktree_branch: "b" });
    await projectSession(db, facts, extra);
    expect(await row("task_sessions", facts.session_id)).toMatchObject({
      state: "WAITING_FOR_INPUT",
      agent_execution_id: "exe_aaaa",
      worktree_path: "/w",
      worktree_branch: "b",
      metadata: JSON.stringify(facts),
      version: 1,
    });
    expect(await row("executors_running", facts.session_id)).toMatchObject({
      executor_type: "local_standalone",
      status: "ready",
      resume_token: "token-1",
      pid: 7,
      agentctl_url: "https://box.example.com",
      agentctl_port: 443,
    });
  });

  it("T2: an older version never overwrites a newer one, in whatever order they arrive", async () => {
    const facts = session();
    await projectSession(db, { ...facts, version: 3, state: "RUNNING" }, extra);
    await projectSession(db, { ...facts, version: 2, state: "ERROR", resume_token: null }, extra);
    expect(await row("task_sessions", facts.session_id)).toMatchObject({ state: "RUNNING", version: 3 });
    expect(await row("executors_running", facts.session_id)).toMatchObject({ resume_token: "token-1", version: 3 });
  });

  it("T6: the row that holds a token goes with its session, and isn't brought back by what was told late", async () => {
    const facts = session();
    await projectSession(db, facts, extra);
    await buryRow(db, facts.session_id, 10);
    expect(await row("executors_running", facts.session_id)).toBeNull();
    await projectSession(db, { ...facts, version: 2 }, extra);
    expect(await row("executors_running", facts.session_id)).toBeNull();
    expect(await row("task_sessions", facts.session_id)).toMatchObject({ deleted_at: 10 });
  });
});

describe("a task's state (design §3)", () => {
  const task_id = "tsk_states";
  beforeEach(async () => {
    await env.DB.batch([env.DB.prepare("DELETE FROM tasks"), env.DB.prepare("DELETE FROM task_sessions")]);
    await insertTask(db, { id: task_id, title: "t", now: 1 });
  });

  const table: [string, SessionState[], TaskState][] = [
    ["one works", ["RUNNING"], "IN_PROGRESS"],
    ["one starts", ["STARTING", "COMPLETED"], "IN_PROGRESS"],
    ["the last came to wait", ["WAITING_FOR_INPUT", "ERROR"], "REVIEW"],
    ["all ended", ["CANCELLED", "COMPLETED"], "REVIEW"],
  ];
  it.each(table)("when %s: %s make it %s", async (_name, states, expected) => {
    for (const state of states) await projectSession(db, session({ task_id, state }), extra);
    expect((await findTask(db, task_id))?.state).toBe(expected);
  });

  it.each(["DONE", "CANCELLED"] as const)("%s by a person stays", async (state) => {
    await updateTask(db, task_id, { state }, 2);
    const told = await projectSession(db, session({ task_id, state: "RUNNING" }), extra);
    expect(told.task_changed).toBe(false);
    expect((await findTask(db, task_id))?.state).toBe(state);
  });

  it("says whether it changed, so that pages are told only then", async () => {
    const facts = session({ task_id, state: "RUNNING" });
    expect((await projectSession(db, facts, extra)).task_changed).toBe(true);
    expect((await projectSession(db, { ...facts, version: 2 }, extra)).task_changed).toBe(false);
  });
});
