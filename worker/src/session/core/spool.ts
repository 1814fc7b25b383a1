import { canResume, type Item, MAX_TITLE_CHARS, rowId, type SpoolEvent, type TurnOutcome } from "@reprise/protocol";
import type { Result } from "../../result.ts";
import { approvalAsked, approvalSettled } from "./approvals.ts";
import { type Draft, OK, setState } from "./draft.ts";
import { executionEnded } from "./ends.ts";
import { executionFound } from "./found.ts";
import { agentReady, grantIfDrained } from "./launch.ts";
import { cameAlong } from "./launch-prompt.ts";
import { deliverNext, doubt, replace } from "./prompts.ts";
import { tellToken } from "./token.ts";
import { endTurn } from "./turns.ts";

/**
 * L1: take a stretch of a spool. Known events are passed over, nothing beyond a gap is taken, and what is acknowledged
 * is exactly what this step stores.
 */
export function spoolEvents(d: Draft, spool_id: string, events: readonly SpoolEvent[]): Result {
  const { s } = d;
  let mark = s.marks[spool_id] ?? 0;
  s.spool_id = spool_id;
  for (const event of events) {
    if (event.seq <= mark) continue;
    if (event.seq !== mark + 1) {
      d.effects.push({ type: "warn", message: "gap in a spool's events", details: { spool_id, mark, seq: event.seq } });
      break;
    }
    mark = event.seq;
    s.marks[spool_id] = mark;
    spoolEvent(d, spool_id, event);
  }
  d.effects.push({ type: "send", frame: { type: "ack", spool_id, seq: mark } });
  grantIfDrained(d);
  return OK;
}

function spoolEvent(d: Draft, spool_id: string, event: SpoolEvent): void {
  const { s } = d;
  const { body, execution_id, at } = event;
  if (body.type === "execution.ended") {
    if (execution_id !== null) executionEnded(d, execution_id, body, at);
    // An end is no activity: whether it was active lately (R6) is about what came before.
    s.last_event_type = body.type;
    return;
  }
  s.last_event_type = body.type;
  s.last_event_at = d.ctx.now;
  const current =
    execution_id !== null && s.execution?.execution_id === execution_id && s.execution.phase !== "claimed";
  if (current && s.execution?.phase === "permitted") s.execution = { ...s.execution, used: true };
  switch (body.type) {
    case "execution.opened":
      if (body.how === "found" && execution_id !== null) executionFound(d, spool_id, execution_id, at);
      return;
    case "agent.spawned":
      if (!current) return;
      if (s.execution?.phase === "permitted")
        s.execution = { ...s.execution, phase: "running", spool_id, ready: false };
      s.pid = body.pid;
      return;
    case "agent.initialized":
      if (!current) return;
      s.supports_session_resume = canResume(body.capabilities);
      s.agent_capabilities = body.capabilities;
      return;
    case "agent.ready":
      if (current) agentReady(d, body);
      return;
    case "agent.settings":
      if (current) {
        s.unsaid = null;
        if (body.mode !== null) s.spec = { ...s.spec, mode: body.mode };
        if (body.model !== null) s.spec = { ...s.spec, model: body.model };
      }
      return;
    case "agent.title":
      if (current && !s.title_given) s.title = body.title.slice(0, MAX_TITLE_CHARS);
      return;
    case "agent.token":
      if (current && execution_id !== null) tellToken(d, execution_id, body.token);
      return;
    case "agent.prompted":
      s.prompted = true;
      if (current) heard(d);
      return;
    case "agent.attention":
      if (!current) return;
      s.attention = body.text;
      if (body.text !== null) heard(d);
      return;
    case "agent.goodbye":
      // The host decides what it was (R7); that it was said is kept as the last event.
      return;
    case "turn.started":
      if (execution_id !== null) turnStarted(d, execution_id, body, at, current);
      return;
    case "turn.ended":
      if (current) turnEnded(d, body, at);
      else if (execution_id !== null) lateTurnEnded(d, execution_id, body, at);
      return;
    case "item":
      if (execution_id !== null) item(d, execution_id, body.turn_id, body.item, current);
      return;
    case "approval.asked":
      if (current && execution_id !== null) {
        heard(d);
        approvalAsked(d, execution_id, body.ask, at);
      }
      return;
    case "approval.settled":
      if (execution_id !== null) approvalSettled(d, execution_id, body.request_id, body.outcome, body.option_id);
      return;
    case "notice":
      d.effects.push({
        type: "row.put",
        id: rowId.notice(execution_id, `${spool_id}:${event.seq}`),
        execution_id,
        body: {
          kind: "notice",
          level: body.level,
          code: body.code,
          text: body.text,
          ...(body.terminal_id ? { terminal_id: body.terminal_id } : {}),
          at,
        },
      });
      return;
  }
}

