import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { z } from "zod";
import { ROOT } from "../lib/paths.ts";
import { projectFiles } from "./files.ts";
import { type Import, importsOf, impureUses } from "./parse.ts";
import { ARROWS, IMPURE_MODULES, isPure } from "./rules.ts";

export interface Source {
  /** From the root, with `/`. */
  path: string;
  text: string;
}

/** Package names of the workspaces to their folders. */
export type Packages = Readonly<Record<string, string>>;

const CODE = /\.(ts|tsx|mts|mjs|js)$/;

/** Every import that points up, and every clock, random number or I/O in pure code, a line each. */
export function arrowProblems(sources: readonly Source[], packages: Packages): string[] {
  return sources.flatMap((source) => {
    const workspace = source.path.split("/")[0] ?? "";
    const known = Object.values(packages).includes(workspace);
    if (!CODE.test(source.path) || !known) return [];
    const at = (offset: number) => `${source.path}:${source.text.slice(0, offset).split("\n").length}`;
    const imports = importsOf(source.path, source.text);
    const problems = imports.flatMap((one) => {
      const problem = importProblem(source.path, workspace, one, packages);
      return problem ? [`${at(one.offset)} ${problem}`] : [];
    });
    if (!isPure(source.path)) return problems;
    const impure = impureUses(source.path, source.text);
    return [...problems, ...impure.map((use) => `${at(use.offset)} uses ${use.text} in pure code: pass it in.`)];
  });
}

function importProblem(path: string, workspace: string, one: Import, packages: Packages): string | null {
  if (isPure(path) && (IMPURE_MODULES.test(one.specifier) || one.specifier === "(computed)")) {
    return `imports ${one.specifier} into pure code.`;
  }
  const target = targetOf(path, one.specifier, packages);
  if (target === null || target === workspace) return null;
  const arrows = ARROWS[workspace];
  if (!arrows) return `is in a workspace without a rule: say in scripts/check/rules.ts what ${workspace} may import.`;
  const arrow = arrows.find(({ to }) => to === target);
  if (!arrow) return `imports ${one.specifier}: ${workspace} must not import ${target}.`;
  if (arrow.typesOnly && !one.typesOnly) {
    return `imports ${one.specifier}: ${workspace} may import the types of ${target} only (\`import type\`).`;
  }
  if (arrow.from && !path.startsWith(`${workspace}/${arrow.from}`)) {
    return `imports ${one.specifier}: in ${workspace} only ${arrow.from} may import ${target}.`;
  }
  return null;
}

/** The workspace that an import leads to; null for packages from outside, and for files beside the workspaces. */
function targetOf(path: string, specifier: string, packages: Packages): string | null {
  if (specifier.startsWith(".")) {
    const folder = normalize(join(dirname(path), specifier)).split("/")[0] ?? "";
    return Object.values(packages).includes(folder) ? folder : null;
  }
  const name = Object.keys(packages).find((known) => specifier === known || specifier.startsWith(`${known}/`));
  return name === undefined ? null : (packages[name] ?? null);
}

const RootPackage = z.object({ workspaces: z.array(z.string()) });
const WorkspacePackage = z.object({ name: z.string() });

/** The workspaces of a checkout. */
export function packagesOf(root: string): Packages {
  const read = (file: string): unknown => JSON.parse(readFileSync(join(root, file), "utf8"));
  const { workspaces } = RootPackage.parse(read("package.json"));
  return Object.fromEntries(
    workspaces.map((folder) => [WorkspacePackage.parse(read(`${folder}/package.json`)).name, folder]),
  );
}

if (import.meta.main) {
  const sources = projectFiles(ROOT)
    .filter((path) => CODE.test(path))
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), "utf8") }));
  const problems = arrowProblems(sources, packagesOf(ROOT));
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
