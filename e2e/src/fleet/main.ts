// A process that plays machines: for each a real daemon, whose hosts and agents live in this process's memory.
import { Writable } from "node:stream";
import pino from "pino";
import { readConfig } from "../../../agentctl-remote/src/agents/config.ts";
import { join } from "../../../agentctl-remote/src/cli/join.ts";
import { type Daemon, startDaemon } from "../../../agentctl-remote/src/daemon/daemon.ts";
import { loadIdentity, saveIdentity } from "../../../agentctl-remote/src/daemon/identity.ts";
import { makeStateFolder, statePaths } from "../../../agentctl-remote/src/daemon/paths.ts";
import { simulatedExecutor } from "./executor.ts";
import { type Answer, Numbered, type Order, type Truth } from "./orders.ts";
import { World } from "./world.ts";

type Machine = Extract<Order, { type: "start" }>["machines"][number];

/** Above every real pid. */
const FIRST_PID = 10_000_000;
const PIDS_A_MACHINE = 100_000;

const worlds: World[] = [];
const nodeIds: Record<string, string> = {};
const daemons: Daemon[] = [];

async function startMachine(machine: Machine, url: string): Promise<void> {
  const { name, dir, token } = machine;
  const paths = statePaths(dir);
  makeStateFolder(paths);
  if (token !== null) {
    const identity = { machine_id: `machine-${name}`, state_id: `state-${name}`, joined: null };
    saveIdentity(paths, { ...identity, nonce: null, nonce_before: null });
    await join(url, token, { name, state: dir });
  }
  const world = new World(name, FIRST_PID + Number(name.replace(/\D/g, "")) * PIDS_A_MACHINE);
  worlds.push(world);
  const identity = loadIdentity(paths);
  nodeIds[name] = identity.joined?.node_id ?? "";
  daemons.push(
    await startDaemon({
      paths,
      identity,
      config: readConfig(paths.config),
      hostBundle: "",
      standalone: simulatedExecutor(world),
      log: logOf(world),
      onStop: (why) => {
        throw new Error(`${name} stopped: ${why}`);
      },
    }),
  );
}

/** The daemon's own words: when it is going to dial, and that its hello was answered. */
function logOf(world: World) {
  const sink = new Writable({
    write(chunk, _encoding, done) {
      const line = String(chunk);
      const dial = /"retry_at":([\d.]+)/.exec(line)?.[1];
      if (dial !== undefined) world.dials.push(Number(dial));
      if (line.includes('"msg":"connected"')) world.connects.push(Date.now());
      else if (/"level":(50|60)/.test(line)) process.stderr.write(`${world.machine} ${line}`);
      done();
    },
  });
  return pino({ level: "debug", base: null }, sink);
}

function truth(): Truth {
  return {
    sessions: worlds.flatMap((world) => [...world.sessions.values()]),
    starts: worlds.flatMap((world) => world.starts),
    dials: worlds.flatMap((world) => world.dials),
    connects: worlds.flatMap((world) => world.connects.map((at) => ({ machine: world.machine, at }))),
    node_ids: nodeIds,
  };
}

async function carryOut(order: Order): Promise<void> {
  switch (order.type) {
    case "start":
      await Promise.all(order.machines.map((machine) => startMachine(machine, order.url)));
      return;
    case "truth":
      return;
    case "finish":
    case "kill_agents":
      for (const world of worlds)
        for (const [session_id, agent] of world.agents) {
          if (order.sessions !== null && !order.sessions.includes(session_id)) continue;
          if (order.type === "finish") agent.finish();
          else agent.die();
        }
      return;
  }
}

process.on("message", (message) => {
  const { n, order } = Numbered.parse(message);
  const tell = (answer: Omit<Answer, "n">) => process.send?.({ n, ...answer });
  carryOut(order).then(
    () => tell({ error: null, truth: truth() }),
    (error: unknown) =>
      tell({ error: error instanceof Error ? (error.stack ?? error.message) : String(error), truth: null }),
  );
});
process.send?.({ n: 0, error: null, truth: truth() } satisfies Answer);
// Nobody is left who could ask: what is played here ends with its test.
process.on("disconnect", () => process.exit(0));
