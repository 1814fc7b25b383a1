import { existsSync, readFileSync } from "node:fs";
import type { TerminalSupport } from "@reprise/protocol";
import type { SessionPaths } from "../host/paths.ts";
import { HostFile, SessionFile } from "../host/spawn.ts";
import { readSpool, type SpoolReading } from "../host/spool.ts";
import { executionOf } from "../host/state.ts";
import type { HostState } from "../host/wire.ts";

/** What is known of a session's spool and execution, from its live host or from what a dead one left. */
export interface Known {
  spool: { spool_id: string; last_seq: number; acked: number } | null;
  execution: {
    execution_id: string;
    state: "alive" | "dead" | "unknown";
    pid: number | null;
    open_turn: string | null;
    token: string | null;
  } | null;
  permit_pending: string | null;
  pending_approvals: number;
  workspace: { path: string; exists: boolean };
  /** Of a live host that knows terminals. */
  terminals: { support: TerminalSupport; panes: number } | null;
}

/** A live host says it of itself. */
export function knownOfHost(state: HostState): Known {
  return {
    spool: { spool_id: state.spool_id, last_seq: state.last_seq, acked: state.acked },
    execution: state.execution,
    permit_pending: state.permit_pending,
    pending_approvals: state.pending_approvals,
    workspace: state.workspace,
    terminals: state.terminals ?? null,
  };
}

/** What a host that doesn't live left behind. Its open execution stays `unknown` until a host has proven it dead (T3). */
export function knownOfSpool(reading: SpoolReading, workspace: string): Known {
  const execution = reading.state === "read" ? reading.facts.execution : null;
  return {
    spool:
      reading.state === "read"
        ? { spool_id: reading.spool_id, last_seq: reading.last_seq, acked: reading.acked }
        : null,
    execution: executionOf(execution, "unknown"),
    permit_pending: null,
    pending_approvals: execution?.pending_approvals.length ?? 0,
    workspace: { path: workspace, exists: existsSync(workspace) },
    terminals: null,
  };
}

/** Is there anything that only a host can see to: an execution to close, events to carry up? */
export function leavesWork(known: Known | null): boolean {
  if (!known) return false;
  const unacked = known.spool !== null && known.spool.last_seq > known.spool.acked;
  return unacked || (known.execution !== null && known.execution.state !== "dead");
}

/** Has a live host anything to say, or to be told (K1)? */
export function needsSocket(known: Known | null): boolean {
  if (!known) return false;
  const unacked = known.spool !== null && known.spool.last_seq > known.spool.acked;
  const inTurn = known.execution?.state === "alive" && known.execution.open_turn !== null;
  const looked = (known.terminals?.panes ?? 0) > 0;
  return unacked || inTurn || looked || known.pending_approvals > 0 || known.permit_pending !== null;
}

/** @returns null when the file isn't there or isn't whole */
export function readHostFile(paths: SessionPaths): HostFile | null {
  const parsed = HostFile.safeParse(readJson(paths.hostFile));
  return parsed.success ? parsed.data : null;
}

/** @returns null when no host was ever started here */
export function readSessionFile(paths: SessionPaths): SessionFile | null {
  const parsed = SessionFile.safeParse(readJson(paths.sessionFile));
  return parsed.success ? parsed.data : null;
}

export function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    // Missing or cut in the middle: the caller has an answer for both.
    return null;
  }
}

/** The spool of a host that doesn't live. A file that can't be read is reported, and counts as nobody's. */
export function readLeftSpool(paths: SessionPaths, onDamage: (error: Error) => void): SpoolReading {
  try {
    return readSpool(paths.spool);
  } catch (error) {
    onDamage(error instanceof Error ? error : new Error(String(error)));
    return { state: "absent" };
  }
}
