/** Timers by name: one set again runs from then, and all end together. */
export class Timers {
  private readonly running = new Map<string, NodeJS.Timeout>();

  set(name: string, ms: number, then: () => void): void {
    this.clear(name);
    const run = () => {
      this.running.delete(name);
      then();
    };
    this.running.set(name, setTimeout(run, ms));
  }

  has(name: string): boolean {
    return this.running.has(name);
  }

  clear(name: string): void {
    clearTimeout(this.running.get(name));
    this.running.delete(name);
  }

  clearAll(): void {
    for (const name of [...this.running.keys()]) this.clear(name);
  }
}
