import type { Execution, HostContext, HostCore, HostEffect, HostEvent, Step } from "./types.ts";

function refusal(state: HostCore, executionId: string): { code: string; message: string } | null {
  const execution = state.execution;
  if (execution?.execution_id !== executionId || execution.phase !== "ready")
    return { code: "no_agent", message: "No agent is there to take it." };
  // It is leaving its terminal to the shell, which must not get it.
  if (execution.goodbye) return { code: "no_agent", message: "The agent is ending." };
  if (execution.turn) return { code: "busy", message: "The agent is busy with another prompt." };
  if (state.disk_full)
    return { code: "disk_full", message: "The machine's disk is full. The prompt waits until there is space." };
  return null;
}

/** A turn is open from its first event on disk; its limit runs from there. */
export function beginTurn(
  execution: Execution,
  turn_id: string,
  prompt_id: string | null,
): { execution: Execution; effects: HostEffect[] } {
  const { execution_id } = execution;
  const limit = execution.launch.spec.turn_limit_s;
  const effects: HostEffect[] = [{ type: "append", execution_id, body: { type: "turn.started", turn_id, prompt_id } }];
  if (limit !== undefined)
    effects.push({ type: "timer.set", name: "turn_limit", ms: limit * 1_000, execution_id, turn_id });
  return { execution: { ...execution, turn: { turn_id, ending: null } }, effects };
}

/** P1: the intent is on disk before the bytes go to the agent, and one id is one prompt for ever. */
export function onPrompt(state: HostCore, event: Extract<HostEvent, { type: "prompt" }>, ctx: HostContext): Step {
  const { execution_id, prompt_id, turn_id, blocks } = event;
  if (ctx.prompted(prompt_id)) return { state, effects: [] };
  const refused = refusal(state, execution_id);
  const execution = state.execution;
  if (refused || !execution)
    return {
      state,
      effects: refused ? [{ type: "tell", frame: { type: "prompt.refused", prompt_id, ...refused } }] : [],
    };
  const begun = beginTurn(execution, turn_id, prompt_id);
  return {
    state: { ...state, execution: begun.execution },
    effects: [...begun.effects, { type: "agent.prompt", turn_id, blocks }],
  };
}
