import type { Draft } from "./draft.ts";
import { dropPrompt, queueFirst } from "./prompts.ts";
import type { LaunchPrompt, SessionCore } from "./state.ts";

/**
 * What a terminal agent starts with: the first prompt that waits rides on its launch. It stays queued until its host tells
 * that its turn is on disk, so that a start that fails loses nothing (P1).
 * @param then_prompt the control plane's own, said first of all
 */
export function takeAlong(d: Draft, then_prompt: string | null): LaunchPrompt | null {
  const { s, ctx } = d;
  if (s.spec.driver !== "terminal") return null;
  if (then_prompt !== null) {
    s.queue_held = false;
    return { prompt_id: queueFirst(d, then_prompt), turn_id: ctx.newId("turn"), ours: true };
  }
  const first = s.queue_held ? undefined : s.prompts.find((p) => p.state === "queued");
  return first ? { prompt_id: first.prompt_id, turn_id: ctx.newId("turn"), ours: false } : null;
}

/** The claim is undone: what was queued only for it goes with it (R3). */
export function leaveBehind(d: Draft, queue_held: boolean): void {
  const along = d.s.execution?.launch_prompt;
  if (!along?.ours) return;
  dropPrompt(d, along.prompt_id);
  d.s.queue_held = queue_held;
}

/** Whether this turn is the one that came with the launch of an agent that isn't up yet. */
export function cameAlong({ execution }: SessionCore, prompt_id: string | null): boolean {
  return execution !== null && prompt_id !== null && execution.launch_prompt?.prompt_id === prompt_id;
}
