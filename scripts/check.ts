import { runStepIn, runSteps } from "./check/run-steps.ts";
import { checkSteps } from "./check/steps.ts";
import { ROOT } from "./lib/paths.ts";
import { endChildrenOnSignals } from "./lib/run.ts";

endChildrenOnSignals();
const results = await runSteps(checkSteps(ROOT), runStepIn(ROOT), (line) => console.log(line));
const failed = results.filter(({ passed }) => !passed).length;
console.log(`${results.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
