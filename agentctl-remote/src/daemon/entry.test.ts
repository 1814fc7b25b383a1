import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import { type EntryFacts, inventoryEntry } from "./entry.ts";
import type { Known } from "./known.ts";
import { UNSEEN } from "./supervise.ts";

const NOWHERE = "/nonexistent/worktree";

function known(workspace: string, state: "alive" | "dead"): Known {
  return {
    spool: { spool_id: "spl_1", last_seq: 9, acked: 9 },
    execution: { execution_id: "exe_1", state, pid: null, open_turn: null, token: "t" },
    permit_pending: null,
    pending_approvals: 0,
    terminals: null,
    workspace: { path: workspace, exists: true },
  };
}

function executor(facts: Partial<EntryFacts>) {
  const all = {
    session_id: "ses_1",
    file: null,
    supervision: UNSEEN,
    known: null,
    pid: null,
    container_id: null,
    work: false,
    ...facts,
  };
  return inventoryEntry(all).executor;
}

describe("what the inventory says of an executor", () => {
  const alive = { ...UNSEEN, host: "alive" as const };

  it("X2: without its folder it is in error, and says which folder, also while a host sees to what is left", () => {
    const missing = { status: "error", failure: { code: "workspace_missing" }, retry_at: null };
    for (const supervision of [UNSEEN, alive]) {
      const told = executor({ supervision, known: known(NOWHERE, "dead") });
      expect(told).toMatchObject(missing);
      expect(told.failure?.message).toContain(NOWHERE);
    }
  });

  it("X2, X4: a live agent is adopted, whatever became of its folder", () => {
    expect(executor({ supervision: alive, known: known(NOWHERE, "alive") })).toMatchObject({ status: "ready" });
  });

  it("X2: with its folder it is ready as soon as a host serves it; where nobody said yet which folder, nothing is missing", () => {
    expect(executor({ supervision: alive, known: known(tmpdir(), "dead") })).toMatchObject({
      status: "ready",
      failure: null,
    });
    expect(executor({ work: true })).toMatchObject({ status: "starting", failure: null });
  });
});
