import { type CommandOf, type LaunchSpec, resumesByArgs } from "@reprise/protocol";
import type { Result } from "../../result.ts";
import type { RecoveryAction, SettingsChange } from "../rpc.ts";
import { expireApprovals } from "./approvals.ts";
import { type Draft, OK, owe, refuse, setState } from "./draft.ts";
import { tokenToResume } from "./facts.ts";
import { claim, claimResume, undoClaim } from "./launch.ts";
import { endAsLost } from "./lost-state.ts";
import { deliverNext, queueFirst } from "./prompts.ts";
import { CONTINUE_PROMPT } from "./resume.ts";

/** P4: sent as the protocol says; the host ends the group if that does nothing. */
export function cancel(d: Draft): Result {
  const { s, ctx } = d;
  if (s.turn === null || s.turn.end !== null || s.execution?.phase !== "running") return refuse("no_open_turn");
  s.turn.cancel_requested_at ??= ctx.now;
  sendCancel(d);
  return OK;
}

export function sendCancel(d: Draft): void {
  const { turn } = d.s;
  if (turn === null || turn.end !== null || turn.cancel_requested_at === null) return;
  d.effects.push({ type: "send", frame: { type: "cancel", execution_id: turn.execution_id, turn_id: turn.turn_id } });
  owe(d, { type: "want", reason: "answer" });
}

/** T5: the intent is stored before the kill, and confirmed by the spool. */
export function stop(d: Draft, end_reason: "stopped" | "completed"): Result {
  const { s, ctx } = d;
  s.recovery = null;
  const e = s.execution;
  if (e === null) {
    // What ended for good stays as it ended.
    if (s.end_reason === "agent_exit" || s.end_reason === "disposed") return OK;
    s.end_reason = end_reason;
    s.ended_at = ctx.now;
    s.error = null;
    setState(d, end_reason === "stopped" ? "CANCELLED" : "COMPLETED");
    return OK;
  }
  if (e.phase === "claimed") {
    undoClaim(d, end_reason);
    return OK;
  }
  if (s.stop !== null) {
    s.stop.end_reason = end_reason;
    return OK;
  }
  s.stop = { requested_at: ctx.now, end_reason, execution_id: e.execution_id, command_id: ctx.newId("command") };
  owe(d, {
    type: "enqueue",
    command: {
      type: "stop",
      command_id: s.stop.command_id,
      session_id: s.session_id,
      execution_id: e.execution_id,
      end_reason,
    },
  });
  // Nobody there could confirm it (T7).
  return s.lost === null ? OK : endAsLost(d, e.execution_id);
}

export function undoStop(d: Draft): Result {
  const { s } = d;
  if (s.stop === null) return refuse("stop_confirmed");
  const { command_id } = s.stop;
  s.outbox = s.outbox.filter((o) => o.key !== `enqueue:${command_id}`);
  owe(d, { type: "dequeue", command_id });
  s.stop = null;
  deliverNext(d);
  return OK;
}

export function settings(d: Draft, change: SettingsChange): Result {
  const { s } = d;
  const { profile } = change;
  if (profile !== undefined) {
    // The conversation is the agent's: another agent can't go on with it.
    if (profile.agent_kind !== s.spec.agent_kind || profile.driver !== s.spec.driver) {
      const message = `agent_profile_id: this session is ${s.spec.agent_name}'s; choose a profile of that agent.`;
      return refuse("invalid_field", message, { field: "agent_profile_id" });
    }
    s.profile_id = profile.id;
    s.profile_exists = true;
    s.auto_resume = profile.auto_resume;
  }
  const { mode, model } = change;
  s.spec = { ...s.spec, ...(mode === undefined ? {} : { mode }), ...(model === undefined ? {} : { model }) };
  if (s.execution?.phase !== "running" || (mode === undefined && model === undefined)) return OK;
  s.unsaid = { mode: mode ?? s.unsaid?.mode ?? null, model: model ?? s.unsaid?.model ?? null };
  sendSettings(d);
  return OK;
}

