import type { TurnOutcome } from "@reprise/protocol";
import type { EndOrder, Execution, HostCore, HostEffect, Step } from "./types.ts";
import { type AgentEnd, FIRST_SIGNAL_STATUS, farewell } from "./verdict.ts";

/** Every held question is over; the agent, if it still listens, gets `cancelled` for each (P3, P4). */
export function settleApprovals(execution: Execution, outcome: "cancelled" | "expired"): HostEffect[] {
  return [...execution.approvals.keys()].flatMap((request_id): HostEffect[] => [
    {
      type: "append",
      execution_id: execution.execution_id,
      body: { type: "approval.settled", request_id, outcome, option_id: null },
    },
    { type: "agent.answer", request_id, option_id: null },
  ]);
}

/** Somebody wished this end; any other is an accident. */
function isIntent(reason: EndOrder["end_reason"]): boolean {
  return reason === "stopped" || reason === "completed" || reason === "disposed";
}

/**
 * Begin to end an execution: its group is killed, and `agent: dead` finishes it. Of two orders the first stands, save
 * that an intent (stop or teardown) wins over an accident that came before it (T5); both are answered.
 */
export function endExecution(state: HostCore, execution: Execution, order: EndOrder): Step {
  const first = execution.order;
  if (first) {
    const stands = isIntent(order.end_reason) && !isIntent(first.end_reason) ? order : first;
    const command_ids = [...first.command_ids, ...order.command_ids];
    return { state: { ...state, execution: { ...execution, order: { ...stands, command_ids } } }, effects: [] };
  }
  return {
    state: { ...state, execution: { ...execution, order, phase: "ending" } },
    effects: execution.phase === "ending" ? [] : [{ type: "agent.kill" }],
  };
}

/** Enough for a reason in words; agents chat on stderr. */
const LAST_WORDS_LINES = 3;
const LAST_WORDS_CHARS = 500;

/** Those whose numbers all systems agree on. */
const SIGNALS: ReadonlyMap<number, string> = new Map([
  [1, "SIGHUP"],
  [2, "SIGINT"],
  [3, "SIGQUIT"],
  [4, "SIGILL"],
  [6, "SIGABRT"],
  [8, "SIGFPE"],
  [9, "SIGKILL"],
  [11, "SIGSEGV"],
  [13, "SIGPIPE"],
  [14, "SIGALRM"],
  [15, "SIGTERM"],
]);

/** A terminal agent's end in the words of every agent's: a shell tells a signal as a status. */
export function exitOf(end: AgentEnd): NonNullable<Execution["exit"]> {
  if (end.how === "unknown") return { exit_code: null, signal: null };
  return { exit_code: end.status, signal: SIGNALS.get(end.status - FIRST_SIGNAL_STATUS) ?? null };
}

/** How an agent ended that nobody sent away. What it wrote last explains an exit of its own, not that it was killed. */
export function obituary({ exit, end }: Pick<Execution, "exit" | "end">, log: string): string {
  if (exit?.signal != null) return `The agent was killed by ${exit.signal}.`;
  if (end?.how === "exited" && end.hung_up)
    return "The agent ended because its terminal did, or by an order from outside.";
  if (end?.how === "unknown") return "The agent's process is gone, and nobody saw how.";
  const how = exit?.exit_code != null ? `ended with exit code ${exit.exit_code}` : "closed its output";
  const words = log.trim().split("\n").slice(-LAST_WORDS_LINES).join("\n").slice(-LAST_WORDS_CHARS);
  return `The agent ${how}.${words ? ` It said: ${words}` : ""}`;
}

/** The order by which it ended, or what its exit means (§3, R7). */
function verdict(execution: Execution, stderr: string): EndOrder {
  const { order, wasReady, end, goodbye, turn } = execution;
  if (order) return order;
  if (wasReady && end && farewell(end, goodbye, turn !== null) === "agent_exit")
    return { end_reason: "agent_exit", failure: null, died: "nobody", command_ids: [] };
  const message = obituary(execution, stderr);
  return wasReady
    ? { end_reason: "interrupted", failure: { code: "agent_died", message }, died: "agent", command_ids: [] }
    : { end_reason: "failed", failure: { code: "agent_exited", message }, died: "agent", command_ids: [] };
}

/** How the turn ended that its execution's end cut short. A person's stop or goodbye is a cancel, not an accident. */
function turnOutcome(ending: "cancel" | "limit" | null, reason: EndOrder["end_reason"]): TurnOutcome {
  if (ending === "limit") return "timed_out";
  return ending === "cancel" || isIntent(reason) || reason === "agent_exit" ? "cancelled" : "interrupted";
}

/** The group is proven dead: write what is over, and answer who asked for it. */
export function finishExecution(state: HostCore, execution: Execution, stderr: string): Step {
  const { execution_id, turn } = execution;
  const order = verdict(execution, stderr);
  const effects: HostEffect[] = settleApprovals(execution, "expired").filter((effect) => effect.type === "append");
  if (turn) {
    effects.push({ type: "timer.clear", name: "cancel" }, { type: "timer.clear", name: "turn_limit" });
    const outcome = turnOutcome(turn.ending, order.end_reason);
    effects.push({
      type: "append",
      execution_id,
      body: { type: "turn.ended", turn_id: turn.turn_id, outcome, message: order.failure?.message ?? null },
    });
  }
  effects.push({
    type: "append",
    execution_id,
    body: {
      type: "execution.ended",
      end_reason: order.end_reason,
      failure: order.failure,
      exit_code: execution.exit?.exit_code ?? null,
      signal: execution.exit?.signal ?? null,
      died: order.died,
      found: "live",
      group_dead: true,
    },
  });
  for (const command_id of order.command_ids)
    effects.push({ type: "reply", frame: { type: "command.done", command_id } });
  if (state.leaving) effects.push({ type: "leave" });
  return { state: { ...state, execution: null }, effects };
}
