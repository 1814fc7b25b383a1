import { duration } from "../lib/colour.ts";

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

export interface StepOutcome extends Counts {
  name: string;
  ms: number;
  /** Why a step that was due did not run; it then counts as a failure. */
  notRun?: string;
}

/** The last lines of a test run: a table of the steps, what was left out, and the closing count. */
export function summary(steps: readonly StepOutcome[], leftOut: readonly string[]): string[] {
  const sum = (key: keyof Counts) => steps.reduce((total, step) => total + step[key], 0);
  const rows = [
    ["step", "passed", "failed", "skipped", "time"],
    ...steps.map((step) => [
      step.name,
      String(step.passed),
      String(step.failed),
      String(step.skipped),
      step.notRun ? `not run: ${step.notRun}` : duration(step.ms),
    ]),
  ];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const table = rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join("  "),
  );
  const skipped = sum("skipped");
  return [
    ...table,
    "",
    ...leftOut.map((what) => `Left out: ${what}`),
    `${sum("passed")} passed, ${sum("failed")} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`,
  ];
}
