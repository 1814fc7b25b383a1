import { duration, paint } from "../lib/colour.ts";
import { type RunResult, run } from "../lib/run.ts";
import type { CheckStep } from "./steps.ts";

export interface StepResult {
  name: string;
  passed: boolean;
  ms: number;
}

/** Two at a time: the machines that this is made for have two cores, and tsc and Biome use more than one each. */
const AT_ONCE = 2;

type RunStep = (step: CheckStep) => Promise<RunResult>;

/** Runs the steps, each after those that it needs; tells of each when it ends, with its output only if it failed. */
export async function runSteps(
  steps: readonly CheckStep[],
  runStep: RunStep,
  write: (line: string) => void,
): Promise<StepResult[]> {
  const results = new Map<string, StepResult>();
  const waiting = [...steps];
  const active = new Set<Promise<void>>();
  const finish = (step: CheckStep, passed: boolean, ms: number, output: string) => {
    results.set(step.name, { name: step.name, passed, ms });
    write(`${passed ? paint("green", "ok    ") : paint("red", "FAILED")} ${step.name} (${duration(ms)})`);
    if (!passed) write(output.trimEnd());
  };
  const launch = async (step: CheckStep) => {
    const broken = step.after?.find((name) => results.get(name)?.passed === false);
    if (broken) return finish(step, false, 0, `Not run: "${broken}" failed.`);
    const started = performance.now();
    const result = await runStep(step);
    finish(step, result.code === 0, performance.now() - started, result.output);
  };
  while (waiting.length > 0 || active.size > 0) {
    const next = waiting.findIndex((step) => (step.after ?? []).every((name) => results.has(name)));
    if (active.size < AT_ONCE && next >= 0) {
      const job: Promise<void> = Promise.all(waiting.splice(next, 1).map(launch)).then(() => {
        active.delete(job);
      });
      active.add(job);
    } else if (active.size > 0) {
      await Promise.race(active);
    } else {
      throw new Error(`These steps wait for each other: ${waiting.map(({ name }) => name).join(", ")}.`);
    }
  }
  return steps.flatMap(({ name }) => results.get(name) ?? []);
}

/** Runs a step as a child, keeping its output. */
export function runStepIn(root: string): RunStep {
  return (step) =>
    run(step.command, step.args, { cwd: root, env: { ...process.env, ...step.env }, output: { kind: "capture" } });
}
