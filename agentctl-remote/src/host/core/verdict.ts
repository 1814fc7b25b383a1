import { DEATH_GASP_MS } from "@reprise/protocol";

/** It said that it ends. `explicit`: its person ended it there, which nothing else looks like. */
export interface Goodbye {
  explicit: boolean;
  at: number;
}

/** What is known of how a terminal agent's process ended. */
export type AgentEnd =
  /** Its wrapper saw it. `hung_up`: the wrapper itself was told to end before, so the end was not the agent's own. */
  | { how: "exited"; status: number; hung_up: boolean; at: number }
  /** Nobody saw it: its terminal, its host or its machine died. `at` null: nobody knows when. */
  | { how: "unknown"; at: number | null };

/** From here on a status is a shell's word for a signal. */
export const FIRST_SIGNAL_STATUS = 128;
/** What an agent ends with whose terminal died under it. */
export const SIGHUP_STATUS = FIRST_SIGNAL_STATUS + 1;

/**
 * R7, whole: whether a terminal agent that nobody sent away ended by itself, or died under us. The same for an end that
 * was seen and for what a dead host left.
 */
export function farewell(end: AgentEnd, goodbye: Goodbye | null, turnOpen: boolean): "agent_exit" | "interrupted" {
  if (end.how === "exited" && end.status >= FIRST_SIGNAL_STATUS)
    return isOld(goodbye, end.at) ? "agent_exit" : "interrupted";
  if (end.how === "exited" && !end.hung_up) return goodbye !== null || !turnOpen ? "agent_exit" : "interrupted";
  return goodbye?.explicit === true || isOld(goodbye, end.at) ? "agent_exit" : "interrupted";
}

/** Said so long before the end that it was no death gasp. Without a time for the end nobody can tell, so it may be one. */
function isOld(goodbye: Goodbye | null, endedAt: number | null): boolean {
  return goodbye !== null && endedAt !== null && endedAt - goodbye.at > DEATH_GASP_MS;
}
