import { duration, paint } from "./lib/colour.ts";
import { main } from "./lib/explained.ts";
import { ensureBuilt } from "./run/built.ts";
import { type ControlPlane, startControlPlane } from "./run/control-plane.ts";
import { liveHosts } from "./run/hosts.ts";
import { letGo, nodeOnline, runningStart, takeOver } from "./run/local.ts";
import { type LocalNode, startNode } from "./run/node.ts";
import { parseStart } from "./run/options.ts";
import { asOwner, localJoinToken, signInLink } from "./run/setup.ts";
import { asked, failsWhen, Interrupted } from "./run/signals.ts";
import { makeStateFolder, type StateFolder, stateFolder } from "./run/state.ts";
import { foundAgain, leftRunning } from "./run/words.ts";

const say = (line: string) => console.log(line);

async function bringUp(state: StateFolder, plane: ControlPlane, withNode: boolean, started: number) {
  const { origin, setupSecret: secret } = plane;
  const node = withNode
    ? await startNode({
        state: state.node,
        origin,
        joinToken: () => localJoinToken(origin, secret),
        log: `${state.logs}/node.log`,
        pidFile: state.pids.node,
        say,
      })
    : null;
  return {
    node,
    greet: async () => {
      const sessions = await asOwner(origin, secret, async (client) => {
        if (node) await nodeOnline(client, node.nodeId, failsWhen(node.ended));
        return (await client.sessions.list()).sessions;
      });
      say(`\nReprise is ready after ${duration(performance.now() - started)}. Sign in (this link works once):\n`);
      say(`  ${paint("bold", await signInLink(origin, secret))}\n`);
      const found = foundAgain(sessions);
      if (found) say(found);
      say(`It keeps everything in ${state.dir}. Ctrl-C ends it; agents that run go on.`);
    },
  };
}

await main(async () => {
  const started = performance.now();
  const options = parseStart(process.argv.slice(2));
  const state = stateFolder(options.state);
  const other = runningStart(state);
  if (other) {
    const link = await signInLink(other.origin, other.secret).catch(() => null);
    say(`Reprise runs already (process ${other.pid}) at ${other.origin}.`);
    say(link ? `Sign in (this link works once):\n\n  ${link}\n` : "It doesn't answer yet.");
    return 0;
  }
  const interrupted = asked();
  makeStateFolder(state);
  await takeOver(state);
  let plane: ControlPlane | null = null;
  let node: LocalNode | null = null;
  try {
    const parts = options.node ? (["agentctl-remote", "dashboard"] as const) : (["dashboard"] as const);
    await Promise.race([ensureBuilt(parts, say), interrupted]);
    plane = await startControlPlane({ state, port: options.port, say });
    const up = await bringUp(state, plane, options.node, started);
    node = up.node;
    const ends = [failsWhen(plane.ended), ...(node ? [failsWhen(node.ended)] : [])];
    await Promise.race([up.greet(), interrupted, ...ends]);
    await Promise.race([interrupted, ...ends]);
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
  } finally {
    // The daemon first: it says goodbye to a control plane that still listens.
    await node?.stop();
    await plane?.stop();
    letGo(state);
    say(`\nReprise has ended. ${leftRunning(liveHosts(state.node).length)}`);
  }
  return 0;
});
