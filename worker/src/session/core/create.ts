import type { Birth } from "../rpc.ts";
import type { Draft } from "./draft.ts";
import type { Ctx, Effect } from "./event.ts";
import { claim } from "./launch.ts";
import { addPrompt } from "./prompts.ts";
import type { SessionCore } from "./state.ts";

/** A session's first state: its first prompt waits, its launch is claimed. Rows and orders follow as effects. */
export function createSession(
  birth: Birth,
  node: SessionCore["node"],
  ctx: Ctx,
): { state: SessionCore; effects: Effect[] } {
  const s: SessionCore = {
    session_id: birth.session_id,
    task_id: birth.task_id,
    node_id: birth.node_id,
    state_id: birth.state_id,
    lost: null,
    runtime: birth.runtime,
    profile_id: birth.profile_id,
    profile_exists: true,
    auto_resume: birth.auto_resume,
    spec: birth.spec,
    workspace: birth.workspace,
    created_at: birth.created_at,
    log_id: ctx.newId("log"),
    version: 1,
    title: birth.title,
    title_given: birth.title_given,
    state: "CREATED",
    since: ctx.now,
    end_reason: null,
    ended_at: null,
    exit_code: null,
    pid: null,
    container_id: null,
    container_missing: false,
    executor: { status: "starting", since: ctx.now, failure: null, retry_at: null },
    execution: null,
    last_execution_id: null,
    launch_seq: null,
    // An id of the agent's own is only taken where the agent can resume; the launch will show.
    supports_session_resume: birth.token === null ? birth.can_resume : true,
    agent_capabilities: null,
    resume_token: birth.token,
    prompted: birth.token !== null,
    workspace_exists: true,
    resume_failure: null,
    unverified: false,
    attention: null,
    error: null,
    turn: null,
    prompts: [],
    queue_held: false,
    approvals: [],
    open_items: [],
    unsaid: null,
    stop: null,
    recovery: null,
    marks: {},
    spool_id: null,
    permit_waiting: null,
    dismissed: null,
    last_line: null,
    last_event_at: ctx.now,
    last_event_type: "created",
    archived_at: null,
    removed: false,
    node,
    outbox: [],
  };
  const d: Draft = { s, effects: [], ctx };
  if (birth.prompt) addPrompt(d, birth.prompt);
  const how = birth.token === null ? ({ type: "new" } as const) : ({ type: "resume", token: birth.token } as const);
  claim(d, { how, automatic: false, then_prompt: null });
  return { state: d.s, effects: d.effects };
}
