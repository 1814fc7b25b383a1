import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { duration, paint } from "./lib/colour.ts";
import { Explained, main } from "./lib/explained.ts";
import { ROOT } from "./lib/paths.ts";
import { startDashboardDev, startWorkerDev } from "./run/dev-servers.ts";
import { liveHosts } from "./run/hosts.ts";
import { letGo, nodeOnline, runningStart, takeOver } from "./run/local.ts";
import { startNode } from "./run/node.ts";
import { parseStart } from "./run/options.ts";
import { asOwner, localJoinToken, signInLink } from "./run/setup.ts";
import { asked, failsWhen, Interrupted } from "./run/signals.ts";
import { makeStateFolder, setupSecret, stateFolder } from "./run/state.ts";
import { leftRunning } from "./run/words.ts";

await main(async () => {
  const started = performance.now();
  const options = parseStart(process.argv.slice(2));
  const state = stateFolder(options.state);
  const other = runningStart(state);
  if (other) throw new Explained(`Reprise runs already (process ${other.pid}); \`npm stop\` ends it.`);
  const interrupted = asked();
  makeStateFolder(state);
  await takeOver(state);
  // wrangler wants the assets' folder to be there, though vite serves the pages.
  mkdirSync(join(ROOT, "dashboard", "dist"), { recursive: true });
  const secret = setupSecret(state);
  const stops: (() => Promise<void>)[] = [];
  try {
    const worker = await startWorkerDev(state, options.port);
    stops.unshift(worker.stop);
    const dashboard = await startDashboardDev(state, worker.port);
    stops.unshift(dashboard.stop);
    const ends = [failsWhen(worker.ended), failsWhen(dashboard.ended)];
    if (options.node) {
      const node = await startNode({
        state: state.node,
        origin: worker.origin,
        joinToken: () => localJoinToken(worker.origin, secret),
        log: `${state.logs}/node.log`,
        pidFile: state.pids.node,
        say: console.log,
      });
      stops.unshift(node.stop);
      const gone = failsWhen(node.ended);
      ends.push(gone);
      const look = asOwner(worker.origin, secret, (client) => nodeOnline(client, node.nodeId, gone));
      await Promise.race([look, interrupted, ...ends]);
    }
    const link = new URL(await signInLink(worker.origin, secret));
    link.port = `${dashboard.port}`;
    console.log(
      `\nReprise is ready after ${duration(performance.now() - started)}, and follows changes of its sources.`,
    );
    console.log(`Sign in (this link works once):\n\n  ${paint("bold", link.href)}\n`);
    console.log("The daemon is built once: start again after changes in agentctl-remote.");
    await Promise.race([interrupted, ...ends]);
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
  } finally {
    for (const stop of stops) await stop();
    letGo(state);
    console.log(`\nReprise has ended. ${leftRunning(liveHosts(state.node).length)}`);
  }
  return 0;
});
