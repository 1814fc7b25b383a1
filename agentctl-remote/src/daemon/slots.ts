/**
 * Who may start an agent now (X5): so many automatic starts at a time, more for people's clicks; a start that takes
 * long moves to a slow lane, so that it does not hold the others up.
 */
export interface SlotLimits {
  automatic: number;
  /** Further ones that only a person's start may take. */
  people: number;
  slowAfterMs: number;
  slow: number;
  /** A start that was never heard of again gives its slot back. */
  forgetMs: number;
}

interface Waiting {
  id: string;
  automatic: boolean;
}
interface Running extends Waiting {
  since: number;
  slow: boolean;
}
export interface SlotState {
  /** In the order of asking; people's go first. */
  waiting: readonly Waiting[];
  running: readonly Running[];
}

export type SlotEvent =
  | { type: "ask"; id: string; automatic: boolean }
  | { type: "done"; id: string }
  | { type: "tick" };
export type SlotEffect = { type: "start"; id: string } | { type: "arm"; at: number };

export const NO_SLOTS: SlotState = { waiting: [], running: [] };

/** One step; `start` names those that may begin, `arm` when to look again. Asking or ending twice is once. */
export function slotStep(
  state: SlotState,
  event: SlotEvent,
  now: number,
  limits: SlotLimits,
): { state: SlotState; effects: SlotEffect[] } {
  let { waiting, running } = state;
  if (event.type === "ask" && ![...waiting, ...running].some((one) => one.id === event.id))
    waiting = [...waiting, { id: event.id, automatic: event.automatic }];
  if (event.type === "done") {
    waiting = waiting.filter((one) => one.id !== event.id);
    running = running.filter((one) => one.id !== event.id);
  }
  running = toSlowLane(
    running.filter((one) => now - one.since < limits.forgetMs),
    now,
    limits,
  );
  const effects: SlotEffect[] = [];
  for (const one of [...waiting.filter((w) => !w.automatic), ...waiting.filter((w) => w.automatic)]) {
    const fast = running.filter((r) => !r.slow);
    const room = one.automatic
      ? fast.filter((r) => r.automatic).length < limits.automatic && fast.length < limits.automatic + limits.people
      : fast.length < limits.automatic + limits.people;
    if (!room) continue;
    running = [...running, { ...one, since: now, slow: false }];
    waiting = waiting.filter((w) => w.id !== one.id);
    effects.push({ type: "start", id: one.id });
  }
  const due = nextLook(running, now, limits);
  if (due !== null && waiting.length > 0) effects.push({ type: "arm", at: due });
  return { state: { waiting, running }, effects };
}

function toSlowLane(running: readonly Running[], now: number, limits: SlotLimits): readonly Running[] {
  let free = limits.slow - running.filter((one) => one.slow).length;
  return running.map((one) => {
    if (one.slow || free <= 0 || now - one.since < limits.slowAfterMs) return one;
    free--;
    return { ...one, slow: true };
  });
}

function nextLook(running: readonly Running[], now: number, limits: SlotLimits): number | null {
  const due = running.flatMap((one) => {
    const slowAt = one.since + limits.slowAfterMs;
    return [one.since + limits.forgetMs, ...(one.slow || slowAt <= now ? [] : [slowAt])];
  });
  return due.length > 0 ? Math.min(...due) : null;
}
