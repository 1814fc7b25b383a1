import { rowId, type TurnOutcome } from "@reprise/protocol";
import { expireApprovals } from "./approvals.ts";
import type { Draft } from "./draft.ts";
import { doubt } from "./prompts.ts";
import type { SessionCore } from "./state.ts";

/** The open turn has an outcome: told by its host, or by its execution's end. The first that is told stands. */
export function endTurn(d: Draft, outcome: TurnOutcome, message: string | null, ended_at: number): void {
  const { s } = d;
  const { turn } = s;
  if (!turn || turn.end !== null) return;
  turn.end = { outcome, message, ended_at };
  s.attention = null;
  d.effects.push({
    type: "row.put",
    id: rowId.turnEnd(turn.turn_id),
    execution_id: turn.execution_id,
    body: { kind: "turn_end", turn_id: turn.turn_id, outcome, message, ended_at },
  });
  expireApprovals(d, (a) => a.turn_id === turn.turn_id);
  // What came with the launch of an agent that isn't up is settled when it comes up, or ends.
  if (turn.with_launch && outcome !== "done" && !hasReached(s)) return;
  settleTurn(d);
}

/** What follows from the last turn's outcome for its prompt, and for those that wait behind it. */
export function settleTurn(d: Draft): void {
  const { s } = d;
  const { turn } = s;
  if (!turn?.end) return;
  const { outcome } = turn.end;
  s.queue_held = outcome === "interrupted" || outcome === "failed" || outcome === "timed_out";
  if (turn.prompt_id !== null) settlePrompt(d, turn.prompt_id, outcome, turn.heard);
}

/** Whether the open or last turn, which came with its launch, has reached the agent. */
export function hasReached({ turn, execution: e }: SessionCore): boolean {
  return turn?.heard === true || (e?.phase === "running" && e.execution_id === turn?.execution_id && e.ready);
}

/**
 * A prompt whose turn has an outcome is done, whatever the outcome; save one that died before anything came back: nobody
 * can know whether the agent took it in (P1).
 */
function settlePrompt(d: Draft, prompt_id: string, outcome: TurnOutcome, heard: boolean): void {
  const { s } = d;
  if (outcome === "interrupted" && !heard) {
    doubt(d, prompt_id, "The agent died before it answered. It may or may not have begun.", outcome);
    return;
  }
  s.prompts = s.prompts.filter((p) => p.prompt_id !== prompt_id);
  d.effects.push({ type: "row.prompt", prompt_id, state: "done", outcome, note: null });
}
