import type { Failure } from "@reprise/protocol";
import type { AgentEnd } from "../../host/core/verdict.ts";
import { saysGone } from "../gone.ts";

/** Enough of a screen for a reason in words. */
const WORDS_LINES = 5;
const WORDS_CHARS = 1_000;

/** What a shell says of a command that it doesn't find, or may not run. */
const NOT_FOUND = 127;
const NOT_RUNNABLE = 126;

/** The end of what stands on a screen. */
export function lastWords(lines: readonly string[]): string {
  const said = lines.map((line) => line.trimEnd()).filter((line) => line !== "");
  return said.slice(-WORDS_LINES).join("\n").slice(-WORDS_CHARS);
}

/** Why an agent came to nothing, in the words on its screen. Only its own word makes a conversation gone (R3). */
export function failureOf(end: AgentEnd, words: string, start: { command: string; resumes: boolean }): Failure {
  const { code, message } = classify(end, words, start);
  return { code, message: message.slice(0, 2_000) };
}

function classify(end: AgentEnd, words: string, start: { command: string; resumes: boolean }): Failure {
  const said = words === "" ? "" : ` Its terminal said: ${words}`;
  if (end.how === "unknown") return { code: "agent_exited", message: `The agent ended before it was ready.${said}` };
  if (start.resumes && saysGone(words)) return { code: "conversation_gone", message: words };
  if (end.status === NOT_FOUND)
    return { code: "agent_not_found", message: `The command ${start.command} isn't on this session's PATH.${said}` };
  if (end.status === NOT_RUNNABLE)
    return { code: "agent_start_failed", message: `The command ${start.command} can't be run.${said}` };
  return { code: "agent_exited", message: `The agent ended with exit code ${end.status}.${said}` };
}
