import { ERRORS, type ErrorCode, type SessionState } from "@reprise/protocol";
import type { Result } from "../../result.ts";
import type { Ctx, Effect } from "./event.ts";
import type { OutboxItem } from "./outbox.ts";
import type { SessionCore } from "./state.ts";

/**
 * One step's working copy: rules change `s` (a clone of the state before) and add effects. The step as a whole stays
 * a pure function (reduce.ts).
 */
export interface Draft {
  s: SessionCore;
  effects: Effect[];
  ctx: Ctx;
}

export const OK: Result = { ok: true };

export function refuse(
  code: ErrorCode,
  message?: string,
  details?: Record<string, unknown>,
): { ok: false; error: { code: ErrorCode; message: string; details?: Record<string, unknown> } } {
  return { ok: false, error: { code, message: message ?? ERRORS[code][1], ...(details ? { details } : {}) } };
}

export function setState(d: Draft, state: SessionState): void {
  if (d.s.state === state) return;
  d.s.state = state;
  d.s.since = d.ctx.now;
}

type WithoutKey<T> = T extends unknown ? Omit<T, "key"> : never;

/** Owed until done. The same debt is owed once. */
export function owe(d: Draft, item: WithoutKey<OutboxItem>): void {
  const full = { ...item, key: outboxKey(item) } as OutboxItem;
  if (!d.s.outbox.some((known) => known.key === full.key)) d.s.outbox.push(full);
}

function outboxKey(item: WithoutKey<OutboxItem>): string {
  switch (item.type) {
    case "enqueue":
      return `enqueue:${item.command.command_id}`;
    case "dequeue":
      return `dequeue:${item.command_id}`;
    case "claim_token":
      return `token:${item.execution_id}:${item.token}`;
    case "want":
      return `want:${item.reason}`;
    case "call_node":
      return "call_node";
    case "forget":
      return "forget";
  }
}