/** What was chosen goes to the running agent; an idle session's socket is asked for, and a lost frame is said again. */
export function sendSettings(d: Draft): void {
  const { unsaid, execution } = d.s;
  if (unsaid === null || execution?.phase !== "running") return;
  const { execution_id } = execution;
  if (unsaid.mode !== null)
    d.effects.push({ type: "send", frame: { type: "set_mode", execution_id, mode: unsaid.mode } });
  if (unsaid.model !== null)
    d.effects.push({ type: "send", frame: { type: "set_model", execution_id, model: unsaid.model } });
  owe(d, { type: "want", reason: "answer" });
}

/** T7: accepted without the node; carried out there when it returns. */
export function remove(d: Draft, remove_worktree: boolean): Result {
  const { s, ctx } = d;
  if (s.removed) return OK;
  if (s.execution?.phase === "claimed") undoClaim(d, "stopped");
  else if (s.execution && s.lost) endAsLost(d, s.execution.execution_id);
  expireApprovals(d, () => true);
  s.recovery = null;
  s.removed = true;
  s.archived_at ??= ctx.now;
  owe(d, {
    type: "enqueue",
    command: { type: "teardown", command_id: ctx.newId("command"), session_id: s.session_id, remove_worktree },
  });
  owe(d, { type: "forget" });
  return OK;
}

export function recovery(d: Draft, action: RecoveryAction, spec: LaunchSpec | null): Result {
  const { s } = d;
  switch (action) {
    case "try_now": {
      if (s.node.presence !== "online" && s.node.call) {
        owe(d, { type: "call_node" });
        return OK;
      }
      if (isAway(d)) return checkAgain(d);
      if (s.execution) return OK;
      const token = tokenToResume(s);
      if (token === null) return checkAgain(d);
      claimResume(d, token, "resume", false, null);
      return OK;
    }
    case "cancel":
      if (isAway(d)) owe(d, { type: "enqueue", command: stopTrying(d) });
      if (s.execution?.phase === "claimed") undoClaim(d, s.execution.prior);
      s.recovery = null;
      return OK;
    case "check_again":
      return checkAgain(d);
    case "dismiss":
      if (s.execution === null) s.dismissed = s.last_execution_id;
      else releaseQueue(d);
      return OK;
    case "declare_lost": {
      if (s.node.presence === "online" && s.lost === null)
        return refuse("bad_request", "The machine is there; nothing is lost.");
      const e = s.execution;
      if (e === null) return OK;
      if (e.phase === "claimed") undoClaim(d, e.prior);
      else endAsLost(d, e.execution_id);
      return s.node.presence === "online" ? checkAgain(d) : OK;
    }
    case "release":
      releaseQueue(d);
      return OK;
    case "continue":
      if (s.execution?.phase !== "running") return refuse("no_agent");
      queueFirst(d, CONTINUE_PROMPT);
      releaseQueue(d);
      return OK;
    case "verified":
      s.unverified = false;
      return OK;
    case "start_again":
      if (s.execution) return refuse("agent_running", undefined, { execution_id: s.execution.execution_id });
      if (s.prompted) return refuse("bad_request", "This session has a conversation: resume it, or create a new one.");
      s.recovery = null;
      s.queue_held = false;
      // Nothing was said yet that only the old way could restore: what was mended in the profile counts (R2).
      if (spec !== null && spec.agent_kind === s.spec.agent_kind && spec.driver === s.spec.driver) {
        s.spec = spec;
        if (spec.driver === "terminal") s.supports_session_resume = resumesByArgs(spec);
      }
      claim(d, { how: { type: "new" }, automatic: false, then_prompt: null });
      return OK;
  }
}

function releaseQueue(d: Draft): void {
  d.s.queue_held = false;
  deliverNext(d);
}

/** What the session runs in doesn't answer: all that can be done is to ask it again, or not. */
function isAway(d: Draft): boolean {
  return d.s.executor.failure?.code === "runtime_unavailable";
}

function stopTrying(d: Draft): CommandOf<"stop_trying"> {
  return { type: "stop_trying", command_id: d.ctx.newId("command"), session_id: d.s.session_id };
}

/** Have the node look at the folder, the runtime and its host again; the answer comes as evidence. */
function checkAgain(d: Draft): Result {
  const { s, ctx } = d;
  owe(d, {
    type: "enqueue",
    command: {
      type: "ensure_host",
      command_id: ctx.newId("command"),
      session_id: s.session_id,
      workspace: s.workspace,
      runtime: s.runtime,
    },
  });
  return OK;
}
