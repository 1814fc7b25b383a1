import { endExecution, exitOf, finishExecution, settleApprovals } from "./endings.ts";
import { beginTurn } from "./prompt.ts";
import type { AgentEvent, Execution, HostCore, HostEffect, Step } from "./types.ts";

/** What an agent did. Words of an execution that is not the present one are nobody's. */
export function onAgent(state: HostCore, executionId: string, told: AgentEvent): Step {
  const execution = state.execution;
  if (execution?.execution_id !== executionId) return { state, effects: [] };
  const write = (body: Extract<HostEffect, { type: "append" }>["body"]): HostEffect => ({
    type: "append",
    execution_id: executionId,
    body,
  });
  switch (told.type) {
    case "agent.spawned":
      return onSpawned(state, execution, told);
    case "agent.initialized":
    case "agent.settings":
    case "agent.title":
    case "agent.prompted":
    case "agent.attention":
    case "notice":
      return { state, effects: [write(told)] };
    case "agent.token":
      return { state: { ...state, execution: { ...execution, goodbye: null } }, effects: [write(told)] };
    case "agent.goodbye": {
      const { type, reason, explicit, at } = told;
      const goodbye = { explicit, at };
      return {
        state: { ...state, execution: { ...execution, goodbye } },
        effects: [write({ type, reason, explicit })],
      };
    }
    case "turn.begun":
      return onTurnBegun(state, execution, told.turn_id);
    case "agent.ready":
      if (execution.phase !== "starting") return { state, effects: [] };
      return {
        state: { ...state, execution: { ...execution, phase: "ready", wasReady: true } },
        effects: [write(told)],
      };
    case "item":
      return { state, effects: [write({ ...told, turn_id: execution.turn?.turn_id ?? null })] };
    case "asked":
      return onAsked(state, execution, told.ask);
    case "turn.over":
      return onTurnOver(state, execution, told);
    case "failed":
      return endExecution(state, execution, {
        end_reason: "failed",
        failure: told.failure,
        died: "nobody",
        command_ids: [],
      });
    case "exited": {
      const { exit_code, signal } = told;
      return onExit(state, { ...execution, exit: execution.exit ?? { exit_code, signal } });
    }
    case "ended": {
      const end = execution.end ?? told.end;
      return onExit(state, { ...execution, end, exit: exitOf(end) });
    }
    case "dead":
      return finishExecution(state, execution, told.stderr);
  }
}

/** Children of its group may live on: they go before anything is said (X6, R3). */
function onExit(state: HostCore, execution: Execution): Step {
  return {
    state: { ...state, execution: { ...execution, phase: "ending" } },
    effects: execution.phase === "ending" ? [] : [{ type: "agent.kill" }],
  };
}

/** What a terminal agent starts with is on disk before it runs (P1): its driver lets it go after this. */
function onSpawned(state: HostCore, execution: Execution, told: Extract<AgentEvent, { type: "agent.spawned" }>): Step {
  const { execution_id, launch } = execution;
  const spawned: HostEffect = { type: "append", execution_id, body: told };
  if (!launch.prompt || execution.phase !== "starting") return { state, effects: [spawned] };
  const { turn_id, prompt_id } = launch.prompt;
  const begun = beginTurn(execution, turn_id, prompt_id);
  return { state: { ...state, execution: begun.execution }, effects: [spawned, ...begun.effects] };
}

function onTurnBegun(state: HostCore, execution: Execution, turnId: string): Step {
  if (execution.phase !== "ready" || execution.turn !== null) return { state, effects: [] };
  const begun = beginTurn({ ...execution, goodbye: null }, turnId, null);
  return { state: { ...state, execution: begun.execution }, effects: begun.effects };
}

function onAsked(state: HostCore, execution: Execution, asked: Extract<AgentEvent, { type: "asked" }>["ask"]): Step {
  const refused =
    execution.phase !== "ready" || execution.turn?.ending != null || execution.approvals.has(asked.request_id);
  // P4: after a cancel, every question is answered `cancelled`.
  if (refused) return { state, effects: [{ type: "agent.answer", request_id: asked.request_id, option_id: null }] };
  const ask = { ...asked, turn_id: execution.turn?.turn_id ?? null };
  const approvals = new Map(execution.approvals).set(ask.request_id, ask);
  return {
    state: { ...state, execution: { ...execution, approvals } },
    effects: [{ type: "append", execution_id: execution.execution_id, body: { type: "approval.asked", ask } }],
  };
}

function onTurnOver(state: HostCore, execution: Execution, told: Extract<AgentEvent, { type: "turn.over" }>): Step {
  const { turn } = execution;
  // While its group is being killed, the end of the execution says how the turn ended.
  if (turn?.turn_id !== told.turn_id || execution.phase === "ending") return { state, effects: [] };
  const limited = turn.ending === "limit" && told.outcome !== "done";
  return {
    state: { ...state, execution: { ...execution, turn: null, approvals: new Map() } },
    effects: [
      ...settleApprovals(execution, "expired"),
      {
        type: "append",
        execution_id: execution.execution_id,
        body: {
          type: "turn.ended",
          turn_id: told.turn_id,
          outcome: limited ? "timed_out" : told.outcome,
          message: limited ? "The turn's time limit was reached." : told.message,
        },
      },
      { type: "timer.clear", name: "cancel" },
      { type: "timer.clear", name: "turn_limit" },
    ],
  };
}
