import type { SpoolEventBody } from "@reprise/protocol";
import type { AgentEnd, Goodbye } from "../../../host/core/verdict.ts";
import type { Report } from "./report.ts";
import { type Reporter, taken } from "./reporter.ts";
import type { Said } from "./said.ts";

/** A report that a dead host did not take, and when it was made. */
export interface LeftReport {
  report: Report;
  at: number;
}

/** What the spool says of the execution that a dead host left open. */
export interface LeftOpen {
  execution_id: string;
  /** The process under which it ran; null: it wasn't spawned yet. */
  root: number | null;
  token: string | null;
  turn: string | null;
  goodbye: Goodbye | null;
}

/** No caller is as near. */
const UNKNOWN_DEPTH = -1;

export interface Left {
  /** What its agent still said and did, to be written before its end. */
  events: SpoolEventBody[];
  turnOpen: boolean;
  goodbye: Goodbye | null;
  /** Null: nobody saw it end. */
  exit: Extract<AgentEnd, { how: "exited" }> | null;
}

/**
 * What the reports tell that were made when no host took them: an agent's last words, and how it ended. Only of that
 * execution, and of the agent itself: not what another says that it runs as a tool.
 * @param said what a hook's words mean @param newTurn an id for a turn that began unheard
 */
export function whatIsLeft(
  open: LeftOpen,
  reports: readonly LeftReport[],
  said: (agentKind: string, payload: unknown) => Said | null,
  newTurn: () => string,
): Left {
  let { turn, goodbye } = open;
  // How far down its own hooks are called died with the host, so a known conversation stays the one that counts.
  let reporter: Reporter = { root: open.root, id: open.token, depth: open.token === null ? null : UNKNOWN_DEPTH };
  let exit: Left["exit"] = null;
  const events: SpoolEventBody[] = [];
  for (const { report, at } of reports) {
    if (report.type === "start") continue;
    if (report.type === "exit") {
      const { status, hung_up } = report;
      if (report.execution_id === open.execution_id) exit = { how: "exited", status, hung_up, at };
      continue;
    }
    const word = said(report.agent_kind, report.payload);
    if (word === null || exit !== null) continue;
    // Its last word alone tells no conversation: one that fails to start says it, too.
    if (reporter.id === null && word.type === "goodbye") continue;
    const next = taken(reporter, { id: word.id, chain: report.chain, begins: word.type === "conversation" });
    if (next === null) continue;
    if (next.id !== reporter.id) {
      goodbye = null;
      events.push({ type: "agent.token", token: word.id });
    }
    reporter = next;
    if (word.type === "goodbye") {
      goodbye = { explicit: word.explicit, at };
      events.push({ type: "agent.goodbye", reason: word.reason.slice(0, 100), explicit: word.explicit });
    }
    if (word.type === "prompted" && turn === null) {
      turn = newTurn();
      goodbye = null;
      events.push({ type: "turn.started", turn_id: turn, prompt_id: null });
    }
    if ((word.type === "turn_over" || word.type === "idle") && turn !== null) {
      const [outcome, message] = word.type === "idle" ? (["cancelled", null] as const) : [word.outcome, word.message];
      events.push({ type: "turn.ended", turn_id: turn, outcome, message });
      turn = null;
    }
  }
  return { events, turnOpen: turn !== null, goodbye, exit };
}
