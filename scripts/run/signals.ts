import { Explained } from "../lib/explained.ts";

/** Somebody asked this process to end. */
export class Interrupted extends Error {}

/** Rejects with Interrupted at the first signal that asks this process to end; later ones change nothing. */
export function asked(): Promise<never> {
  const signalled = new Promise<never>((_, reject) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => reject(new Interrupted()));
  });
  // Only raced against: an end that nobody waits for at the moment is no error.
  signalled.catch(() => undefined);
  return signalled;
}

/** Rejects with the words that a child's end is told by. */
export function failsWhen(ended: Promise<string>): Promise<never> {
  const failing = ended.then((words) => Promise.reject(new Explained(words)));
  failing.catch(() => undefined);
  return failing;
}
