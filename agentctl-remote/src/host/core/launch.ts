import type { Failure } from "@reprise/protocol";
import type { Execution, HostContext, HostCore, HostEffect, HostEvent, Launch, Step } from "./types.ts";

/** Ask for leave to start this one agent, saying up to where the spool is written (R3). */
export function permitRequest(launch: Launch, ctx: HostContext): HostEffect {
  return {
    type: "tell",
    frame: {
      type: "permit.request",
      execution_id: launch.command_id,
      spool_id: ctx.spool_id,
      head_seq: ctx.last_seq,
    },
  };
}

function refusal(state: HostCore, launch: Launch, ctx: HostContext): Failure | null {
  if (state.leaving) return { code: "internal", message: "The session is being removed from this machine." };
  if (state.execution)
    return { code: "internal", message: `The agent of ${state.execution.execution_id} still runs here; attach to it.` };
  if (state.disk_full)
    return { code: "disk_full", message: "The machine's disk is full. Free some space, then retry." };
  if (!ctx.workspaceExists(launch.workspace.cwd))
    return { code: "workspace_missing", message: `The folder ${launch.workspace.cwd} isn't there (any more).` };
  return null;
}

/** A launch is taken once, whatever is delivered how often: its id is the execution's. */
export function onLaunch(state: HostCore, launch: Launch, ctx: HostContext): Step {
  const { command_id } = launch;
  const taken = (phase: "waiting_permit" | "running" | "over"): HostEffect => ({
    type: "reply",
    frame: { type: "launch.taken", command_id, phase },
  });
  if (state.execution?.execution_id === command_id) return { state, effects: [taken("running")] };
  if (ctx.opened(command_id)) return { state, effects: [taken("over")] };
  if (state.waiting?.command_id === command_id)
    return { state, effects: [taken("waiting_permit"), permitRequest(launch, ctx)] };
  const failure = refusal(state, launch, ctx);
  if (failure) return { state, effects: [{ type: "reply", frame: { type: "command.failed", command_id, failure } }] };
  // A claim that never got its permit gives way to the newer one: only one of them can be the session's present claim.
  return {
    state: { ...state, waiting: launch },
    effects: [taken("waiting_permit"), permitRequest(launch, ctx)],
  };
}

/** The permit is used by the event on disk, before the agent is spawned. */
export function onPermit(
  state: HostCore,
  event: Extract<HostEvent, { type: "permit.granted" | "permit.refused" }>,
  ctx: HostContext,
): Step {
  const launch = state.waiting;
  if (launch?.command_id !== event.execution_id || ctx.opened(event.execution_id)) return { state, effects: [] };
  if (event.type === "permit.refused") return { state: { ...state, waiting: null }, effects: [] };
  return open(state, launch, launch.how.type, ctx);
}

/**
 * R7: an agent that a person started in the session's terminal is a new execution. A launch that waits for its permit
 * gives way to it: two agents would share one conversation.
 */
export function onFound(state: HostCore, launch: Launch, ctx: HostContext): Step {
  if (state.execution || state.leaving || ctx.opened(launch.command_id)) return { state, effects: [] };
  const opened = open(state, launch, "found", ctx);
  if (!state.waiting) return opened;
  const failure: Failure = { code: "internal", message: "The agent was started in its terminal meanwhile." };
  const { command_id } = state.waiting;
  return {
    ...opened,
    effects: [...opened.effects, { type: "reply", frame: { type: "command.failed", command_id, failure } }],
  };
}

function open(state: HostCore, wanted: Launch, how: "new" | "resume" | "found", ctx: HostContext): Step {
  const execution_id = wanted.command_id;
  // P1: one id is one prompt for ever, whichever way it comes.
  const known = wanted.prompt != null && ctx.prompted(wanted.prompt.prompt_id);
  const launch = known ? { ...wanted, prompt: null } : wanted;
  const execution: Execution = {
    execution_id,
    launch,
    phase: "starting",
    turn: null,
    approvals: new Map(),
    order: null,
    wasReady: false,
    exit: null,
    end: null,
    goodbye: null,
  };
  return {
    state: { ...state, waiting: null, execution },
    effects: [
      { type: "append", execution_id, body: { type: "execution.opened", how, automatic: launch.automatic } },
      { type: "agent.start", launch },
    ],
  };
}
