import type { Expected } from "./watched.ts";

/** How several rows end, on all that is looked at. A row adds what is its own. */

/** The agent died under us and nobody brings it back: a person may. */
export const INTERRUPTED = {
  status: {
    state: "ERROR",
    end_reason: "interrupted",
    executor_status: "ready",
    needs_resume: true,
    resume_reason: "agent_not_running",
    turn: { outcome: "interrupted" },
  },
  agent: "none",
  page: { badge: "interrupted", banner: /was interrupted .* Its conversation is intact/, buttons: ["Resume"] },
} as const satisfies Expected;

/** It came back by itself; the turn that was cut off is marked, and is nobody's to repeat. */
export const BACK = {
  status: {
    state: "WAITING_FOR_INPUT",
    executor_status: "ready",
    resume_reason: "agent_running",
    turn: { outcome: "interrupted" },
  },
  agent: "one",
  page: { badge: "your_turn", banner: "The agent is back; its turn was cut off." },
} as const satisfies Expected;
