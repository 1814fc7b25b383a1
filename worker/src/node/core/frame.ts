import { ERRORS, type ErrorCode, type NodeUp } from "@reprise/protocol";
import { received } from "./commands.ts";
import type { NodeCtx, Stepped } from "./event.ts";
import { evidenceOfChange, foldEntry } from "./inventory.ts";
import { rowChanged, tell } from "./outbox.ts";
import { REASONS, withPresence } from "./presence.ts";
import type { NodeState } from "./state.ts";

/** A frame of the connection that counts, after its hello. */
export function onFrame(state: NodeState, frame: Exclude<NodeUp, { type: "hello" }>, ctx: NodeCtx): Stepped<NodeState> {
  const { now } = ctx;
  switch (frame.type) {
    case "inventory.changed": {
      const before = state.entries.get(frame.entry.session_id);
      const next = foldEntry(state, frame.entry.session_id, frame.entry, frame.last_command_seq, now);
      return quiet(tell(next, evidenceOfChange(next, before, frame.entry), now));
    }
    case "inventory.gone": {
      const next = foldEntry(state, frame.session_id, null, frame.last_command_seq, now);
      const settled = next.pushes.get(frame.session_id)?.settled ?? true;
      return quiet(tell(next, settled ? [] : [{ kind: "evidence", session_id: frame.session_id }], now));
    }
    case "agents.changed":
      return quiet(rowChanged({ ...state, about: { ...state.about, agents: frame.agents } }, now));
    case "runtimes.changed":
      return quiet(rowChanged({ ...state, about: { ...state.about, runtimes: frame.runtimes } }, now));
    case "command.received":
      return quiet(received(state, frame.command_id));
    case "command.done":
      return quiet(received(state, frame.command_id));
    case "command.failed": {
      const { command_id, session_id, failure, retry_at } = frame;
      const news = { kind: "command_failed" as const, session_id, command_id, failure, retry_at };
      return quiet(tell(received(state, command_id), [news], now));
    }
    case "answer": {
      const { request_id, result } = frame;
      const answered = result.ok
        ? { ok: true as const, answer: result.answer }
        : // What went wrong there, in its own words.
          { ok: false as const, error: { ...failureOf(result.code), message: result.message } };
      return { state, effects: [{ type: "answer", request_id, result: answered }] };
    }
    case "goodbye": {
      // It will not call by itself, so it isn't reconnecting (T4).
      const presence = { value: "offline" as const, since: now, reason: REASONS.stopped, heard_at: now };
      return quiet(withPresence({ ...state, link: null }, presence, now));
    }
    case "error":
      return quiet(state);
  }
}

function quiet(state: NodeState): Stepped<NodeState> {
  return { state, effects: [] };
}

/** A newer node may say a code that this side doesn't know: it is passed on as a detail. */
function failureOf(code: string): { code: ErrorCode; details?: Record<string, unknown> } {
  return isErrorCode(code) ? { code } : { code: "bad_request", details: { code } };
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERRORS, code);
}
