import { existsSync } from "node:fs";
import type { SpoolFacts } from "./facts.ts";
import type { ProcessIdentity } from "./process.ts";
import type { Runner } from "./runner.ts";
import type { SessionFile } from "./spawn.ts";
import type { Spool } from "./spool.ts";
import type { HostState } from "./wire.ts";

type LastExecution = NonNullable<SpoolFacts["execution"]>;

/** The execution that a spool has open, or had last. @param open what one that is open there counts as */
export function executionOf<Open extends string>(last: LastExecution | null, open: Open) {
  return (
    last && {
      execution_id: last.execution_id,
      state: last.open ? open : ("dead" as const),
      pid: last.open ? (last.agent?.pid ?? null) : null,
      open_turn: last.open_turn,
      token: last.token,
    }
  );
}

/** What a host tells of itself, but for its terminals. */
export function hostState(session: SessionFile, spool: Spool, runner: Runner, me: ProcessIdentity): HostState {
  const { execution, waiting, disk_full } = runner.state;
  return {
    session_id: session.session_id,
    runtime: session.runtime,
    spool_id: spool.spool_id,
    last_seq: spool.last_seq,
    acked: spool.acked,
    ...me,
    execution: executionOf(spool.facts.execution, "alive"),
    permit_pending: waiting?.command_id ?? null,
    pending_approvals: execution?.approvals.size ?? 0,
    disk_full,
    workspace: { path: session.workspace, exists: existsSync(session.workspace) },
  };
}
