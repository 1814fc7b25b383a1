import type { SessionStatus } from "./status.ts";

/** The one language for state (ui.md): a word, a shape and a colour, wherever a session is shown. */
export type DisplayKind =
  | "needs_you"
  | "working"
  | "your_turn"
  | "starting"
  | "resuming"
  | "interrupted"
  | "cant_resume"
  | "failed"
  | "timed_out"
  | "stopped"
  | "done";

export interface Display {
  kind: DisplayKind;
  /** The word that is shown, without the time. */
  label: string;
  /** Amber, accent, green, grey, orange or red. */
  tone: "amber" | "accent" | "green" | "grey" | "orange" | "red";
  /** When what is shown began. */
  since: number;
  /** The machine is silent, or can't tell of it: the old look, faded and dashed, "Last known: …". */
  last_known: boolean;
  /** Only for attempts of our own: a countdown to this time. */
  retry_at: number | null;
}

/** @returns how a session is shown. Pure: no clock; countdowns are the caller's. */
export function display(s: SessionStatus): Display {
  const now = shown(s);
  const silent = (s.node.presence !== "online" || isAway(s) || s.unknown_since !== null) && !isOver(now.kind);
  return {
    ...now,
    label: silent ? `Last known: ${now.label}` : now.label,
    since: now.since ?? s.since,
    last_known: silent,
    retry_at: now.kind === "resuming" ? s.retry_at : null,
  };
}

/** What it runs in doesn't answer: whether it still works or waits, nobody knows. */
function isAway(s: SessionStatus): boolean {
  return s.resume_reason === "runtime_unavailable" && (s.state === "RUNNING" || s.state === "WAITING_FOR_INPUT");
}

type Shown = Pick<Display, "kind" | "label" | "tone"> & { since?: number };

function shown(s: SessionStatus): Shown {
  if (s.is_agent_running && (s.pending_approvals > 0 || s.attention !== null))
    return { kind: "needs_you", label: "Needs you", tone: "amber" };
  if (s.retry_at !== null && s.attempt > 0 && !s.is_agent_running) {
    return { kind: "resuming", label: `Resuming · try ${s.attempt} of ${s.max_attempts}`, tone: "grey" };
  }
  switch (s.state) {
    case "CREATED":
    case "STARTING":
      return { kind: "starting", label: s.prompted ? "Resuming" : "Starting", tone: "grey" };
    case "RUNNING":
      return { kind: "working", label: "Working", tone: "accent", ...(s.turn ? { since: s.turn.started_at } : {}) };
    case "WAITING_FOR_INPUT":
      if (s.turn?.outcome === "failed") return { kind: "failed", label: "Failed", tone: "red" };
      if (s.turn?.outcome === "timed_out") return { kind: "timed_out", label: "Timed out", tone: "red" };
      return { kind: "your_turn", label: "Your turn", tone: "green" };
    case "COMPLETED":
      return { kind: "done", label: "Done", tone: "grey" };
    case "CANCELLED":
      return { kind: "stopped", label: "Stopped", tone: "grey" };
    case "ERROR":
      if (s.prompted && !s.is_resumable) return { kind: "cant_resume", label: "Can't resume", tone: "grey" };
      if (s.end_reason === "failed") return { kind: "failed", label: "Failed", tone: "red" };
      return { kind: "interrupted", label: "Interrupted", tone: "orange" };
  }
}

function isOver(kind: DisplayKind): boolean {
  return kind === "stopped" || kind === "done";
}

/** The inbox's groups, in their order (ui.md). */
export type InboxGroup = "needs_you" | "working" | "your_turn" | "done";

export function inboxGroup(s: SessionStatus): InboxGroup {
  switch (display(s).kind) {
    case "needs_you":
    case "interrupted":
    case "failed":
    case "timed_out":
    case "cant_resume":
      return s.dismissed ? "done" : "needs_you";
    case "working":
    case "starting":
    case "resuming":
      return "working";
    case "your_turn":
      return "your_turn";
    case "stopped":
    case "done":
      return "done";
  }
}
