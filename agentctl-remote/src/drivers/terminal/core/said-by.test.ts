import { describe, expect, it } from "vitest";
import type { Said } from "./said.ts";
import { saidBy } from "./said-by.ts";

const id = "d6f8ca52-6fe2-4116-ae93-788877c556d6";

/** As the real Claude Code 2.1 wrote them to its hooks. */
const claude = (rest: object) => ({
  session_id: id,
  transcript_path: `/home/me/.claude/projects/-home-me-work/${id}.jsonl`,
  cwd: "/home/me/work",
  ...rest,
});
const prompt_id = "321dbd8e-6a2f-4ec4-8ad5-a044f1bfdf1f";
const in_turn = { prompt_id, permission_mode: "default" };
const notification = { prompt_id, hook_event_name: "Notification" };

type Row = [string, unknown, Said | null];

const CLAUDE: Row[] = [
  [
    "it starts",
    claude({ hook_event_name: "SessionStart", source: "startup", model: "claude-opus-5-5" }),
    { type: "conversation", id },
  ],
  [
    "it is resumed",
    claude({
      hook_event_name: "SessionStart",
      source: "resume",
      seconds_since_last_response: 77,
      context_tokens: 11,
      prompt_cache_likely_expired: false,
      estimated_cache_write_usd: 0.0001,
    }),
    { type: "conversation", id },
  ],
  ["its person clears it", claude({ hook_event_name: "SessionStart", source: "clear" }), { type: "conversation", id }],
  [
    "it compacts",
    claude({ prompt_id, hook_event_name: "SessionStart", source: "compact", model: "claude-opus-5-5" }),
    { type: "conversation", id },
  ],
  [
    "a prompt",
    claude({ ...in_turn, hook_event_name: "UserPromptSubmit", prompt: "remember CODEWORD-ALPHA" }),
    { type: "prompted", id },
  ],
  [
    "an event is put into its queue",
    claude({ ...in_turn, hook_event_name: "UserPromptSubmit", prompt: "x", source: "poll_event" }),
    null,
  ],
  [
    "the turn is over",
    claude({
      ...in_turn,
      effort: { level: "medium" },
      hook_event_name: "Stop",
      stop_hook_active: false,
      last_assistant_message: "CODEWORD-ALPHA",
      background_tasks: [],
      session_crons: [],
    }),
    { type: "turn_over", id, outcome: "done", message: null },
  ],
  [
    "it asks for a permission",
    claude({ ...notification, message: "Claude needs your permission", notification_type: "permission_prompt" }),
    { type: "asks", id, text: "Claude needs your permission" },
  ],
  [
    "it waits",
    claude({ ...notification, message: "Claude is waiting for your input", notification_type: "idle_prompt" }),
    { type: "idle", id },
  ],
  [
    "an older one waits",
    claude({ hook_event_name: "Notification", message: "Claude is waiting for your input" }),
    { type: "idle", id },
  ],
  [
    "an older one asks",
    claude({ hook_event_name: "Notification", message: "Claude needs your permission to use Bash" }),
    { type: "asks", id, text: "Claude needs your permission to use Bash" },
  ],
  [
    "it signed in",
    claude({ ...notification, message: "Claude Code login successful", notification_type: "auth_success" }),
    null,
  ],
  ["it is cleared, and goes on", claude({ prompt_id, hook_event_name: "SessionEnd", reason: "clear" }), null],
  ["another conversation is resumed in it", claude({ hook_event_name: "SessionEnd", reason: "resume" }), null],
  [
    "R7: /exit, Ctrl-D, Ctrl-C twice",
    claude({ prompt_id, hook_event_name: "SessionEnd", reason: "prompt_input_exit" }),
    { type: "goodbye", id, reason: "prompt_input_exit", explicit: true },
  ],
  [
    "R7: its person signs out",
    claude({ hook_event_name: "SessionEnd", reason: "logout" }),
    { type: "goodbye", id, reason: "logout", explicit: true },
  ],
  [
    "R7: a hang-up makes it say goodbye, too: its death gasp",
    claude({ prompt_id, hook_event_name: "SessionEnd", reason: "other" }),
    { type: "goodbye", id, reason: "other", explicit: false },
  ],
  [
    "a subagent's end of turn",
    claude({ agent_id: "a1b2", agent_type: "general-purpose", hook_event_name: "Stop", stop_hook_active: false }),
    null,
  ],
  [
    "a subagent is done",
    claude({ agent_id: "a1b2", agent_type: "general-purpose", hook_event_name: "SubagentStop" }),
    null,
  ],
  [
    "a main conversation that is started as an agent",
    claude({ agent_type: "reviewer", hook_event_name: "SessionStart", source: "startup" }),
    { type: "conversation", id },
  ],
];

describe("what Claude Code's hooks mean", () => {
  it.each(CLAUDE)("%s", (_name, payload, said) => expect(saidBy("claude-code", payload)).toEqual(said));
});

describe("what isn't understood is nothing", () => {
  it.each([
    ["no object", null],
    ["a text", "SessionStart"],
    ["no id", { hook_event_name: "Stop" }],
    ["an empty id", { session_id: "", hook_event_name: "Stop" }],
    ["an endless id", { session_id: "x".repeat(501), hook_event_name: "Stop" }],
    [
      "S6: an id that would be a flag",
      { session_id: "--dangerous", hook_event_name: "SessionStart", source: "startup" },
    ],
    ["an event that nobody knows", claude({ hook_event_name: "Elicitation" })],
    ["no reason", claude({ hook_event_name: "SessionEnd" })],
  ])("%s", (_name, payload) => expect(saidBy("claude-code", payload)).toBeNull());

  it("another agent's words are none, whoever's hook it was", () => {
    expect(saidBy("codex", claude({ hook_event_name: "Stop" }))).toBeNull();
    expect(saidBy("custom:mine", claude({ hook_event_name: "Stop" }))).toBeNull();
  });

  it("what it asks is cut to what an event holds", () => {
    const said = saidBy(
      "claude-code",
      claude({ ...notification, notification_type: "elicitation_dialog", message: "?".repeat(9_000) }),
    );
    expect(said).toEqual({ type: "asks", id, text: "?".repeat(2_000) });
  });
});
