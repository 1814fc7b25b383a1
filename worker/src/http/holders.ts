import { FACTS_CONCURRENCY } from "../limits.ts";
import { callObject, mapBounded } from "../objects.ts";
import { goesOnWith } from "../session/core/token.ts";
import type { Ctx } from "./context.ts";

/** Who was given an agent's conversation on its machine. */
export interface Holder {
  session_id: string;
  /** It goes on with it, or can; else another session may (design §3: after a goodbye). */
  keeps: boolean;
}

/** Of these conversations, those that a session of that machine was given, by their ids (R2). */
export async function holdersOf(
  c: Ctx,
  nodeId: string,
  agentKind: string,
  tokens: readonly string[],
): Promise<Map<string, Holder>> {
  const held = Object.entries(await c.env.NODES.getByName(nodeId).holders(agentKind, tokens));
  const holders = await mapBounded(held, FACTS_CONCURRENCY, async ([token, session_id]): Promise<[string, Holder]> => {
    const view = await callObject(() => c.env.SESSIONS.getByName(session_id).facts());
    return [token, { session_id, keeps: view !== null && goesOnWith(view.facts, token) }];
  });
  return new Map(holders);
}
