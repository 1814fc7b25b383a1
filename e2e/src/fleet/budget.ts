/** The value that so many of the measured ones don't exceed. @param share in (0, 1] */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

/** The most that fell into one stretch of that length. */
export function peak(times: readonly number[], stretchMs: number): number {
  const counts = new Map<number, number>();
  for (const at of times) {
    const stretch = Math.floor(at / stretchMs);
    counts.set(stretch, (counts.get(stretch) ?? 0) + 1);
  }
  return Math.max(0, ...counts.values());
}

/** What was measured beside what is allowed, a line each. */
export class BudgetTable {
  readonly #rows: [string, string, string][] = [];

  add(what: string, measured: string, budget = "-"): void {
    this.#rows.push([what, measured, budget]);
  }

  text(title: string): string {
    const rows: [string, string, string][] = [["what", "measured", "budget"], ...this.#rows];
    const width = (column: 0 | 1) => Math.max(...rows.map((row) => row[column].length));
    const [first, second] = [width(0), width(1)];
    const lines = rows.map(([a, b, c]) => `  ${a.padEnd(first)}  ${b.padEnd(second)}  ${c}`);
    return [title, ...lines].join("\n");
  }
}
