import { parseArgs } from "node:util";
import { main } from "./lib/explained.ts";
import { endByFile } from "./run/end.ts";
import { liveHosts } from "./run/hosts.ts";
import { START_END_MS } from "./run/limits.ts";
import { agentctl } from "./run/node.ts";
import { stateFolder } from "./run/state.ts";

await main(async () => {
  const { values } = parseArgs({ options: { state: { type: "string" } } });
  const state = stateFolder(values.state);
  const running = await endByFile(state.pids.start, START_END_MS);
  // What a start that was killed has left. The daemon goes before its hosts, or it would start them again.
  for (const file of [state.pids.node, state.pids.controlPlane, state.pids.dashboard]) await endByFile(file);
  console.log(running ? "Reprise has ended." : "Reprise was not running.");
  if (liveHosts(state.node).length > 0) console.log(await agentctl(["stop-hosts", "--state", state.node]));
  return 0;
});
