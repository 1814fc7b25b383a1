import { ExecutionId, type SpoolEvent, TurnId } from "@reprise/protocol";
import { z } from "zod";

/**
 * What the spool's events say of the execution that is open, or was last. Kept beside the events and moved in their
 * transaction, because acknowledged events are deleted.
 */
export const SpoolFacts = z.object({
  execution: z
    .object({
      execution_id: ExecutionId,
      open: z.boolean(),
      /** Null until it is spawned. */
      agent: z.object({ pid: z.number().int(), start_time: z.string().nullable(), boot_id: z.string() }).nullable(),
      /** Could it take prompts? One stored by an older host counts as such. */
      ready: z.boolean().default(true),
      token: z.string().nullable(),
      /** R7: it said that it ends, and nothing since. */
      goodbye: z.object({ explicit: z.boolean(), at: z.number() }).nullable().default(null),
      open_turn: TurnId.nullable(),
      pending_approvals: z.array(z.string()),
    })
    .nullable(),
});
export type SpoolFacts = z.infer<typeof SpoolFacts>;

export const NO_FACTS: SpoolFacts = { execution: null };

/** The facts after one more event. */
export function foldFacts(facts: SpoolFacts, event: SpoolEvent): SpoolFacts {
  const { body, execution_id } = event;
  if (body.type === "execution.opened" && execution_id)
    return {
      execution: {
        execution_id,
        open: true,
        agent: null,
        ready: false,
        token: facts.execution?.token ?? null,
        goodbye: null,
        open_turn: null,
        pending_approvals: [],
      },
    };
  const execution = facts.execution;
  if (!execution || execution.execution_id !== execution_id) return facts;
  const changed = (part: Partial<typeof execution>): SpoolFacts => ({ execution: { ...execution, ...part } });
  switch (body.type) {
    case "agent.spawned":
      return changed({ agent: { pid: body.pid, start_time: body.start_time, boot_id: body.boot_id } });
    case "agent.ready":
      return changed({ ready: true, token: body.token });
    case "agent.token":
      return changed({ token: body.token, goodbye: null });
    case "agent.goodbye":
      return changed({ goodbye: { explicit: body.explicit, at: event.at } });
    case "turn.started":
      return changed({ open_turn: body.turn_id, goodbye: null });
    case "turn.ended":
      return changed({ open_turn: null });
    case "approval.asked":
      return changed({ pending_approvals: [...execution.pending_approvals, body.ask.request_id] });
    case "approval.settled":
      return changed({ pending_approvals: execution.pending_approvals.filter((id) => id !== body.request_id) });
    case "execution.ended":
      return changed({ open: false, open_turn: null, pending_approvals: [] });
    case "execution.opened":
    case "agent.initialized":
    case "agent.settings":
    case "agent.title":
    case "agent.prompted":
    case "agent.attention":
    case "item":
    case "notice":
      return facts;
  }
}
