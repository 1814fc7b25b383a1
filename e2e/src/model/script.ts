import { type Conversation, codewords, lastPrompt, type OfferedTool } from "./conversation.ts";
import { DEFAULT_WORD_MS, MAX_WORDS } from "./limits.ts";

/** What the stand-in does with one request. */
export type Reply =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "stream"; readonly words: number; readonly everyMs: number }
  | { readonly kind: "tool"; readonly tool: OfferedTool; readonly call: ShellCall }
  | { readonly kind: "hang" }
  | { readonly kind: "fail"; readonly status: number };

/** A command for the agent's shell; `escalate` asks to leave the agent's own sandbox, where it has one. */
export type ShellCall = { readonly command: string; readonly escalate: boolean };

/** The command behind the words `ask approval`: it changes a file, so every agent asks first. */
export const APPROVAL_COMMAND = "echo approved >> approved.txt";

const SHELL_TOOLS = ["Bash", "bash", "exec_command", "shell", "shell_command", "run_shell_command", "exec"];

/** Claude Code asks after a turn what the person might say next, in the form of a turn with all its tools. */
const SUGGESTION = /^\[SUGGESTION MODE:/;
/** Codex in its mode "Auto review" lets the model decide about an approval. */
const REVIEW = />>> APPROVAL REQUEST START/;

/**
 * Agents ask for titles and the like on the side. These must be answered at once, whatever the person's words say.
 * They offer no shell, or want JSON, which a turn never does, or are known by their text.
 */
export function isSideRequest(conversation: Conversation): boolean {
  if (conversation.wantsJson || shellTool(conversation.tools) === undefined) return true;
  return SUGGESTION.test(lastPrompt(conversation.pieces).text);
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
  const call = callIn(text);
  if (call !== undefined) {
    const tool = shellTool(conversation.tools);
    if (tool && !toolAnswered) return { kind: "tool", tool, call };
    return { kind: "text", text: afterTool(conversation) };
  }
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

function callIn(text: string): ShellCall | undefined {
  const run = /^\s*run: (.+)$/im.exec(text)?.[1];
  if (run !== undefined) return { command: run.trim(), escalate: false };
  return /\bask approval\b/i.test(text) ? { command: APPROVAL_COMMAND, escalate: true } : undefined;
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
  const { text } = lastPrompt(conversation.pieces);
  if (SUGGESTION.test(text)) return { kind: "text", text: "go on" };
  if (REVIEW.test(text)) return { kind: "text", text: JSON.stringify({ outcome: "allow", rationale: "scripted" }) };
  const title = titleOf(conversation);
  return { kind: "text", text: conversation.wantsJson ? JSON.stringify({ title }) : title };
}

/** What a title request quotes: Claude Code wraps it, Codex puts it after a heading, OpenCode sends it as it is. */
function titleOf({ pieces }: Conversation): string {
  const last = pieces.findLast((piece) => piece.kind === "user")?.text ?? "";
  const quoted =
    /<session>([\s\S]*?)<\/session>/.exec(last)?.[1] ?? /first message:\n([\s\S]*)/.exec(last)?.[1] ?? last;
  // No codeword in a title: it would travel where a test shows that the word did not.
  const title = quoted
    .replace(/CODEWORD-\w+/g, "a codeword")
    .replace(/\s+/g, " ")
    .trim();
  return title.slice(0, 40) || "A conversation";
}
