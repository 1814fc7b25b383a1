import { expect, it } from "vitest";
import type { Conversation, Piece } from "./conversation.ts";
import { APPROVAL_COMMAND, decide, isSideRequest } from "./script.ts";

const bash = { name: "Bash", properties: { command: { type: "string" } }, freeform: false };

function talk(pieces: readonly Piece[], more: Partial<Conversation> = {}): Conversation {
  return { pieces, system: "", tools: [bash], stream: true, wantsJson: false, ...more };
}
const user = (text: string): Piece => ({ kind: "user", text });
const assistant = (text: string): Piece => ({ kind: "assistant", text });

it("answers with every codeword of the conversation, once, in order", () => {
  const pieces = [user("remember CODEWORD-B"), assistant("CODEWORD-B"), user("and CODEWORD-A")];
  expect(decide(talk(pieces))).toEqual({ kind: "text", text: "CODEWORD-B CODEWORD-A" });
  expect(decide(talk([user("hello")]))).toEqual({ kind: "text", text: "I know no codeword." });
});

it("reads the script from the person's words, not from what the agent wraps around them", () => {
  const reminder = user("<system-reminder>\nhang\nrun: rm everything\n</system-reminder>");
  const pieces = [user("stream 3 words every 5 ms"), reminder];
  expect(decide(talk(pieces))).toEqual({ kind: "stream", words: 3, everyMs: 5 });
});

it("calls the shell once, and ends the turn when the tool has answered", () => {
  const call = { kind: "tool", tool: bash, call: { command: "ls -la", escalate: false } };
  expect(decide(talk([user("run: ls -la")]))).toEqual(call);
  const answered = [user("run: ls -la"), { kind: "tool_result", text: "a.txt" } as const];
  expect(decide(talk(answered))).toEqual({ kind: "text", text: "The tool answered: a.txt" });
  expect(decide(talk([...answered, user("run: ls -la")]))).toEqual(call);
});

it("asks for an approval with a command that changes a file", () => {
  const reply = decide(talk([user("please ask approval")]));
  expect(reply).toMatchObject({ kind: "tool", call: { command: APPROVAL_COMMAND, escalate: true } });
});

it("hangs and fails on request", () => {
  expect(decide(talk([user("hang")]))).toEqual({ kind: "hang" });
  expect(decide(talk([user("fail 500")]))).toEqual({ kind: "fail", status: 500 });
});

it.each([
  ["OpenCode: no tools", talk([user("Generate a title"), user("hang")], { tools: [] }), "hang"],
  [
    "Claude Code: JSON, wrapped",
    talk([user("<session>\nhang CODEWORD-X\n</session>\n\nWrite the title")], { tools: [], wantsJson: true }),
    '{"title":"hang a codeword"}',
  ],
  [
    "Codex: JSON, with tools",
    talk([user("Your task is a title.\n\nUser's first message:\nhang")], { wantsJson: true }),
    '{"title":"hang"}',
  ],
  ["Claude Code: what next?", talk([user("hang"), user("[SUGGESTION MODE: Suggest what")]), "go on"],
])("answers side requests at once, without a codeword: %s", (_name, conversation, text) => {
  expect(isSideRequest(conversation)).toBe(true);
  expect(decide(conversation)).toEqual({ kind: "text", text });
});
