import type { ResumeAnswer, ResumeBody } from "@reprise/protocol";
import type { Result } from "../../result.ts";
import { type Draft, refuse } from "./draft.ts";
import { currentReason, tokenToResume } from "./facts.ts";
import { claimResume } from "./launch.ts";
import { addPrompt } from "./prompts.ts";

/** What "retry" and "Continue" say when the person says nothing else. */
export const CONTINUE_PROMPT =
  "Continue where you were cut off. What is done is done: check it cheaply and do only what is left.";

/** R8, `native`: guards first, then one claim. The launch goes on behind the answer. */
export function resume(d: Draft, body: ResumeBody): Result<{ answer: ResumeAnswer }> {
  const { s, ctx } = d;
  if (s.removed || (body.task_id !== undefined && body.task_id !== s.task_id)) return refuse("session_not_found");
  if (s.execution) {
    const { execution_id } = s.execution;
    const ready = s.execution.phase === "running" && s.execution.ready;
    if (ready) return refuse("agent_running", undefined, { execution_id });
    // An open claim: everybody gets the winner's answer (R3).
    return { ok: true, answer: { status: "attached", mode: body.mode, prior_state: s.state, execution_id } };
  }
  if (s.state === "CREATED") return refuse("nothing_to_resume");
  const reason = currentReason(s);
  // A conversation that was said to be gone may be asked for again by a person ("Try again"); by nobody else.
  const token = reason === "conversation_gone" ? s.resume_token : tokenToResume(s);
  if (token === null) return refuse("not_resumable", undefined, { reason });
  if (body.mode === "resume" && body.prompt !== undefined) {
    const queued = addPrompt(d, { prompt_id: ctx.newId("prompt"), blocks: [{ type: "text", text: body.prompt }] });
    if (!queued.ok) return queued;
  }
  if (body.model !== undefined) s.spec = { ...s.spec, model: body.model };
  if (body.agent_mode !== undefined) s.spec = { ...s.spec, mode: body.agent_mode };
  s.recovery = null;
  return {
    ok: true,
    answer: claimResume(d, token, body.mode, false, body.mode === "retry" ? (body.prompt ?? CONTINUE_PROMPT) : null),
  };
}
