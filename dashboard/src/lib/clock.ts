import { useSyncExternalStore } from "react";

/** Every "3 min ago" and countdown on the page moves with this one tick. */
const TICK_MS = 1_000;

let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const each of listeners) each();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function snapshot(): number {
  // Nobody listened for a while: the stored time would be old.
  if (timer === undefined) now = Date.now();
  return Math.floor(now / TICK_MS) * TICK_MS;
}

/** The time, to the second; what shows it renders again each second. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, snapshot);
}
