import { rowId } from "@reprise/protocol";
import { type Draft, setState } from "./draft.ts";
import { executionRow } from "./execution-row.ts";
import { takeBack, undoClaim } from "./launch.ts";
import { leaveBehind } from "./launch-prompt.ts";

/**
 * A person started the agent by hand in the session's terminal (R7): nobody had claimed it, and it runs all the same. What
 * this session only had in mind gives way to it, and whoever asked for a start finds it running; never one that runs.
 * Of a session that was stopped, or is out of the way, it is a new life; of a deleted one it is nothing: its host is
 * being torn down.
 */
export function executionFound(d: Draft, spool_id: string, execution_id: string, at: number): void {
  const { s, ctx } = d;
  if (s.removed || s.execution?.execution_id === execution_id) return;
  if (!giveWay(d, spool_id)) {
    const details = { execution_id, runs: s.execution?.execution_id };
    d.effects.push({ type: "warn", message: "an agent was found where another runs", details });
    return;
  }
  s.execution = {
    phase: "running",
    execution_id,
    how: "found",
    automatic: false,
    started_at: ctx.now,
    command_seq: s.launch_seq,
    then_prompt: null,
    launch_prompt: null,
    spool_id,
    ready: false,
  };
  s.pid = null;
  s.end_reason = null;
  s.ended_at = null;
  s.exit_code = null;
  s.error = null;
  s.dismissed = null;
  s.recovery = null;
  // What is live may lie nowhere out of sight (C04).
  s.archived_at = null;
  setState(d, "STARTING");
  d.effects.push(executionRow(s, s.execution, null), {
    type: "row.put",
    id: rowId.notice(execution_id, "agent_found"),
    execution_id,
    body: {
      kind: "notice",
      level: "info",
      code: "agent_found",
      text: `${s.spec.agent_name} was started in the terminal.`,
      at,
    },
  });
}

/** @returns whether nothing runs (any more), as far as this spool can tell */
function giveWay(d: Draft, spool_id: string): boolean {
  const { s, ctx } = d;
  const e = s.execution;
  if (e === null) return true;
  switch (e.phase) {
    case "claimed":
      undoClaim(d, e.prior);
      return true;
    case "permitted": {
      // The host that holds the permit has opened another execution: it makes no use of it (L1).
      if (e.spool_id !== spool_id || e.used) return false;
      leaveBehind(d, s.queue_held);
      // A stop of that start has what it wanted; this life is another.
      s.stop = null;
      takeBack(d, e.execution_id);
      const { last_event_type, last_event_at } = s;
      const end = { at: ctx.now, end_reason: "superseded", exit_code: null, signal: null } as const;
      d.effects.push(executionRow(s, e, { ...end, last_event_type, last_event_at }));
      return true;
    }
    case "running":
      return false;
  }
}
