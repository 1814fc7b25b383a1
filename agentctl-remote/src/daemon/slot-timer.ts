import { AUTOMATIC_STARTS, FORGET_START_MS, PEOPLE_STARTS, SLOW_START_MS, SLOW_STARTS } from "../limits.ts";
import { NO_SLOTS, type SlotEvent, type SlotState, slotStep } from "./slots.ts";

const LIMITS = {
  automatic: AUTOMATIC_STARTS,
  people: PEOPLE_STARTS,
  slowAfterMs: SLOW_START_MS,
  slow: SLOW_STARTS,
  forgetMs: FORGET_START_MS,
};

/** The clock around the pure slots: calls `start` for each that may begin. */
export class Slots {
  private state: SlotState = NO_SLOTS;
  private timer: NodeJS.Timeout | null = null;
  private readonly starts = new Map<string, () => void>();

  /** Calls `start` once there is room. */
  ask(id: string, automatic: boolean, start: () => void): void {
    this.starts.set(id, start);
    this.feed({ type: "ask", id, automatic });
  }

  /** It has started, failed, or isn't wanted any more. */
  done(id: string): void {
    this.starts.delete(id);
    this.feed({ type: "done", id });
  }

  get waiting(): number {
    return this.state.waiting.length;
  }

  close(): void {
    if (this.timer) clearTimeout(this.timer);
  }

  private feed(event: SlotEvent): void {
    const { state, effects } = slotStep(this.state, event, performance.now(), LIMITS);
    this.state = state;
    for (const effect of effects) {
      if (effect.type === "start") {
        const start = this.starts.get(effect.id);
        this.starts.delete(effect.id);
        start?.();
      } else {
        if (this.timer) clearTimeout(this.timer);
        const wait = Math.max(0, Math.ceil(effect.at - performance.now()));
        this.timer = setTimeout(() => this.feed({ type: "tick" }), wait);
      }
    }
  }
}
