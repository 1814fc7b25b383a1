import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../lib/paths.ts";
import { projectFiles } from "./files.ts";

/** A reader's limit: what is longer has more than one subject. */
export const MAX_LINES = 350;

/** Files that may be longer, each with its reason: only state machines and generated code. */
export const LONGER: Readonly<Record<string, string>> = {};

const CODE = /\.(ts|tsx|mjs|js|css|html)$/;
const GENERATED = /^drizzle\/|\.gen\.ts$|(^|\/)worker-configuration\.d\.ts$/;

/** Files that are too long, and exceptions that are no longer needed, a sentence each. */
export function lengthProblems(
  files: readonly { path: string; lines: number }[],
  longer: Readonly<Record<string, string>>,
): string[] {
  const problems: string[] = [];
  const long = new Set<string>();
  for (const { path, lines } of files) {
    if (!CODE.test(path) || GENERATED.test(path) || lines <= MAX_LINES) continue;
    long.add(path);
    if (!(path in longer)) problems.push(`${path} has ${lines} lines; ${MAX_LINES} is the most. Split it by subject.`);
  }
  for (const path of Object.keys(longer)) {
    if (!long.has(path)) problems.push(`${path} needs no exception any more: take it out of scripts/check/length.ts.`);
  }
  return problems;
}

if (import.meta.main) {
  const files = projectFiles(ROOT)
    .filter((path) => CODE.test(path))
    .map((path) => ({ path, lines: readFileSync(join(ROOT, path), "utf8").split("\n").length - 1 }));
  const problems = lengthProblems(files, LONGER);
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
