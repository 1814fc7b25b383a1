import type { SessionStatus, Words } from "@reprise/protocol";
import { describe, expect, it } from "vitest";
import { interrupted, status } from "../testing/sample.ts";
import { resumptionOf } from "./resumption.ts";

const WORDS: Words = { now: 10_000, span: (ms) => `${ms} ms`, moment: (at) => `at ${at}` };
const of = (part: SessionStatus) => resumptionOf(part, WORDS);
const away = (s: SessionStatus): SessionStatus => ({ ...s, node: { ...s.node, presence: "offline" } });

describe("what a session's page offers", () => {
  it("running: nothing to resume", () => {
    expect(of(status())).toMatchObject({
      phase: "running",
      banner: null,
      primary: null,
      workspace: { kind: "open" },
      waits: null,
    });
  });

  it("R6: interrupted: one click resumes; a try that is due by itself is resuming", () => {
    expect(of(interrupted())).toMatchObject({ phase: "error", primary: "resume", workspace: { kind: "open" } });
    expect(of(interrupted({ attempt: 2, retry_at: 20_000 })).phase).toBe("resuming");
  });

  it("R9: one that can't be resumed offers a new session", () => {
    const gone = interrupted({ is_resumable: false, resume_reason: "not_resumable", requires_new_session: true });
    expect(of(gone)).toMatchObject({ phase: "error", primary: "create_new", requires_new_session: true });
  });

  it("T5: ended on purpose: idle", () => {
    const stopped = interrupted({ state: "CANCELLED", end_reason: "stopped", resume_reason: "deliberate_stop" });
    expect(of(stopped)).toMatchObject({ phase: "idle", primary: "resume", banner: { look: "quiet" } });
  });
});

describe("X3: the workspace hangs on its executor alone", () => {
  it("X3: open when it is ready, whatever became of the agent", () => {
    for (const reason of ["agent_not_running", "conversation_gone", "resume_failed", "not_resumable"] as const)
      expect(of(interrupted({ resume_reason: reason })).workspace).toEqual({ kind: "open" });
    expect(of(interrupted({ executor_status: "stopped" })).workspace).toEqual({ kind: "open" });
  });

  it("X3: starting, error and a silent machine each say so", () => {
    expect(of(status({ executor_status: "starting" })).workspace.kind).toBe("starting");
    expect(
      of(interrupted({ executor_status: "error", error_code: "workspace_missing", error_message: "Gone." })).workspace,
    ).toEqual({
      kind: "error",
      code: "workspace_missing",
      message: "Gone.",
    });
    expect(of(away(status({ executor_status: "starting" }))).workspace.kind).toBe("silent");
  });

  it("X3: an executor that serves it only beside an agent keeps it closed without one, and says so", () => {
    expect(of(interrupted({ supports_workspace_only: false })).workspace.kind).toBe("closed");
    expect(of(status({ supports_workspace_only: false })).workspace.kind).toBe("open");
  });
});
