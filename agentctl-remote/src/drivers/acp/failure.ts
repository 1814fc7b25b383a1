import { RequestError } from "@agentclientprotocol/sdk";
import type { Failure } from "@reprise/protocol";
import { saysGone } from "../gone.ts";

/** A question to the agent that it did not answer in its time. */
export class AgentSilent extends Error {
  override readonly name = "AgentSilent";
}

const RESOURCE_NOT_FOUND = -32002;
const AUTH_REQUIRED = -32000;

/** An error in the agent's own words: its message and what it put into `data`. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof RequestError)) return error instanceof Error ? error.message : String(error);
  const data = error.data === undefined || error.data === null ? "" : detail(error.data);
  return data && data !== error.message ? `${error.message}: ${data}` : error.message;
}

function detail(data: unknown): string {
  if (typeof data === "string") return data;
  if (typeof data === "object" && data !== null && "details" in data && typeof data.details === "string")
    return data.details;
  return JSON.stringify(data);
}

/** What users meet and its words don't tell how to mend. */
function withCure(words: string): string {
  if (!/cannot be used with root/i.test(words)) return words;
  return "It refuses to run as root. If this machine is a sandbox, set IS_SANDBOX=1 in the profile's variables (Settings, Agents), then start again.";
}

function isAuth(error: unknown, words: string): boolean {
  if (!(error instanceof RequestError)) return false;
  return error.code === AUTH_REQUIRED || /auth(entication)?[ _]required|not (logged|signed) in/i.test(words);
}

/**
 * Why an agent has no conversation, in its own words: the page's banners say the rest. Only its own word makes one `conversation_gone`; all else is "not now", and the
 * token stays (R3).
 */
export function classify(phase: "initialize" | "new" | "resume", error: unknown): Failure {
  const words = withCure(wordsOf(error));
  const say = (code: Failure["code"], text: string): Failure => ({ code, message: text.slice(0, 2_000) });
  if (isAuth(error, words))
    return say("agent_auth_required", `The agent wants a sign-in on its machine first. It said: ${words}`);
  if (phase === "initialize")
    return error instanceof AgentSilent ? say("agent_init_timeout", words) : say("agent_start_failed", words);
  if (phase === "new") return say("agent_start_failed", words);
  const gone = error instanceof RequestError && (error.code === RESOURCE_NOT_FOUND || saysGone(words));
  return say(gone ? "conversation_gone" : "resume_failed", words);
}
