import { codewords, type Conversation, lastPrompt, type OfferedTool } from "./conversation.ts";
import { DEFAULT_WORD_MS, MAX_WORDS } from "./limits.ts";

/** What the stand-in does with one request. */
export type Reply =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "stream"; readonly words: number; readonly everyMs: number }
  | { readonly kind: "tool"; readonly tool: OfferedTool; readonly command: string }
  | { readonly kind: "hang" }
  | { readonly kind: "fail"; readonly status: number };

/** The command behind the words `ask approval`: it changes a file, so every agent asks first. */
export const APPROVAL_COMMAND = "echo approved >> approved.txt";

const SHELL_TOOLS = ["Bash", "bash", "exec_command", "shell", "shell_command", "run_shell_command", "exec"];

/** Agents ask for titles and the like on the side: these requests offer no shell, and must be answered at once. */
export function isSideRequest(conversation: Conversation): boolean {
  return shellTool(conversation.tools) === undefined;
}

function shellTool(tools: readonly OfferedTool[]): OfferedTool | undefined {
  for (const name of SHELL_TOOLS) {
    const found = tools.find((tool) => tool.name === name);
    if (found) return found;
  }
  return undefined;
}

/** Decides the answer from the person's last words. Pure, so that it can be tested without a socket. */
export function decide(conversation: Conversation): Reply {
  if (isSideRequest(conversation)) return sideAnswer(conversation);
  const { text, toolAnswered } = lastPrompt(conversation.pieces);
  const command = commandIn(text);
  if (command !== undefined && !toolAnswered) {
    const tool = shellTool(conversation.tools);
    if (tool) return { kind: "tool", tool, command };
  }
  if (command !== undefined) return { kind: "text", text: afterTool(conversation) };
  const stream = /\bstream (\d+) words(?: every (\d+) ?ms)?/i.exec(text);
  if (stream) {
    const words = Math.min(Number(stream[1]), MAX_WORDS);
    return { kind: "stream", words, everyMs: stream[2] === undefined ? DEFAULT_WORD_MS : Number(stream[2]) };
  }
  const fail = /^\s*fail (\d{3})\b/im.exec(text);
  if (fail) return { kind: "fail", status: Number(fail[1]) };
  if (/^\s*hang\b/im.test(text)) return { kind: "hang" };
  return { kind: "text", text: known(conversation) };
}

function commandIn(text: string): string | undefined {
  const run = /^\s*run: (.+)$/im.exec(text);
  if (run) return run[1]?.trim();
  return /\bask approval\b/i.test(text) ? APPROVAL_COMMAND : undefined;
}

function known(conversation: Conversation): string {
  const words = codewords(conversation.pieces);
  return words.length > 0 ? words.join(" ") : "I know no codeword.";
}

function afterTool(conversation: Conversation): string {
  const last = [...conversation.pieces].reverse().find((piece) => piece.kind === "tool_result");
  return `The tool answered: ${(last?.text ?? "").trim().slice(0, 500)}`;
}

function sideAnswer(conversation: Conversation): Reply {
  const first = lastPrompt(conversation.pieces).text.replace(/\s+/g, " ").slice(0, 40) || "A conversation";
  const title = first.replace(/CODEWORD-\w+/g, "a codeword");
  return { kind: "text", text: conversation.wantsJson ? JSON.stringify({ title }) : title };
}
