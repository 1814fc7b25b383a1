import { REAL_AGENTS_ENV } from "./ensure/real-agents.ts";
import { main } from "./lib/explained.ts";
import { ROOT } from "./lib/paths.ts";
import { endChildrenOnSignals } from "./lib/run.ts";
import { parseOptions } from "./test/options.ts";
import { buildStep, checkStep, e2eStep, notRun, step, unitStep } from "./test/steps.ts";
import { type StepOutcome, summary } from "./test/summary.ts";
import { anyFile } from "./test/vitest.ts";

const options = parseOptions(process.argv.slice(2), process.env[REAL_AGENTS_ENV]);

await main(async () => {
  endChildrenOnSignals();
  const filtered = options.filters.length > 0;
  const steps: StepOutcome[] = [];
  const leftOut: string[] = [];
  if (filtered) leftOut.push(`all but the tests that match \`${options.filters.join(" ")}\`; the check too.`);
  else steps.push(await step("check", () => checkStep(ROOT)));
  steps.push(await step("unit", () => unitStep(ROOT, options.filters)));
  if (!filtered || (await anyFile(ROOT, "e2e", options.filters))) {
    const built = await step("build", () => buildStep());
    steps.push(built);
    steps.push(built.failed > 0 ? notRun("e2e", "the build failed") : await step("e2e", () => e2eStep(ROOT, options)));
    if (!options.realAgents) {
      leftOut.push("the real agents (Claude Code, Codex, OpenCode, Gemini): every test that runs one was skipped.");
    }
  }
  for (const line of summary(steps, leftOut)) console.log(line);
  const found = steps.some(({ passed, failed, skipped }) => passed + failed + skipped > 0);
  if (!found) console.error("No test matches.");
  return !found || steps.some(({ failed }) => failed > 0) ? 1 : 0;
});
