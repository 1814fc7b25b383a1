import { rowId } from "@reprise/protocol";
import { type Draft, owe } from "./draft.ts";

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
  d.effects.push({
    type: "row.put",
    id: rowId.notice(execution_id, "token_in_use"),
    execution_id,
    body: {
      kind: "notice",
      level: "warning",
      code: "token_in_use",
      text:
        s.resume_token === null
          ? "Another session holds this conversation already; this one can't be resumed."
          : "Another session holds this conversation already; a resume here brings back the one before it.",
      at: d.ctx.now,
    },
  });
}
