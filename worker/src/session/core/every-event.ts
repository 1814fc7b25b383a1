import type { Failure, InventoryEntry, Presence, ResumeBody, SpoolEventBody } from "@reprise/protocol";
import { CAPABILITIES } from "@reprise/protocol/testing";
import type { RecoveryAction } from "../rpc.ts";
import type { SessionEvent } from "./event.ts";
import type { OutboxResult } from "./outbox.ts";
import { DEATH, type Rig } from "./rig.ts";
import { nodeView, SPEC } from "./situations.ts";
import { nextDue } from "./timers.ts";

type HostEnd = Extract<SpoolEventBody, { type: "execution.ended" }>["end_reason"];
/** Events whose content decides what follows; each of these contents is an event of its own here. */
type Split =
  | "stop"
  | "resume"
  | "recovery"
  | "link.events"
  | "node.evidence"
  | "node.presence"
  | "node.command_failed"
  | "outbox.done"
  | "tick";
export type EventKey =
  | Exclude<SessionEvent["type"], Split>
  | `stop ${Extract<SessionEvent, { type: "stop" }>["end_reason"]}`
  | `resume ${ResumeBody["mode"]}`
  | `recovery ${RecoveryAction}`
  | `spool ${Exclude<SpoolEventBody["type"], "execution.ended">}`
  | "spool execution.opened found"
  | `ended ${Exclude<HostEnd, "interrupted">}`
  | `ended interrupted ${"live" | "scan"}`
  | "ended failed gone"
  | `evidence ${"there" | "no_folder" | "no_runtime" | "absent" | "other_folder" | "incomplete"}`
  | `presence ${Presence}`
  | `launch_failed ${"passing" | "final" | "no_folder" | "no_runtime" | "no_container"}`
  | `done ${OutboxResult["type"]}`
  | `tick ${"there" | "away"}`;

const launchId = (rig: Rig) => rig.state.execution?.execution_id ?? rig.state.last_execution_id ?? "exe_none";
const turnId = (rig: Rig) => rig.state.turn?.turn_id ?? "trn_none";
const spool = (body: (rig: Rig) => SpoolEventBody) => (rig: Rig) => ({
  type: "link.events" as const,
  spool_id: rig.spool,
  events: [{ seq: rig.seq + 1, at: rig.now, execution_id: launchId(rig), body: body(rig) }],
});
const ended = (over: Partial<Extract<SpoolEventBody, { type: "execution.ended" }>>) =>
  spool(() => ({ type: "execution.ended", ...DEATH, ...over }));
const recovery = (action: RecoveryAction) => (): SessionEvent => ({ type: "recovery", action, spec: SPEC });
const resume = (mode: ResumeBody["mode"]) => (): SessionEvent => ({
  type: "resume",
  body: { mode, strategy: "native" },
});
const evidence = (over: { entry?: InventoryEntry; complete?: boolean; state_id?: string }) => (): SessionEvent => ({
  type: "node.evidence",
  evidence: {
    node_id: "nod_000001",
    state_id: "state-1",
    entry: null,
    complete: true,
    last_command_seq: 9,
    ...over,
  },
});
const failed = (code: Failure["code"]) => (rig: Rig) => ({
  type: "node.command_failed" as const,
  command_id: launchId(rig),
  failure: { code, message: "no" },
  retry_at: null,
});
/** The debt of that kind, if one is open; paying one that isn't owed changes nothing. */
const done = (result: OutboxResult) => (rig: Rig) => ({
  type: "outbox.done" as const,
  key: rig.state.outbox.find((item) => item.type === result.type)?.key ?? "none",
  result,
});
/** The next named wait ends, if one is armed. */
function atNextWait(rig: Rig, presence: Presence): SessionEvent {
  rig.do({ type: "node.presence", node: nodeView(presence) });
  rig.now = nextDue(rig.state, rig.ctx().limits) ?? rig.now;
  return { type: "tick" };
}
const text = [{ type: "text" as const, text: "go on" }];

