import type { SpoolEventBody } from "@reprise/protocol";
import type fc from "fast-check";
import { IDLE, step } from "./step.ts";
import type { AgentEvent, HostContext, HostCore, HostEffect, HostEvent, Launch } from "./types.ts";

export const TURN = "trn_aaaa0001";

export function launch(command_id: string): Launch {
  return {
    type: "launch",
    command_id,
    session_id: "ses_aaaa0001",
    task_id: "tsk_aaaa0001",
    runtime: "standalone",
    spec: { agent_kind: "custom:x", agent_name: "X", driver: "acp", command: "x", args: [], env: {}, turn_limit_s: 60 },
    workspace: { cwd: "/work", worktree: null },
    how: { type: "new" },
    automatic: false,
    title: "",
  };
}

export function ask(request_id: string): Extract<AgentEvent, { type: "asked" }>["ask"] {
  return {
    request_id,
    tool_call_id: null,
    title: "May I?",
    options: [{ option_id: "yes", name: "Yes", kind: "allow_once" }],
    content: [],
    input: null,
  };
}

/** What a spool with these events would say. */
export function context(appended: readonly { execution_id: string | null; body: SpoolEventBody }[]): HostContext {
  return {
    last_seq: appended.length,
    spool_id: "spl_aaaa0001",
    opened: (id) => appended.some((one) => one.body.type === "execution.opened" && one.execution_id === id),
    prompted: (id) => appended.some((one) => one.body.type === "turn.started" && one.body.prompt_id === id),
    workspaceExists: () => true,
  };
}

/** The core after these events, and all that it had done. */
export function run(given: readonly HostEvent[]): {
  state: HostCore;
  effects: HostEffect[];
  appended: SpoolEventBody[];
} {
  let state = IDLE;
  const effects: HostEffect[] = [];
  const spool: { execution_id: string | null; body: SpoolEventBody }[] = [];
  for (const event of given) {
    const next = step(state, event, context(spool));
    state = next.state;
    for (const effect of next.effects) {
      effects.push(effect);
      if (effect.type === "append") spool.push(effect);
    }
  }
  return { state, effects, appended: spool.map((one) => one.body) };
}

/** Any event, of few executions, turns, prompts and questions, so that they meet. */
function anyEvent(check: typeof fc): fc.Arbitrary<HostEvent> {
  const execution_id = check.constantFrom("exe_aaaa0001", "exe_aaaa0001", "exe_aaaa0002");
  const turn_id = check.constantFrom("trn_aaaa0001", "trn_aaaa0002");
  const prompt_id = check.constantFrom("prompt-0001", "prompt-0002", "prompt-0003");
  const request_id = check.constantFrom("q1", "q2");
  const command_id = check.constantFrom("cmd_1", "cmd_2");
  const blocks = [{ type: "text" as const, text: "go" }];
  const told: fc.Arbitrary<AgentEvent> = check.oneof(
    { weight: 3, arbitrary: request_id.map((id): AgentEvent => ({ type: "asked", ask: ask(id) })) },
    {
      weight: 4,
      arbitrary: check
        .record({ turn_id, outcome: check.constantFrom("done" as const, "cancelled" as const, "failed" as const) })
        .map((one): AgentEvent => ({ type: "turn.over", message: null, ...one })),
    },
    {
      weight: 1,
      arbitrary: check.constantFrom<AgentEvent>(
        { type: "failed", failure: { code: "resume_failed", message: "no" } },
        { type: "exited", exit_code: 1, signal: null },
        { type: "dead", stderr: "" },
        { type: "ended", end: { how: "unknown", at: 1 } },
        { type: "agent.goodbye", reason: "other", explicit: false, at: 1 },
      ),
    },
    { weight: 1, arbitrary: turn_id.map((id): AgentEvent => ({ type: "turn.begun", turn_id: id })) },
  );
  return check.oneof(
    execution_id.map((id): HostEvent => ({ type: "launch", command: launch(id) })),
    execution_id.map((id): HostEvent => ({ type: "permit.granted", execution_id: id })),
    execution_id.map((id): HostEvent => ({ type: "permit.refused", execution_id: id, code: "x", message: "" })),
    {
      weight: 6,
      arbitrary: check
        .record({ execution_id, prompt_id, turn_id })
        .map((one): HostEvent => ({ type: "prompt", blocks, ...one })),
    },
    check.record({ execution_id, turn_id }).map((one): HostEvent => ({ type: "cancel", ...one })),
    {
      weight: 3,
      arbitrary: check
        .record({ execution_id, request_id, option_id: check.constantFrom("yes", "no", null) })
        .map((one): HostEvent => ({ type: "approval.answer", ...one })),
    },
    check
      .record({ execution_id, command_id, end_reason: check.constantFrom("stopped" as const, "completed" as const) })
      .map((one): HostEvent => ({ type: "stop", ...one })),
    check
      .record({ name: check.constantFrom("cancel" as const, "turn_limit" as const), execution_id, turn_id })
      .map((one): HostEvent => ({ type: "timer", ...one })),
    check.constant<HostEvent>({ type: "followed" }),
    execution_id.map((id): HostEvent => ({ type: "found", launch: launch(id) })),
    { weight: 6, arbitrary: check.record({ execution_id, told }).map((one): HostEvent => ({ type: "agent", ...one })) },
  );
}

/** Stretches of events: often a whole start, rarely a teardown, else anything. */
export function events(check: typeof fc): fc.Arbitrary<HostEvent[]> {
  const start = check.constantFrom("exe_aaaa0001", "exe_aaaa0001", "exe_aaaa0002").map((id): HostEvent[] => [
    { type: "launch", command: launch(id) },
    { type: "permit.granted", execution_id: id },
    {
      type: "agent",
      execution_id: id,
      told: { type: "agent.ready", token: "t", how: "new", replayed: 0, verified: true },
    },
  ]);
  const leave = check.constantFrom<HostEvent[]>(
    [{ type: "teardown", command_id: "cmd_8" }],
    [{ type: "shutdown", command_id: "cmd_9" }],
  );
  return check
    .array(
      check.oneof(
        { weight: 4, arbitrary: start },
        { weight: 40, arbitrary: anyEvent(check).map((one) => [one]) },
        { weight: 1, arbitrary: leave },
      ),
      { minLength: 20, maxLength: 120, size: "max" },
    )
    .map((stretches) => stretches.flat());
}
