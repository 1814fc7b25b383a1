import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { bin } from "../lib/paths.ts";
import { run } from "../lib/run.ts";
import type { Counts } from "./summary.ts";

/** Prints what tests measured or went through as one table; says nothing when none of them ran. */
const TABLES = ["./e2e/src/recovery/reporter.ts"];

const Report = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  numPendingTests: z.int(),
  numTodoTests: z.int(),
});

/** Counts of a run from its report; a run that failed without a failing test (a file that can't load) is one failure. */
export function countsOf(report: unknown, code: number): Counts {
  const parsed = Report.safeParse(report);
  if (!parsed.success) return { passed: 0, failed: code === 0 ? 0 : 1, skipped: 0 };
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = parsed.data;
  const failed = numFailedTests === 0 && code !== 0 ? 1 : numFailedTests;
  return { passed: numPassedTests, failed, skipped: numPendingTests + numTodoTests };
}

function readReport(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    // Vitest writes none when it could not start; its exit code says that it failed.
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** Runs Vitest on the projects that a pattern names (`e2e`, `!e2e`), shown as it goes. */
export async function runVitest(
  root: string,
  project: string,
  filters: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<Counts> {
  const folder = mkdtempSync(join(tmpdir(), "reprise-test-"));
  const file = join(folder, "report.json");
  try {
    const reporters = ["default", "json", ...TABLES].map((name) => `--reporter=${name}`);
    const args = ["run", "--project", project, ...reporters, `--outputFile.json=${file}`];
    const { code } = await run(bin("vitest"), [...args, "--passWithNoTests", ...filters], { cwd: root, env });
    return countsOf(readReport(file), code);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Whether any file of a project is meant by the filters. */
export async function anyFile(root: string, project: string, filters: readonly string[]): Promise<boolean> {
  const args = ["list", "--filesOnly", "--json", "--project", project, "--passWithNoTests", ...filters];
  const { code, output } = await run(bin("vitest"), args, { cwd: root, output: { kind: "capture" } });
  return code !== 0 || output.includes(".test.ts");
}