export const ENTRY: InventoryEntry = {
  session_id: "ses_000001",
  runtime: "standalone",
  spool: { spool_id: "spl_aaaa", last_seq: 1 },
  host: { state: "alive", pid: 7, container_id: null },
  executor: { status: "ready", failure: null, retry_at: null },
  execution: null,
  workspace: { path: "/w", exists: true },
};

/** For tests: every event of the union, as it comes to a session. A new one does not compile until it stands here. */
export const EVENTS = {
  prompt: () => ({ type: "prompt", prompt_id: "prompt-0009", blocks: text }),
  "prompt.edit": () => ({ type: "prompt.edit", prompt_id: "prompt-0001", blocks: text }),
  "prompt.remove": () => ({ type: "prompt.remove", prompt_id: "prompt-0001" }),
  cancel: () => ({ type: "cancel" }),
  "stop stopped": () => ({ type: "stop", end_reason: "stopped" }),
  "stop completed": () => ({ type: "stop", end_reason: "completed" }),
  "stop.undo": () => ({ type: "stop.undo" }),
  "resume resume": resume("resume"),
  "resume retry": resume("retry"),
  answer: () => ({ type: "answer", request_id: "r1", execution_id: "exe_none", option_id: null }),
  "recovery try_now": recovery("try_now"),
  "recovery cancel": recovery("cancel"),
  "recovery check_again": recovery("check_again"),
  "recovery dismiss": recovery("dismiss"),
  "recovery declare_lost": (rig) => {
    rig.do({ type: "node.presence", node: nodeView("offline") });
    return recovery("declare_lost")();
  },
  "recovery release": recovery("release"),
  "recovery continue": recovery("continue"),
  "recovery verified": recovery("verified"),
  "recovery start_again": recovery("start_again"),
  rename: () => ({ type: "rename", title: "Other" }),
  settings: () => ({ type: "settings", mode: "plan" }),
  "profile.gone": () => ({ type: "profile.gone", profile_id: "claude-code" }),
  "profile.back": () => ({ type: "profile.back", profile_id: "claude-code" }),
  "token.release": () => ({ type: "token.release", token: "tok-1" }),
  archive: () => ({ type: "archive", on: true }),
  remove: () => ({ type: "remove", remove_worktree: false }),
  "link.hello": (rig) => ({ type: "link.hello", spool_id: rig.spool }),
  "link.permit_request": (rig) => ({
    type: "link.permit_request",
    execution_id: launchId(rig),
    spool_id: rig.spool,
    head_seq: rig.seq,
  }),
  "link.prompt_refused": () => ({
    type: "link.prompt_refused",
    prompt_id: "prompt-0001",
    code: "disk_full",
    message: "full",
  }),
  "link.approval_unknown": () => ({ type: "link.approval_unknown", execution_id: "exe_none", request_id: "r1" }),
  "spool execution.opened": spool((rig) => ({
    type: "execution.opened",
    how: rig.state.execution?.how ?? "new",
    automatic: false,
  })),
  "spool execution.opened found": (rig) => ({
    type: "link.events",
    spool_id: rig.spool,
    events: [
      {
        seq: rig.seq + 1,
        at: rig.now,
        execution_id: `exe_found${rig.seq}`,
        body: { type: "execution.opened", how: "found", automatic: false },
      },
    ],
  }),
  "spool agent.spawned": spool(() => ({ type: "agent.spawned", pid: 43, start_time: "1", boot_id: "b" })),
  "spool agent.initialized": spool(() => ({
    type: "agent.initialized",
    name: "A",
    version: "1",
    capabilities: CAPABILITIES,
  })),
  "spool agent.ready": spool(() => ({ type: "agent.ready", token: "tok-1", how: "new", replayed: 0, verified: true })),
  "spool agent.settings": spool(() => ({
    type: "agent.settings",
    mode: "plan",
    modes: [],
    model: null,
    models: [],
    commands: [],
  })),
  "spool agent.title": spool(() => ({ type: "agent.title", title: "Better" })),
  "spool agent.token": spool(() => ({ type: "agent.token", token: "tok-2" })),
  "spool agent.goodbye": spool(() => ({ type: "agent.goodbye", reason: "other", explicit: false })),
  "spool agent.prompted": spool(() => ({ type: "agent.prompted" })),
  "spool agent.attention": spool(() => ({ type: "agent.attention", text: "May it run rm?" })),
  "spool turn.started": spool(() => ({ type: "turn.started", turn_id: "trn_next", prompt_id: null })),
  "spool turn.ended": spool((rig) => ({
    type: "turn.ended",
    turn_id: turnId(rig),
    outcome: "done",
    message: null,
  })),
  "spool item": spool((rig) => ({
    type: "item",
    turn_id: turnId(rig),
    item: { kind: "text", item_id: "i9", started_at: 1, status: "done", text: "so" },
  })),
  "spool approval.asked": spool((rig) => ({
    type: "approval.asked",
    ask: {
      request_id: "r9",
      turn_id: turnId(rig),
      tool_call_id: null,
      title: "rm",
      options: [{ option_id: "y", name: "Yes", kind: "allow_once" }],
      content: [],
      input: null,
    },
  })),
  "spool approval.settled": spool(() => ({
    type: "approval.settled",
    request_id: "r9",
    outcome: "expired",
    option_id: null,
  })),
  "spool notice": spool(() => ({ type: "notice", level: "info", code: "x", text: "x" })),
  "ended interrupted live": ended({}),
  "ended interrupted scan": ended({ died: "machine", found: "scan" }),
  "ended failed": ended({ end_reason: "failed" }),
  "ended failed gone": ended({
    end_reason: "failed",
    failure: { code: "conversation_gone", message: "No conversation" },
  }),
  "ended stopped": ended({ end_reason: "stopped", failure: null }),
  "ended completed": ended({ end_reason: "completed", failure: null }),
  "ended agent_exit": ended({ end_reason: "agent_exit", failure: null }),
  "ended superseded": ended({ end_reason: "superseded", failure: null }),
  "ended disposed": ended({ end_reason: "disposed", failure: null }),
  "evidence there": evidence({ entry: ENTRY }),
  "evidence no_folder": evidence({ entry: { ...ENTRY, workspace: { path: "/w", exists: false } } }),
  "evidence no_runtime": evidence({
    entry: {
      ...ENTRY,
      executor: { status: "error", failure: { code: "runtime_unavailable", message: "no" }, retry_at: 9 },
    },
  }),
  "evidence absent": evidence({}),
  "evidence incomplete": evidence({ complete: false }),
  "evidence other_folder": evidence({ state_id: "state-2" }),
  "presence online": () => ({ type: "node.presence", node: nodeView("online") }),
  "presence reconnecting": () => ({ type: "node.presence", node: nodeView("reconnecting") }),
  "presence offline": () => ({ type: "node.presence", node: nodeView("offline") }),
  "launch_failed passing": failed("host_start_failed"),
  "launch_failed final": failed("agent_not_found"),
  "launch_failed no_folder": failed("workspace_missing"),
  "launch_failed no_runtime": failed("runtime_unavailable"),
  "launch_failed no_container": failed("container_missing"),
  "done enqueue": done({ type: "enqueue", seq: 3 }),
  "done dequeue": done({ type: "dequeue" }),
  "done claim_token": done({ type: "claim_token", granted: true }),
  "done want": done({ type: "want" }),
  "done call_node": done({ type: "call_node" }),
  "done forget": done({ type: "forget" }),
  "tick there": (rig) => atNextWait(rig, "online"),
  "tick away": (rig) => atNextWait(rig, "offline"),
} satisfies Record<EventKey, (rig: Rig) => SessionEvent>;
