import { TEARDOWN_RETRY_MAX_MS, TEARDOWN_RETRY_MS } from "../limits.ts";

interface Wait {
  tries: number;
  at: number;
  timer: NodeJS.Timeout;
}

/** What failed and must not be left so: tried again, each time later, but never less than once a minute. */
export class Again {
  private readonly waits = new Map<string, Wait>();
  private over = false;

  /** Call `run` once, later than the time before. */
  later(id: string, run: () => void): void {
    if (this.over) return;
    const before = this.waits.get(id);
    if (before) clearTimeout(before.timer);
    const tries = (before?.tries ?? 0) + 1;
    const wait = Math.min(TEARDOWN_RETRY_MS * 2 ** (tries - 1), TEARDOWN_RETRY_MAX_MS);
    this.waits.set(id, { tries, at: Date.now() + wait, timer: setTimeout(run, wait) });
  }

  /** When it is tried next; null when it isn't. */
  at(id: string): number | null {
    return this.waits.get(id)?.at ?? null;
  }

  /** It worked, or isn't wanted any more. */
  forget(id: string): void {
    const wait = this.waits.get(id);
    if (wait) clearTimeout(wait.timer);
    this.waits.delete(id);
  }

  close(): void {
    this.over = true;
    for (const { timer } of this.waits.values()) clearTimeout(timer);
  }
}
