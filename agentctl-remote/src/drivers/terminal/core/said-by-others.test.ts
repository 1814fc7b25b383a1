import { describe, expect, it } from "vitest";
import type { Said } from "./said.ts";
import { saidBy } from "./said-by.ts";

type Row = [string, unknown, Said | null];

const id = "9f2b9c76-55d3-4ccb-991c-903838deb59f";

/** As the real Gemini CLI 0.61 wrote them to its hooks. */
const gemini = (rest: object) => ({
  session_id: id,
  transcript_path: "/home/me/.gemini/tmp/work/chats/session-2026-11-30T22-03-9f2b9c76.jsonl",
  cwd: "/home/me/work",
  timestamp: "2026-11-30T22:03:25.904Z",
  ...rest,
});

const GEMINI: Row[] = [
  ["it starts", gemini({ hook_event_name: "SessionStart", source: "startup" }), { type: "conversation", id }],
  ["it is resumed", gemini({ hook_event_name: "SessionStart", source: "resume" }), { type: "conversation", id }],
  ["its person clears it", gemini({ hook_event_name: "SessionStart", source: "clear" }), { type: "conversation", id }],
  ["a prompt", gemini({ hook_event_name: "BeforeAgent", prompt: "ask approval" }), { type: "prompted", id }],
  [
    "the turn is over",
    gemini({ hook_event_name: "AfterAgent", prompt: "x", prompt_response: "CODEWORD-ALPHA ", stop_hook_active: false }),
    { type: "turn_over", id, outcome: "done", message: null },
  ],
  [
    "it asks for a permission",
    gemini({
      hook_event_name: "Notification",
      notification_type: "ToolPermission",
      message: "Tool Confirm Shell Command requires execution",
      details: { type: "exec", title: "Confirm Shell Command", command: "echo approved", rootCommand: "echo" },
    }),
    { type: "asks", id, text: "Tool Confirm Shell Command requires execution" },
  ],
  ["it is cleared, and goes on", gemini({ hook_event_name: "SessionEnd", reason: "clear" }), null],
  [
    "R7: it ends, by its person or by a signal: it says the same",
    gemini({ hook_event_name: "SessionEnd", reason: "exit" }),
    { type: "goodbye", id, reason: "exit", explicit: false },
  ],
  ["a hook that isn't ours", gemini({ hook_event_name: "BeforeTool", tool_name: "write_file", tool_input: {} }), null],
  ["no JSON of a hook", [], null],
];

describe("what Gemini CLI's hooks mean", () => {
  it.each(GEMINI)("%s", (_name, payload, said) => expect(saidBy("gemini", payload)).toEqual(said));
});

const session = "ses_dd17484f8ffe1RVUc1d4jJdWxe";
const OPENCODE: Row[] = [
  ["it serves a conversation", { type: "conversation", id: session }, { type: "conversation", id: session }],
  [
    "a turn failed",
    { type: "turn_over", id: session, outcome: "failed", message: "quota" },
    { type: "turn_over", id: session, outcome: "failed", message: "quota" },
  ],
  [
    "it asks",
    { type: "asks", id: session, text: "?".repeat(9_000) },
    { type: "asks", id: session, text: "?".repeat(2_000) },
  ],
  ["R7: it can't say goodbye", { type: "goodbye", id: session, reason: "exit", explicit: true }, null],
  ["no id", { type: "idle" }, null],
];

describe("what our plugin of OpenCode says", () => {
  it.each(OPENCODE)("%s", (_name, payload, said) => expect(saidBy("opencode", payload)).toEqual(said));
});
