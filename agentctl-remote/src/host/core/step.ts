import { CANCEL_MS } from "../../limits.ts";
import { onAgent } from "./agent.ts";
import { endExecution, settleApprovals } from "./endings.ts";
import { onFound, onLaunch, onPermit, permitRequest } from "./launch.ts";
import { onPrompt } from "./prompt.ts";
import type { Execution, HostContext, HostCore, HostEffect, HostEvent, Step } from "./types.ts";

/** A host that serves its workspace, and no agent yet. */
export const IDLE: HostCore = { execution: null, waiting: null, disk_full: false, leaving: false };

/** The host's whole behaviour: what follows from an event. Pure; the runner carries the effects out, appends first. */
export function step(state: HostCore, event: HostEvent, ctx: HostContext): Step {
  switch (event.type) {
    case "launch":
      return onLaunch(state, event.command, ctx);
    case "permit.granted":
    case "permit.refused":
      return onPermit(state, event, ctx);
    case "prompt":
      return onPrompt(state, event, ctx);
    case "cancel":
      return onCancel(state, event);
    case "approval.answer":
      return onAnswer(state, event);
    case "set_mode":
      return whenReady(state, event.execution_id, { type: "agent.set_mode", mode: event.mode });
    case "set_model":
      return whenReady(state, event.execution_id, { type: "agent.set_model", model: event.model });
    case "stop":
      return onStop(state, event);
    case "teardown":
    case "shutdown":
      return onLeave(state, event);
    case "followed":
      return { state, effects: state.waiting ? [permitRequest(state.waiting, ctx)] : [] };
    case "disk":
      return { state: { ...state, disk_full: event.full }, effects: [] };
    case "timer":
      return onTimer(state, event);
    case "agent":
      return onAgent(state, event.execution_id, event.told);
    case "found":
      return onFound(state, event.launch, ctx);
  }
}

function whenReady(state: HostCore, executionId: string, effect: HostEffect): Step {
  const ready = state.execution?.execution_id === executionId && state.execution.phase === "ready";
  return { state, effects: ready ? [effect] : [] };
}

function stopTurn(state: HostCore, execution: Execution, why: "cancel" | "limit"): Step {
  if (!execution.turn || execution.turn.ending || execution.phase === "ending") return { state, effects: [] };
  const turn = { ...execution.turn, ending: why };
  return {
    state: { ...state, execution: { ...execution, turn, approvals: new Map() } },
    effects: [
      ...settleApprovals(execution, "cancelled"),
      { type: "agent.cancel" },
      {
        type: "timer.set",
        name: "cancel",
        ms: CANCEL_MS,
        execution_id: execution.execution_id,
        turn_id: turn.turn_id,
      },
    ],
  };
}

function onCancel(state: HostCore, event: Extract<HostEvent, { type: "cancel" }>): Step {
  const execution = state.execution;
  if (execution?.execution_id !== event.execution_id || execution.turn?.turn_id !== event.turn_id)
    return { state, effects: [] };
  return stopTurn(state, execution, "cancel");
}

function onTimer(state: HostCore, event: Extract<HostEvent, { type: "timer" }>): Step {
  const execution = state.execution;
  const turn = execution?.turn;
  if (execution?.execution_id !== event.execution_id || turn?.turn_id !== event.turn_id) return { state, effects: [] };
  if (event.name === "turn_limit") return stopTurn(state, execution, "limit");
  // P4: the cancel had no effect, so the process group goes; the turn ends as the person wished.
  const message = "The agent did not stop when it was asked to, so it was ended.";
  return endExecution(state, execution, {
    end_reason: "interrupted",
    failure: { code: "cancel_ignored", message },
    died: "agent",
    command_ids: [],
  });
}

function onAnswer(state: HostCore, event: Extract<HostEvent, { type: "approval.answer" }>): Step {
  const { execution_id, request_id } = event;
  const execution = state.execution;
  const ask = execution?.execution_id === execution_id ? execution.approvals.get(request_id) : undefined;
  const offered = event.option_id === null || ask?.options.some((option) => option.option_id === event.option_id);
  if (!execution || !ask || !offered)
    return { state, effects: [{ type: "tell", frame: { type: "approval.unknown", execution_id, request_id } }] };
  const approvals = new Map(execution.approvals);
  approvals.delete(request_id);
  const outcome = event.option_id === null ? "cancelled" : "selected";
  return {
    state: { ...state, execution: { ...execution, approvals } },
    effects: [
      {
        type: "append",
        execution_id,
        body: { type: "approval.settled", request_id, outcome, option_id: event.option_id },
      },
      { type: "agent.answer", request_id, option_id: event.option_id },
    ],
  };
}

function onStop(state: HostCore, event: Extract<HostEvent, { type: "stop" }>): Step {
  const done: HostEffect = { type: "reply", frame: { type: "command.done", command_id: event.command_id } };
  if (state.waiting?.command_id === event.execution_id) return { state: { ...state, waiting: null }, effects: [done] };
  const execution = state.execution;
  // Over already, or never begun: there is nothing left to stop.
  if (execution?.execution_id !== event.execution_id) return { state, effects: [done] };
  return endExecution(state, execution, {
    end_reason: event.end_reason,
    failure: null,
    died: "nobody",
    command_ids: [event.command_id],
  });
}

function onLeave(state: HostCore, event: Extract<HostEvent, { type: "teardown" | "shutdown" }>): Step {
  const teardown = event.type === "teardown";
  const next: HostCore = { ...state, waiting: null, leaving: true };
  const done: HostEffect = { type: "reply", frame: { type: "command.done", command_id: event.command_id } };
  if (!state.execution) return { state: next, effects: [done, { type: "leave" }] };
  return endExecution(next, state.execution, {
    end_reason: teardown ? "disposed" : "interrupted",
    failure: teardown ? null : { code: "host_died", message: "Everything on this machine was ended." },
    died: teardown ? "nobody" : "host",
    command_ids: [event.command_id],
  });
}
