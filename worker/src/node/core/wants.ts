import type { Want } from "@reprise/protocol";
import type { NodeEffect } from "./event.ts";
import type { NodeState } from "./state.ts";

type Reason = Want["reasons"][number];

/** What is wished for now; what has expired is not (K1). */
export function activeWants(state: NodeState, now: number): Want[] {
  const wants: Want[] = [];
  for (const [session_id, reasons] of Object.entries(state.wants)) {
    const active = Object.entries(reasons).filter(([, until]) => until > now);
    if (active.length === 0) continue;
    wants.push({
      session_id,
      reasons: active.map(([reason]) => reason as Reason),
      expires_at: Math.max(...active.map(([, until]) => until)),
    });
  }
  return wants;
}

/** Wish for it until then, or no longer (null); the node is told the whole set. */
export function setWant(
  state: NodeState,
  sessionId: string,
  reason: Reason,
  until: number | null,
  now: number,
): { state: NodeState; effects: NodeEffect[] } {
  const all: NodeState["wants"] = { ...state.wants, [sessionId]: { ...state.wants[sessionId], [reason]: until ?? 0 } };
  const wants: NodeState["wants"] = {};
  for (const [id, reasons] of Object.entries(all)) {
    const kept = Object.fromEntries(Object.entries(reasons).filter(([, expires]) => expires > now));
    if (Object.keys(kept).length > 0) wants[id] = kept;
  }
  const next = { ...state, wants };
  if (state.link?.via !== "socket") return { state: next, effects: [] };
  const frame = { type: "wants" as const, wants: activeWants(next, now) };
  return { state: next, effects: [{ type: "send", conn_id: state.link.conn_id, frame }] };
}
