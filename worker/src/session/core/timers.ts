import type { Result } from "../../result.ts";
import { type Draft, OK } from "./draft.ts";
import type { SessionLimits } from "./event.ts";
import { tokenToResume } from "./facts.ts";
import { claimResume, undoClaim } from "./launch.ts";
import { deliverNext, resendAt, resendDue } from "./prompts.ts";
import type { SessionCore } from "./state.ts";

/**
 * When the session has something to do by itself, all named waits together: derived from its state, so that no timer
 * can be forgotten or outlive its cause.
 */
export function nextDue(s: SessionCore, limits: SessionLimits): number | null {
  const due = [
    s.execution?.phase === "claimed" ? s.execution.expires_at : null,
    resendAt(s.prompts, limits.prompt_resend_ms),
    s.execution === null ? (s.recovery?.retry_at ?? null) : null,
  ].filter((at) => at !== null);
  return due.length === 0 ? null : Math.min(...due);
}

/** Do all that is due. Run twice, it does nothing twice. */
export function tick(d: Draft): Result {
  const { s, ctx } = d;
  if (s.removed) return OK;
  if (s.execution?.phase === "claimed" && s.execution.expires_at <= ctx.now) {
    // While the machine is there, the claim waits in its queue of starts; else nobody picked it up (R3).
    if (s.node.presence === "online") s.execution.expires_at = ctx.now + ctx.limits.claim_expiry_ms;
    else undoClaim(d, s.execution.prior);
  }
  resendDue(d);
  if (s.execution === null && s.recovery?.retry_at != null && s.recovery.retry_at <= ctx.now) {
    const token = tokenToResume(s);
    if (token === null) s.recovery = null;
    else claimResume(d, token, "resume", true, null);
  }
  deliverNext(d);
  return OK;
}
