import { z } from "zod";

/**
 * Every error that a door answers with: a code, the HTTP status, and the sentence when nothing more exact is known.
 * A sentence says what happened and what to do next.
 */
export const ERRORS = {
  bad_request: [400, "That request can't be understood."],
  invalid_json: [400, "The body isn't valid JSON."],
  invalid_field: [400, "A field is missing or has the wrong form."],
  prompt_required: [400, "Say what the agent should do: this agent starts with a first prompt."],
  nothing_to_resume: [400, "This session was never started, so there is nothing to resume."],
  unauthenticated: [401, "Sign in first: open the sign-in link that `npm start` prints."],
  invalid_token: [401, "That token isn't valid (any more). Make a new one."],
  link_used: [401, "That sign-in link was used already or is too old. `npm start` prints a new one."],
  forbidden: [403, "This credential doesn't reach that."],
  bad_origin: [403, "That request comes from another site."],
  bad_host: [403, "That host name isn't one this server answers to."],
  path_not_allowed: [403, "That path leads out of what this machine shows."],
  not_found: [404, "There is nothing here under that address."],
  session_not_found: [404, "There is no such session."],
  task_not_found: [404, "There is no such task."],
  address_refused: [400, "That address can't be called."],
  node_not_found: [404, "There is no such machine."],
  profile_not_found: [404, "There is no such agent profile."],
  prompt_not_found: [404, "There is no such prompt in this session."],
  file_not_found: [404, "There is no such file or folder in this workspace."],
  terminal_not_found: [404, "There is no such terminal in this session."],
  approval_not_found: [404, "There is no such approval in this session."],
  method_not_allowed: [405, "That address doesn't take this method."],
  agent_running: [409, "The agent is running; attach to it instead."],
  not_resumable: [409, "This session can't be resumed. Create a new session to continue."],
  approval_expired: [409, "The approval's turn is over, so it can't be answered any more."],
  approval_answered: [409, "This approval was answered already."],
  prompt_not_queued: [409, "This prompt is no longer waiting, so it can't be changed."],
  no_open_turn: [409, "No turn is running, so there is nothing to cancel."],
  no_agent: [409, "No agent is running in this session."],
  conversations_unlisted: [409, "This agent doesn't list the conversations that it has kept."],
  agent_failed: [409, "The agent could not be asked."],
  profile_not_built_in: [409, "Only a built-in profile has a default to go back to; this one was made by a person."],
  terminal_ended: [409, "That terminal has ended, so nothing can be typed into it."],
  session_over: [409, "This session was deleted."],
  stop_confirmed: [409, "The stop has been carried out already; resume the session instead."],
  workspace_closed: [409, "The workspace can't be used right now."],
  workspace_missing: [409, "The folder of this session is gone from its machine."],
  agentctl_too_old: [409, "The agentctl on that machine is too old for this. Update it there."],
  git_failed: [409, "git could not answer."],
  node_unavailable: [409, "The machine can't be reached right now. Try again when it is back."],
  needs_websocket: [
    409,
    "This needs a WebSocket, and that machine's network lets none through. All but terminals works.",
  ],
  token_in_use: [409, "Another session holds that conversation already."],
  join_token_invalid: [409, "That join token was used already or is too old. Make a new one under Machines."],
  node_replaced: [409, "Another daemon with this machine's identity holds its place."],
  machine_joined: [409, "This machine has joined already. Use `join --replace` to give it its place back."],
  too_large: [413, "That is too large."],
  queue_full: [429, "Too many prompts are waiting already. Remove one, or wait."],
  rate_limited: [429, "Too many attempts. Wait a minute."],
  internal: [500, "Something failed on our side; it was logged. Try again."],
  node_timeout: [504, "The machine didn't answer in time. Try again."],
} as const satisfies Record<string, readonly [number, string]>;

export type ErrorCode = keyof typeof ERRORS;

export const ErrorBody = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    details: z.record(z.string(), z.unknown()).optional(),
  }),
});
export type ErrorBody = z.infer<typeof ErrorBody>;

/** An error a door can answer with as it is. `details.field` names the field of bad input. */
export class RepriseError extends Error {
  readonly code: ErrorCode;
  readonly details: Record<string, unknown> | undefined;
  constructor(code: ErrorCode, message?: string, details?: Record<string, unknown>) {
    super(message ?? ERRORS[code][1]);
    this.name = "RepriseError";
    this.code = code;
    this.details = details;
  }
  get status(): number {
    return ERRORS[this.code][0];
  }
  toBody(): ErrorBody {
    return { error: { code: this.code, message: this.message, ...(this.details ? { details: this.details } : {}) } };
  }
}

/** The first thing zod found, as a sentence with its field. */
export function fieldError(error: z.ZodError): RepriseError {
  const issue = error.issues[0];
  const field = issue?.path.map(String).join(".") ?? "";
  return new RepriseError("invalid_field", field ? `${field}: ${issue?.message ?? "wrong form"}` : issue?.message, {
    field,
  });
}

/** Fixed meanings of close codes (N5). Nobody parses reason strings. */
export const CLOSE = {
  bad_frame: 4400,
  credential_expired: 4401,
  forbidden: 4403,
  stale: 4408,
  replaced: 4409,
  protocol_too_old: 4426,
} as const;
export type CloseName = keyof typeof CLOSE;

export const Retry = z.enum(["never", "backoff", "from_snapshot"]);

/** The one error frame of every socket. */
export const ErrorFrame = z.object({
  type: z.literal("error"),
  code: z.string(),
  message: z.string(),
  retry: Retry,
  field: z.string().optional(),
});
export type ErrorFrame = z.infer<typeof ErrorFrame>;

/**
 * Why a launch, an execution or an executor failed, as stored with it (`error_code`). The agent's own words go into
 * the message.
 */
export const FailureCode = z.enum([
  "agent_not_found",
  "agent_start_failed",
  "agent_init_timeout",
  "agent_auth_required",
  "agent_exited",
  "conversation_gone",
  "resume_failed",
  "not_resumable",
  "resume_timeout",
  "host_start_failed",
  "host_died",
  "agent_died",
  "machine_restarted",
  "agent_error",
  "cancel_ignored",
  "workspace_missing",
  "path_not_allowed",
  "worktree_failed",
  "runtime_unavailable",
  "container_missing",
  "node_unreachable",
  "claim_expired",
  "claim_revoked",
  "disk_full",
  "declared_lost",
  "spool_lost",
  "token_in_use",
  "internal",
]);
export type FailureCode = z.infer<typeof FailureCode>;

export const Failure = z.object({ code: FailureCode, message: z.string().max(2_000) });
export type Failure = z.infer<typeof Failure>;
