import type { Reporter, TestCase, TestModule } from "vitest/node";
import { EXECUTORS, type Executor } from "./executors.ts";
import type { RowResult } from "./table.ts";

interface Line {
  row: RowResult;
  cells: Map<Executor, string>;
}

/** Prints the table of faults at the end of a run: each row's result and seconds, for each executor type. */
export default class RecoveryTable implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const lines = new Map<string, Line>();
    for (const module of modules) for (const test of module.children.allTests()) note(lines, test);
    if (lines.size > 0) console.log(tableOf([...lines.values()]));
  }
}

function note(lines: Map<string, Line>, test: TestCase): void {
  const row = test.meta().recovery;
  if (row === undefined) return;
  const line = lines.get(row.fault) ?? { row, cells: new Map() };
  lines.set(row.fault, line);
  line.cells.set(row.executor, cell(test));
}

function cell(test: TestCase): string {
  const { state } = test.result();
  const seconds = `${((test.diagnostic()?.duration ?? 0) / 1_000).toFixed(1)} s`;
  return state === "passed" ? `ok ${seconds}` : state === "failed" ? `FAILED ${seconds}` : state;
}

/** The table, as text. */
export function tableOf(lines: readonly Line[]): string {
  const rows = lines.flatMap(({ row, cells }) => [
    [row.fault, ...EXECUTORS.map((executor) => cells.get(executor) ?? "-")],
    ...(row.meanwhile ? [[`  meanwhile: ${row.meanwhile}`]] : []),
    [`  afterwards: ${row.afterwards}`],
  ]);
  const head = ["fault", ...EXECUTORS];
  const wide = Math.max(...lines.map(({ row }) => row.fault.length));
  const text = [head, ...rows].map(([first = "", ...cells]) =>
    cells.length === 0 ? first : [first.padEnd(wide), ...cells.map((one) => one.padEnd(18))].join("  ").trimEnd(),
  );
  return ["", "Recovery: what was done, and what was true on status API, D1, process table and page", ...text, ""].join(
    "\n",
  );
}
