import { REPLAY_SETTLE_MS } from "../../limits.ts";
import type { ItemUpdate } from "./updates.ts";

/**
 * R5, what is history and what is new. Provable by order alone:
 * - from the moment `session/load` or `session/resume` is written until its answer (also a failure) is read, all content is replay;
 * - after the answer and before this execution's first prompt, nobody has asked the agent anything, so content is the
 *   tail of a replay that the agent sent late;
 * - later, what carries an id of the replay (a tool call's, a message's) repeats it.
 * A late frame without any id, after the first prompt, can't be told from an answer by anyone; it is let through.
 */
export class ReplayBarrier {
  private state: "open" | "replaying" | "unprompted" = "open";
  private readonly calls = new Set<string>();
  private readonly messages = new Set<string>();
  /** Suppressed updates: the evidence that a load restored something (R4). */
  replayed = 0;
  /** The first prompt waits until then, so that a late tail falls before it. People are slower than that anyway. */
  settlesAt = 0;

  begin(): void {
    this.state = "replaying";
  }

  answered(now: number): void {
    if (this.state !== "replaying") return;
    this.state = "unprompted";
    this.settlesAt = now + REPLAY_SETTLE_MS;
  }

  prompted(): void {
    this.state = "open";
  }

  /** @returns true when the update is new and may enter the log */
  passes(update: ItemUpdate): boolean {
    const old = this.state !== "open" || this.isRepeated(update);
    if (!old) return true;
    this.replayed += 1;
    this.remember(update);
    return false;
  }

  private isRepeated(update: ItemUpdate): boolean {
    if ("toolCallId" in update) return update.sessionUpdate === "tool_call_update" && this.calls.has(update.toolCallId);
    return "messageId" in update && typeof update.messageId === "string" && this.messages.has(update.messageId);
  }

  private remember(update: ItemUpdate): void {
    if ("toolCallId" in update) this.calls.add(update.toolCallId);
    else if ("messageId" in update && typeof update.messageId === "string") this.messages.add(update.messageId);
  }
}
