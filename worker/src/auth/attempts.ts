import { FAILED_ATTEMPTS_WINDOW_MS, MAX_FAILED_ATTEMPTS } from "../limits.ts";

/** Failed sign-ins and joins by caller, in this isolate's memory. */
export class FailedAttempts {
  readonly #failed = new Map<string, number[]>();

  /** @returns whether the caller has to wait. */
  blocked(caller: string, now: number): boolean {
    return this.#recent(caller, now).length >= MAX_FAILED_ATTEMPTS;
  }

  record(caller: string, now: number): void {
    const recent = this.#recent(caller, now);
    // Callers who come once and never again must not fill the memory.
    if (this.#failed.size > 10_000) this.#failed.clear();
    this.#failed.set(caller, [...recent, now]);
  }

  #recent(caller: string, now: number): number[] {
    return (this.#failed.get(caller) ?? []).filter((at) => now - at < FAILED_ATTEMPTS_WINDOW_MS);
  }
}
