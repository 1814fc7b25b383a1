import { rowId, type SessionFacts } from "@reprise/protocol";
import type { Result } from "../../result.ts";
import { type Draft, OK, owe, refuse } from "./draft.ts";
import { factsOf } from "./facts.ts";

/** Its agent told which conversation it serves: the last that it told is the one that counts, once it is claimed (R2). */
export function tellToken(d: Draft, execution_id: string, token: string | null): void {
  const { s } = d;
  if (token === null) return;
  // One that it has left meanwhile must not come back with a late answer.
  s.outbox = s.outbox.filter((o) => o.type !== "claim_token" || (o.execution_id === execution_id && o.token === token));
  if (token !== s.resume_token) owe(d, { type: "claim_token", execution_id, token });
}

/** The token's claim came back from the node's object (R2): compare-and-set on the execution that told it. */
export function tokenClaimed(d: Draft, execution_id: string, token: string, granted: boolean): void {
  const { s } = d;
  if (s.execution?.execution_id !== execution_id && s.last_execution_id !== execution_id) return;
  if (granted) {
    s.resume_token = token;
    d.effects.push({ type: "execution.token", execution_id, token });
    return;
  }
  const text =
    s.resume_token === null
      ? "Another session holds this conversation already; this one can't be resumed."
      : "Another session holds this conversation already; a resume here brings back the one before it.";
  notice(d, execution_id, "token_in_use", text);
}

/** Whether the session goes on with that conversation, or still can: then no other may (C16). */
export function goesOnWith(
  s: Pick<SessionFacts, "listed" | "execution" | "end_reason" | "resume_token">,
  token: string,
): boolean {
  const over = s.execution === null && s.end_reason === "agent_exit";
  return s.listed && s.resume_token === token && !over;
}

/** Another session is to go on with this conversation (design §3: after a goodbye); from then on it isn't this one's. */
export function releaseToken(d: Draft, token: string): Result {
  const { s } = d;
  // One that is being claimed is about to be its own.
  const claims = s.outbox.some((o) => o.type === "claim_token" && o.token === token);
  if (claims || goesOnWith(factsOf(s), token)) return refuse("token_in_use");
  if (s.resume_token !== token) return OK;
  s.resume_token = null;
  notice(d, s.last_execution_id, "token_released", "Another session goes on with this conversation.");
  return OK;
}

function notice(d: Draft, execution_id: string | null, code: string, text: string): void {
  const level = code === "token_in_use" ? "warning" : "info";
  d.effects.push({
    type: "row.put",
    id: rowId.notice(execution_id, code),
    execution_id,
    body: { kind: "notice", level, code, text, at: d.ctx.now },
  });
}
