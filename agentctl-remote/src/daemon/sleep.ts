import { SLEEP_JUMP_MS, SLEEP_TICK_MS } from "../limits.ts";

/** Tells when the machine slept: the clock went on while we didn't (N4). @returns how to end it */
export function watchSleep(woke: (sleptMs: number) => void, now: () => number = Date.now): () => void {
  let last = now();
  const timer = setInterval(() => {
    const at = now();
    const jump = at - last - SLEEP_TICK_MS;
    last = at;
    if (jump > SLEEP_JUMP_MS) woke(jump);
  }, SLEEP_TICK_MS);
  timer.unref();
  return () => clearInterval(timer);
}
