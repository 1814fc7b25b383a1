import type { SessionStatus } from "./status.ts";

/** What a banner's button does. The page maps each to one call. */
export type BannerAction =
  | "resume"
  | "retry"
  | "resume_without_retry"
  | "dismiss"
  | "create_new"
  | "create_elsewhere"
  | "try_now"
  | "cancel_attempts"
  | "check_again"
  | "continue"
  | "leave_it"
  | "undo_stop"
  | "start_again"
  | "choose_profile"
  | "ok"
  | "declare_lost";

export interface Banner {
  /** `quiet`: a line without a box. */
  look: "banner" | "quiet";
  reason: string;
  text: string;
  /** The first is the primary one. `disabled`: it waits (the machine is silent). */
  buttons: readonly { action: BannerAction; label: string; disabled?: boolean }[];
  /** A countdown that the page renders behind the text. */
  retry_at: number | null;
}

/** Words times for people: "3 min" of a span, "14:02" of a moment. Passed in, since both hang on place and clock. */
export interface Words {
  now: number;
  span(ms: number): string;
  moment(at: number): string;
}

/** @returns the one banner that a session's page shows, in ui.md's words; null where nothing needs to be said. */
export function banner(s: SessionStatus, time: Words): Banner | null {
  const machine = s.node.name;
  const agent = s.agent_name;
  const ago = (at: number) => `${time.span(time.now - at)} ago`;
  const say = (text: string, buttons: Banner["buttons"], more: Partial<Banner> = {}): Banner => ({
    look: "banner",
    reason: s.resume_reason,
    text,
    buttons,
    retry_at: null,
    ...more,
  });

  const stopping = s.stop_requested_at !== null && s.state !== "CANCELLED" && s.state !== "COMPLETED";
  const docker = s.executor_status === "error" && s.error_code === "runtime_unavailable";
  if (stopping && (s.node.presence !== "online" || docker)) {
    const back = s.node.presence === "online" ? `Docker answers on ${machine}` : `${machine} is back`;
    return say(`Stopping, as soon as ${back}.`, [{ action: "undo_stop", label: "Undo" }], {
      reason: "stop_requested",
    });
  }
  if (s.unknown_since !== null) {
    const text = `${machine} lost its record of this session ${ago(s.unknown_since)}; whether the agent still runs, it can't tell.`;
    return say(text, [{ action: "declare_lost", label: "Declare it lost" }], { reason: "state_lost" });
  }
  const starts = s.state === "STARTING" || s.state === "CREATED";
  if (s.is_agent_running || (starts && s.resume_reason !== "runtime_unavailable")) {
    return s.node.presence === "online" ? whileAlive(s, say) : silent(s, say, time);
  }

  switch (s.resume_reason) {
    case "deliberate_stop":
      return say(
        s.end_reason === "completed" ? "You marked this session done." : "You stopped this session.",
        s.is_resumable
          ? [{ action: "resume", label: "Resume" }]
          : [{ action: "create_new", label: "Create new session" }],
        { look: "quiet" },
      );
    case "agent_exit":
      return say("The agent ended this conversation itself.", [{ action: "create_new", label: "Create new session" }], {
        look: "quiet",
      });
    case "node_reconnecting":
    case "node_offline":
      return silent(s, say, time);
    case "runtime_unavailable":
      return say(
        `Docker does not answer on ${machine}.`,
        s.retry_at === null
          ? [{ action: "try_now", label: "Retry" }]
          : [
              { action: "try_now", label: "Try now" },
              { action: "cancel_attempts", label: "Cancel" },
            ],
        { retry_at: s.retry_at },
      );
    case "container_missing":
      return say("The container of this session is gone, and its conversation with it.", [
        { action: "create_new", label: "Create new session" },
      ]);
    case "workspace_missing":
      return say(`The folder ${s.workspace_path} is gone from ${machine}.`, [
        { action: "create_new", label: "Create new session" },
        { action: "check_again", label: "Check again" },
      ]);
    case "profile_missing":
      return say("The agent profile of this session was deleted.", [
        { action: "choose_profile", label: "Choose a profile" },
      ]);
    case "never_prompted":
      return say(
        s.end_reason === "failed" && s.error_message
          ? `${agent} could not start: ${sentence(s.error_message)}`
          : "Nothing was said yet, so there is nothing to resume.",
        [{ action: "start_again", label: "Start again" }],
      );
    case "not_resumable":
      return say("This agent can't resume earlier sessions. Create a new session to continue.", [
        { action: "create_new", label: "Create new session" },
      ]);
    case "missing_resume_token":
      return say("The agent never told its conversation's id, so it can't be resumed.", [
        { action: "create_new", label: "Create new session" },
      ]);
    case "conversation_gone":
      return say(`${agent} no longer has this conversation (${words(s.error_message).replace(/\.$/, "")}).`, [
        { action: "create_new", label: "Create new session" },
        { action: "resume", label: "Try again" },
      ]);
    case "resume_failed":
      if (s.retry_at !== null) {
        return say(
          `Could not resume: ${sentence(s.error_message)}`,
          [
            { action: "try_now", label: "Try now" },
            { action: "cancel_attempts", label: "Cancel" },
            { action: "create_new", label: "Create new session" },
          ],
          { retry_at: s.retry_at },
        );
      }
      return say(`Could not resume: ${sentence(s.error_message)}`, [
        { action: "resume", label: "Retry" },
        { action: "create_new", label: "Create new session" },
      ]);
    case "agent_running":
    case "agent_not_running":
      return ended(s, say, ago);
  }
}

