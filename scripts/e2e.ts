import { REAL_AGENTS_ENV } from "./ensure/real-agents.ts";
import { main } from "./lib/explained.ts";
import { ROOT } from "./lib/paths.ts";
import { endChildrenOnSignals } from "./lib/run.ts";
import { parseOptions } from "./test/options.ts";
import { buildStep, e2eStep, notRun, step } from "./test/steps.ts";
import { summary } from "./test/summary.ts";

const options = parseOptions(process.argv.slice(2), process.env[REAL_AGENTS_ENV]);

await main(async () => {
  endChildrenOnSignals();
  const built = await step("build", () => buildStep());
  const ran = built.failed > 0 ? notRun("e2e", "the build failed") : await step("e2e", () => e2eStep(ROOT, options));
  for (const line of summary([built, ran], [])) console.log(line);
  const found = ran.passed + ran.failed + ran.skipped > 0;
  if (!found) console.error("No end-to-end test matches.");
  return built.failed + ran.failed > 0 || !found ? 1 : 0;
});
