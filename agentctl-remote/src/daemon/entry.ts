import { existsSync } from "node:fs";
import type { Failure, InventoryEntry } from "@reprise/protocol";
import type { SessionFile } from "../host/spawn.ts";
import type { Known } from "./known.ts";
import type { Supervision } from "./supervise.ts";

export interface EntryFacts {
  session_id: string;
  file: SessionFile | null;
  supervision: Supervision;
  known: Known | null;
  pid: number | null;
  container_id: string | null;
  /** A host is needed: it is started, or will be. */
  work: boolean;
}

/** What the inventory tells of one session (N1, T6). */
export function inventoryEntry({
  session_id,
  file,
  supervision,
  known,
  pid,
  container_id,
  work,
}: EntryFacts): InventoryEntry {
  const { failure, gone, retryAt } = supervision;
  const host = supervision.host === "away" ? "unknown" : supervision.host;
  const execution = known?.execution ?? null;
  const workspace = known?.workspace.path ?? file?.workspace ?? "";
  // Looked at each time it is told: a folder comes and goes without a word to its host.
  const exists = existsSync(workspace);
  const away = supervision.host === "away";
  // X2: with its folder gone a session has no workspace to serve, though a host may still see to what it left behind.
  const missing = !away && !exists && workspace !== "" && execution?.state !== "alive" ? noFolder(workspace) : null;
  const lacking = gone ?? missing;
  const runtime = file?.runtime ?? "standalone";
  // Numbers of processes in a container mean nothing to anybody outside it (X7).
  const ours = runtime === "standalone";
  return {
    session_id,
    runtime,
    spool: known?.spool ? { spool_id: known.spool.spool_id, last_seq: known.spool.last_seq } : null,
    host: { state: host === "starting" ? "dead" : host, pid: ours ? pid : null, container_id },
    executor: {
      status: lacking ? "error" : executorStatus(supervision, work),
      failure: lacking ?? failure,
      retry_at: lacking ? null : retryAt,
    },
    execution: execution && {
      ...execution,
      state: host === "unknown" ? "unknown" : execution.state,
      pid: ours ? execution.pid : null,
    },
    workspace: { path: workspace, exists },
  };
}

function noFolder(path: string): Failure {
  return { code: "workspace_missing", message: `The folder ${path} isn't there.` };
}

function executorStatus({ host, failure }: Supervision, work: boolean): InventoryEntry["executor"]["status"] {
  if (host === "alive" || host === "unknown") return "ready";
  if (failure) return "error";
  return host === "starting" || work ? "starting" : "stopped";
}