/** Its agent did something in the open turn: then it has what was said to it. */
function heard({ s }: Draft): void {
  if (s.turn?.end === null) s.turn.heard = true;
}

function turnStarted(
  d: Draft,
  execution_id: string,
  body: { turn_id: string; prompt_id: string | null },
  at: number,
  current: boolean,
): void {
  const { s } = d;
  const with_launch = current && cameAlong(s, body.prompt_id);
  // What came with the launch is on disk before the agent runs: it has reached it once it is ready.
  if (!with_launch) s.prompted = true;
  d.effects.push({ type: "row.turn", turn_id: body.turn_id, prompt_id: body.prompt_id, execution_id, started_at: at });
  const prompt = s.prompts.find((p) => p.prompt_id === body.prompt_id);
  // Told of an execution that was taken for lost: its turn is over, and nothing may wait for that.
  if (prompt && !current) doubt(d, prompt.prompt_id, "It had arrived before its machine was lost.");
  if (prompt && current) {
    replace(d, { prompt_id: prompt.prompt_id, state: "accepted", turn_id: body.turn_id, execution_id });
    d.effects.push({ type: "row.prompt", prompt_id: prompt.prompt_id, state: "accepted", note: null });
  }
  if (!current || s.execution === null || s.execution.phase === "claimed") return;
  // A turn proves an agent that lives and takes prompts, whatever was told before it; save the one that came with it.
  if (!with_launch) s.execution = { ...s.execution, phase: "running", ready: true };
  // One turn at a time: what the last one left open would be waited for, for ever.
  if (s.turn?.turn_id !== body.turn_id) endTurn(d, "interrupted", "Another turn began before its end was told.", at);
  s.execution = { ...s.execution, launch_prompt: null };
  s.attention = null;
  s.turn = {
    turn_id: body.turn_id,
    prompt_id: body.prompt_id,
    execution_id,
    started_at: at,
    heard: false,
    with_launch,
    cancel_requested_at: null,
    end: null,
  };
  if (with_launch) return;
  s.unverified = false;
  s.recovery = null;
  setState(d, "RUNNING");
}

function turnEnded(
  d: Draft,
  body: { turn_id: string; outcome: TurnOutcome; message: string | null },
  at: number,
): void {
  const { s } = d;
  if (s.turn?.turn_id !== body.turn_id || s.turn.end !== null) return;
  endTurn(d, body.outcome, body.message, at);
  if (s.execution?.phase !== "running") return;
  if (!s.execution.ready) {
    // A launch's turn that an agent has done says that it is up; one that was cut off says nothing.
    if (body.outcome !== "done") return;
    s.execution = { ...s.execution, ready: true };
    s.prompted = true;
  }
  setState(d, "WAITING_FOR_INPUT");
  deliverNext(d);
}

/** For the log alone: what was decided without it stands (T3). */
function lateTurnEnded(
  d: Draft,
  execution_id: string,
  body: { turn_id: string; outcome: TurnOutcome; message: string | null },
  ended_at: number,
): void {
  if (d.s.turn?.turn_id === body.turn_id) return;
  const { turn_id, outcome, message } = body;
  const row = { kind: "turn_end", turn_id, outcome, message, ended_at } as const;
  d.effects.push({ type: "row.put", id: rowId.turnEnd(turn_id), execution_id, body: row });
}

function item(d: Draft, execution_id: string, turn_id: string | null, value: Item, current: boolean): void {
  const { s } = d;
  const id = rowId.message(execution_id, value.item_id);
  d.effects.push({ type: "row.put", id, execution_id, body: { kind: "message", turn_id, item: value } });
  if (!current) return;
  heard(d);
  s.open_items = s.open_items.filter((known) => known !== id);
  if (value.status === "open") s.open_items.push(id);
  if (value.kind === "text") s.last_line = lastLine(value.text);
}

const LAST_LINE_CHARS = 200;

/** For lists: the words, without the marks that Markdown puts around them. */
function lastLine(text: string): string | null {
  const line = text.trimEnd().split("\n").at(-1) ?? "";
  const words = line.replace(/^[\s#>*-]+|\*\*|`/g, "").trim();
  return words === "" ? null : words.slice(0, LAST_LINE_CHARS);
}