/** After a day of silence a machine may be lost for good: then a person may say so. */
const LOST_AFTER_MS = 24 * 60 * 60_000;

type Say = (text: string, buttons: Banner["buttons"], more?: Partial<Banner>) => Banner;

/** Why nothing is heard of it, and what comes next (T4). */
function silent(s: SessionStatus, say: Say, time: Words): Banner {
  const { name, since, presence } = s.node;
  if (presence !== "offline") {
    const { call } = s.node;
    const why = call?.message ? ` ${call.message}` : "";
    const text = `${name} has been silent for ${time.span(time.now - since)}; waiting for it to call.${why}`;
    // Only where we can call it ourselves is there anything to hurry.
    const buttons = call ? [{ action: "try_now", label: "Try now" } as const] : [];
    return say(text, buttons, { reason: "node_reconnecting", retry_at: call?.retry_at ?? null });
  }
  if (time.now - since > LOST_AFTER_MS) {
    const button = { action: "declare_lost", label: "Declare it lost" } as const;
    return say(`${name} has been gone since ${time.moment(since)}.`, [button], { reason: "node_offline" });
  }
  const next = goesOn(s) ? " It goes on by itself when it is back." : "";
  return say(
    `${name} is offline since ${time.moment(since)}.${next}`,
    [{ action: "create_elsewhere", label: "Create new session elsewhere" }],
    { reason: "node_offline" },
  );
}

function whileAlive(s: SessionStatus, say: Say): Banner | null {
  if (s.state !== "WAITING_FOR_INPUT") return null;
  // Whoever sits at its terminal sees how it is, and goes on there: only prompts from elsewhere may wait for a word.
  if (s.driver === "terminal" && s.queued_prompts === 0) return null;
  if (s.unverified) {
    return say(
      "The agent resumed but showed nothing of the conversation. Ask it something that it should know.",
      [
        { action: "ok", label: "OK" },
        { action: "create_new", label: "Create new session" },
      ],
      { reason: "unverified" },
    );
  }
  if (s.turn?.outcome === "interrupted" && s.queue_held) {
    return say(
      "The agent is back; its turn was cut off.",
      [
        { action: "continue", label: "Continue" },
        { action: "leave_it", label: "Leave it" },
      ],
      { reason: "turn_interrupted" },
    );
  }
  if (s.turn?.outcome === "timed_out" && s.queue_held) {
    return say(
      "The turn ran into its limit.",
      [
        { action: "continue", label: "Continue" },
        { action: "leave_it", label: "Leave it" },
      ],
      { reason: "timed_out" },
    );
  }
  if (s.turn?.outcome === "failed" && s.queue_held) {
    return say(
      `The last turn failed: ${sentence(s.turn.message)}`,
      [
        { action: "retry", label: "Retry" },
        { action: "dismiss", label: "Dismiss" },
      ],
      { reason: "turn_failed" },
    );
  }
  return null;
}

function ended(s: SessionStatus, say: Say, ago: (at: number) => string): Banner | null {
  if (s.dismissed)
    return say(`${s.agent_name} isn't running.`, [{ action: "resume", label: "Resume" }], { look: "quiet" });
  if (s.turn?.outcome === "timed_out") {
    return say(
      "The turn ran into its limit.",
      [
        { action: "resume", label: "Resume" },
        { action: "retry", label: "Retry" },
      ],
      { reason: "timed_out" },
    );
  }
  if (s.end_reason === "failed") {
    return say(
      `${s.agent_name} ended with an error: ${sentence(s.error_message)}`,
      [
        { action: "retry", label: "Retry" },
        { action: "resume_without_retry", label: "Resume without retrying" },
      ],
      { reason: "failed" },
    );
  }
  return say(
    `${s.agent_name} was interrupted ${ago(s.ended_at ?? s.since)}. Its conversation is intact.`,
    [
      { action: "resume", label: "Resume" },
      { action: "dismiss", label: "Dismiss" },
    ],
    { reason: "interrupted" },
  );
}

/** Whether recovery will bring it back without anybody (R6). */
function goesOn(s: SessionStatus): boolean {
  return s.auto_resume !== "never" && s.is_resumable && s.end_reason === null;
}

function words(message: string | null): string {
  return message?.trim() || "it did not say why";
}

function sentence(message: string | null): string {
  const text = words(message);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
