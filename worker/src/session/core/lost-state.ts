import type { NodeEvidence } from "../rpc.ts";
import { type Draft, OK } from "./draft.ts";
import { executionEnded } from "./ends.ts";
import { claimAgain } from "./launch.ts";

/**
 * T3: whose word it is. A node that lost its state folder knows nothing of what was launched from it, so that its silence
 * proves nothing; a start that never began is ordered anew, for its order went with the folder.
 * @returns whether the evidence may be taken in
 */
export function isOfItsFolder(d: Draft, { state_id }: NodeEvidence): boolean {
  const { s, ctx } = d;
  if (state_id === s.state_id) {
    // The old disk is back.
    s.lost = null;
    return true;
  }
  if (s.execution === null || s.execution.phase === "claimed") {
    s.state_id = state_id;
    s.lost = null;
    if (s.execution !== null) claimAgain(d);
    return true;
  }
  s.lost = { since: s.lost?.since ?? ctx.now, state_id };
  // What served it went with the folder; of the agent nobody can tell.
  s.executor = { status: "stopped", since: ctx.now, failure: null, retry_at: null };
  return false;
}

/** A person takes an execution for ended that nobody can be asked about. */
export function endAsLost(d: Draft, execution_id: string): typeof OK {
  const message = d.s.lost
    ? `${d.s.node.name} lost its record of this session.`
    : `${d.s.node.name} was declared lost.`;
  executionEnded(
    d,
    execution_id,
    {
      end_reason: "interrupted",
      failure: { code: "declared_lost", message },
      exit_code: null,
      signal: null,
      died: "nobody",
      found: "live",
    },
    d.ctx.now,
  );
  return OK;
}
