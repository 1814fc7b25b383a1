import { isTerminalUp, type SessionUp } from "@reprise/protocol";
import type { SessionEvent } from "./core/event.ts";

/** What a node's frame means to the session's core; null for those that its object handles itself. */
export function eventOf(frame: SessionUp): SessionEvent | null {
  if (isTerminalUp(frame)) return null;
  switch (frame.type) {
    case "session.hello":
      return { type: "link.hello", spool_id: frame.spool_id };
    case "events":
      return { type: "link.events", spool_id: frame.spool_id, events: frame.events };
    case "permit.request":
      return {
        type: "link.permit_request",
        execution_id: frame.execution_id,
        spool_id: frame.spool_id,
        head_seq: frame.head_seq,
      };
    case "prompt.refused":
      return { type: "link.prompt_refused", prompt_id: frame.prompt_id, code: frame.code, message: frame.message };
    case "approval.unknown":
      return { type: "link.approval_unknown", execution_id: frame.execution_id, request_id: frame.request_id };
    case "preview":
    case "idle":
    case "error":
      return null;
  }
}
