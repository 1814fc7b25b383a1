import { MAX_QUEUED_PROMPTS, type PromptBlocks, rowId, type TurnOutcome } from "@reprise/protocol";
import type { Result } from "../../result.ts";
import { type Draft, OK, owe, refuse } from "./draft.ts";
import type { PromptEntry } from "./state.ts";

/** P1, P2: stored before it is answered; delivered when the agent can take it. */
export function addPrompt(d: Draft, prompt: { prompt_id: string; blocks: PromptBlocks }): Result<{ state: string }> {
  const { s, ctx } = d;
  if (s.removed) return refuse("session_over");
  const known = s.prompts.find((p) => p.prompt_id === prompt.prompt_id);
  if (known) return { ok: true, state: known.state };
  if (s.end_reason === "agent_exit") return refuse("not_resumable", "The agent ended this conversation itself.");
  if (s.prompts.length >= MAX_QUEUED_PROMPTS) return refuse("queue_full");
  s.prompts.push({ prompt_id: prompt.prompt_id, state: "queued", note: null });
  d.effects.push({
    type: "row.put",
    id: rowId.prompt(prompt.prompt_id),
    execution_id: null,
    body: { kind: "prompt", ...prompt, state: "queued", outcome: null, created_at: ctx.now, note: null },
  });
  // Whoever says something new has seen that the last turn was cut off (P2).
  s.queue_held = false;
  deliverNext(d);
  return { ok: true, state: s.prompts.find((p) => p.prompt_id === prompt.prompt_id)?.state ?? "queued" };
}

/** A prompt of the control plane's own making goes before what people queued: it continues what was cut off. */
export function queueFirst(d: Draft, text: string): string {
  const { s, ctx } = d;
  const prompt_id = ctx.newId("prompt");
  s.prompts.unshift({ prompt_id, state: "queued", note: null });
  d.effects.push({
    type: "row.put",
    id: rowId.prompt(prompt_id),
    execution_id: null,
    body: {
      kind: "prompt",
      prompt_id,
      blocks: [{ type: "text", text }],
      state: "queued",
      outcome: null,
      created_at: ctx.now,
      note: null,
    },
  });
  return prompt_id;
}

/** It waits (again), with what a person should know about it. */
export function requeue(d: Draft, prompt_id: string, note: string | null): void {
  replace(d, { prompt_id, state: "queued", note });
  d.effects.push({ type: "row.prompt", prompt_id, state: "queued", note });
}

/** The same words as another prompt, which waits: a host takes no id twice (P1). */
export function sayAgain(d: Draft, prompt_id: string): void {
  const { s, ctx } = d;
  const as = ctx.newId("prompt");
  s.prompts = s.prompts.filter((p) => p.prompt_id !== prompt_id);
  s.prompts.unshift({ prompt_id: as, state: "queued", note: null });
  const note = "The agent could not start. It is queued again.";
  d.effects.push(
    { type: "row.prompt", prompt_id, state: "done", outcome: "failed", note },
    { type: "row.prompt_again", prompt_id, as, created_at: ctx.now },
  );
}

export function dropPrompt(d: Draft, prompt_id: string): void {
  d.s.prompts = d.s.prompts.filter((p) => p.prompt_id !== prompt_id);
  d.effects.push({ type: "row.prompt", prompt_id, state: "cancelled", note: null });
}

/** Give the agent its next prompt, if it can take one: one at a time, in order. */
export function deliverNext(d: Draft): void {
  const { s, ctx } = d;
  if (s.queue_held || s.stop !== null || s.removed) return;
  const e = s.execution;
  if (e?.phase !== "running" || !e.ready) return;
  if (s.turn !== null && s.turn.end === null) return;
  if (s.prompts.some((p) => p.state === "sent" || p.state === "accepted")) return;
  const next = s.prompts.find((p) => p.state === "queued");
  // What came with the launch is with the agent already; whatever else waits comes after it.
  if (!next || e.launch_prompt !== null) return;
  const turn_id = ctx.newId("turn");
  replace(d, { prompt_id: next.prompt_id, state: "sent", turn_id, execution_id: e.execution_id, sent_at: ctx.now });
  d.effects.push({ type: "row.prompt", prompt_id: next.prompt_id, state: "sent", note: null });
  sendPrompt(d, next.prompt_id);
}

/** The same id again is no second prompt, at the host neither (P1). */
export function sendPrompt(d: Draft, prompt_id: string): void {
  const p = d.s.prompts.find((x) => x.prompt_id === prompt_id);
  if (p?.state !== "sent") return;
  d.effects.push({ type: "send.prompt", prompt_id, turn_id: p.turn_id, execution_id: p.execution_id });
  owe(d, { type: "want", reason: "prompt" });
}

export function replace(d: Draft, entry: PromptEntry): void {
  d.s.prompts = d.s.prompts.map((p) => (p.prompt_id === entry.prompt_id ? entry : p));
}

/** Nobody knows whether the agent had it: a person decides what becomes of it (P1). */
export function doubt(d: Draft, prompt_id: string, note: string, outcome?: TurnOutcome): void {
  replace(d, { prompt_id, state: "indeterminate" });
  d.effects.push({ type: "row.prompt", prompt_id, state: "indeterminate", note, ...(outcome ? { outcome } : {}) });
}

/**
 * The host could not take it. A full disk needs a person: it waits, with the reason (P5). Anything else passes (busy, no
 * agent: their own events follow), and the same prompt is said again in its time.
 */
export function promptRefused(d: Draft, prompt_id: string, code: string, note: string): Result {
  const found = d.s.prompts.find((p) => p.prompt_id === prompt_id);
  if (found?.state !== "sent" || code !== "disk_full") return OK;
  requeue(d, prompt_id, note);
  d.s.queue_held = true;
  return OK;
}

/** When the oldest unacknowledged send is to be said again; null when nothing is on its way. */
export function resendAt(prompts: readonly PromptEntry[], afterMs: number): number | null {
  const sent = prompts.find((p) => p.state === "sent");
  return sent?.state === "sent" ? sent.sent_at + afterMs : null;
}

export function resendDue(d: Draft): void {
  const { s, ctx } = d;
  for (const p of s.prompts) {
    if (p.state !== "sent" || p.sent_at + ctx.limits.prompt_resend_ms > ctx.now) continue;
    replace(d, { ...p, sent_at: ctx.now });
    sendPrompt(d, p.prompt_id);
  }
}
