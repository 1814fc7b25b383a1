import { runStepIn, runSteps } from "../check/run-steps.ts";
import { checkSteps } from "../check/steps.ts";
import { ensureChromium, thisChromiumMachine } from "../ensure/chromium.ts";
import { DOCKERD_ENV, ensureDockerd, thisDockerMachine } from "../ensure/docker.ts";
import { ensureRealAgents, REAL_AGENTS_ENV } from "../ensure/real-agents.ts";
import { duration, paint } from "../lib/colour.ts";
import { Explained } from "../lib/explained.ts";
import { ensureBuilt } from "../run/built.ts";
import type { TestOptions } from "./options.ts";
import type { Counts, StepOutcome } from "./summary.ts";
import { runVitest } from "./vitest.ts";

const NOTHING: Counts = { passed: 0, failed: 0, skipped: 0 };

/** Runs one step with a line before and after; an explained end is its failure, with the sentence. */
export async function step(name: string, work: () => Promise<Counts>): Promise<StepOutcome> {
  console.log(paint("bold", `== ${name}`));
  const started = performance.now();
  const counts = await work().catch((error: unknown) => {
    if (!(error instanceof Explained)) throw error;
    console.log(error.message);
    return { ...NOTHING, failed: 1 };
  });
  const ms = performance.now() - started;
  const word = counts.failed > 0 ? paint("red", "FAILED") : paint("green", "ok");
  console.log(`== ${name}: ${word} after ${duration(ms)}\n`);
  return { name, ms, ...counts };
}

/** A step that was due and could not run. */
export function notRun(name: string, why: string): StepOutcome {
  return { name, ms: 0, ...NOTHING, failed: 1, notRun: why };
}

export async function checkStep(root: string): Promise<Counts> {
  const results = await runSteps(checkSteps(root), runStepIn(root), (line) => console.log(line));
  const passed = results.filter((result) => result.passed).length;
  return { passed, failed: results.length - passed, skipped: 0 };
}

export function unitStep(root: string, filters: readonly string[]): Promise<Counts> {
  return runVitest(root, "!e2e", filters, process.env);
}

export async function buildStep(): Promise<Counts> {
  await ensureBuilt(["worker", "agentctl-remote", "dashboard"], (line) => console.log(line));
  return NOTHING;
}

/** The end-to-end tests, with what they need: a Chromium, where it can be a Docker engine, and, unless left out, the real agents. */
export async function e2eStep(root: string, options: TestOptions): Promise<Counts> {
  const chromium = await ensureChromium(thisChromiumMachine(), (line) => console.log(line));
  const dockerd = await ensureDockerd(thisDockerMachine(), (line) => console.log(line));
  if (options.realAgents) await ensureRealAgents(root);
  const env = {
    ...process.env,
    CHROMIUM: chromium,
    [DOCKERD_ENV]: dockerd ?? "",
    [REAL_AGENTS_ENV]: options.realAgents ? "1" : "0",
  };
  return runVitest(root, "e2e", options.filters, env);
}
