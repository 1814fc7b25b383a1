import { homedir, hostname, platform } from "node:os";
import { MIN_PROTOCOL_VERSION, type NodeUp, PROTOCOL_VERSION } from "@reprise/protocol";
import { Agents } from "../agents/agents.ts";
import type { NodeConfig } from "../agents/config.ts";
import type { Executor } from "../executors/executor.ts";
import { DaemonExecutors } from "../executors/executors.ts";
import { bootId } from "../host/process.ts";
import { HOST_STARTS, JOURNAL_KEEP_MS } from "../limits.ts";
import { ControlLink } from "../link/control.ts";
import type { LinkTrouble } from "../link/core.ts";
import type { Log } from "../log.ts";
import { VERSION } from "../version.ts";
import { rootsOf } from "../workspace/roots.ts";
import { openCallable } from "./callable.ts";
import { Carrier } from "./carrier.ts";
import { type DaemonStatus, openDoor } from "./door.ts";
import { Gate } from "./gate.ts";
import { type Identity, saveIdentity } from "./identity.ts";
import { InventoryTeller } from "./inventory.ts";
import { Journal } from "./journal.ts";
import { Keepers } from "./keepers.ts";
import { takeLock } from "./lock.ts";
import { type StatePaths, sessionDir } from "./paths.ts";
import { Requests } from "./requests.ts";
import { watchSleep } from "./sleep.ts";
import { Slots } from "./slot-timer.ts";
import { workspaceOf } from "./tombstone.ts";
import { Ways } from "./ways.ts";
import { terminalWriter } from "./writes.ts";

export interface DaemonOptions {
  paths: StatePaths;
  identity: Identity;
  config: NodeConfig;
  /** `host.mjs` */
  hostBundle: string;
  /** In the place of processes of this machine, where one process plays many machines. */
  standalone?: Executor;
  log: Log;
  /** Asked over the door, or the control plane is too new for us. */
  onStop(why: "asked" | "too_old"): void;
}

export interface Daemon {
  close(): void;
}

/** Before this version, a control plane does not know what a node's runtimes are. */
const RUNTIMES_SINCE = 2;

/** Troubles in which the control plane turned us away: sessions' sockets would be, too. */
const TURNED_AWAY: readonly LinkTrouble[] = ["replaced", "credential_expired", "forbidden", "not_found"];

/**
 * The daemon of one node: adopts what lives, says hello, carries commands out, carries events up.
 * @throws JournalBusy when another one has the state folder, or Error when the node has not joined
 */
export async function startDaemon(options: DaemonOptions): Promise<Daemon> {
  const { paths, config, log } = options;
  let identity = options.identity;
  const joined = identity.joined;
  if (!joined) throw new Error("This machine hasn't joined a control plane. Run `agentctl join URL TOKEN` first.");
  const journal = new Journal(paths.journal);
  takeLock(paths);
  journal.prune(Date.now() - JOURNAL_KEEP_MS);
  const startedAt = Date.now();
  const boot = bootId();
  const roots = rootsOf(config.roots);
  const send = (frame: NodeUp) => control.send(frame);

  const owner = { node_id: joined.node_id, state_id: identity.state_id };
  const ways = new Ways(joined);
  let peer = MIN_PROTOCOL_VERSION;
  const executors = new DaemonExecutors({
    config,
    owner,
    bundle: options.hostBundle,
    standalone: options.standalone ?? null,
    log,
    changed: (runtimes) => {
      if (peer < RUNTIMES_SINCE) return false;
      send({ type: "runtimes.changed", runtimes });
      return true;
    },
  });
  const slots = new Slots();
  const keepers = new Keepers({
    paths,
    executors,
    dial: ways.session,
    shell: config.shell === "on",
    log,
    hostStarts: new Gate(HOST_STARTS),
    changed: (sessionId) => inventory.changed(sessionId),
    launchSettled: (executionId, failure) => carrier.launchSettled(executionId, failure),
    startOver: (executionId) => slots.done(executionId),
  });
  const inventory = new InventoryTeller({
    keepers: () => keepers.list(),
    keeper: (sessionId) => keepers.get(sessionId),
    lastSeq: () => journal.lastSeq(),
    send,
  });
  const carrier = new Carrier({
    paths,
    journal,
    keepers,
    slots,
    roots,
    runtimes: config.runtimes,
    shell: config.shell === "on",
    log,
    send,
    gone: (sessionId) => inventory.gone(sessionId),
    moved: (sessionId) => inventory.changed(sessionId),
  });
  const agents = new Agents({
    cachePath: paths.agents,
    config,
    log,
    changed: (list) => send({ type: "agents.changed", agents: list }),
  });
  const workspace = (sessionId: string) => (keepers.get(sessionId) ? workspaceOf(sessionDir(paths, sessionId)) : null);
  const write = terminalWriter(config.shell === "on", (sessionId) => keepers.get(sessionId)?.writes ?? null);
  const requests = new Requests({ agents, roots, log, workspace, write, send });

  const control = new ControlLink({
    dialSocket: ways.socket,
    dialPost: ways.post,
    log,
    onTransport: (transport) => ways.take(transport),
    hello: (afterYield) => ({
      type: "hello",
      protocol_version: PROTOCOL_VERSION,
      machine_id: identity.machine_id,
      state_id: identity.state_id,
      boot_id: boot,
      nonce: identity.nonce,
      after_yield: afterYield,
      daemon: { version: VERSION, pid: process.pid, started_at: startedAt },
      hostname: hostname(),
      platform: platform(),
      home: homedir(),
      agents: agents.list(),
      runtimes: executors.told(),
      inventory: inventory.whole(),
      agentctl_url: config.agentctl_url?.replace(/\/+$/, "") ?? null,
    }),
    onWelcome: (welcome) => {
      const moved = ways.welcomed(welcome.conn_id);
      peer = welcome.protocol_version;
      executors.tell();
      identity = {
        ...identity,
        nonce_before: identity.nonce,
        nonce: welcome.nonce,
        joined: { ...joined, name: welcome.node_name },
      };
      saveIdentity(paths, identity);
      if (moved) keepers.reroute();
      keepers.hold(false);
      keepers.nudge();
      keepers.setWants(welcome.wants, Date.now());
      carrier.repeatResults(Date.now());
      for (const numbered of welcome.commands) carrier.deliver(numbered);
    },
    onFrame: (frame) => {
      if (frame.type === "command") carrier.deliver(frame.numbered);
      if (frame.type === "wants") keepers.setWants(frame.wants, Date.now());
      if (frame.type === "request") void requests.answer(frame.request_id, frame.request);
    },
    onDown: (trouble) => {
      if (TURNED_AWAY.includes(trouble)) keepers.hold(true);
      // The newer nonce may have been lost on its way to the other side's disk: it takes the one before, too.
      if (trouble === "forbidden" && identity.nonce_before !== null)
        identity = { ...identity, nonce: identity.nonce_before, nonce_before: identity.nonce };
      if (trouble === "too_old") options.onStop("too_old");
    },
  });

  const torn = await keepers.scan();
  log.info({ sessions: keepers.list().length, torn_down: torn.length }, "scanned");
  const { listen } = config;
  const callable = listen
    ? await openCallable({
        listen,
        credential: joined.credential,
        log,
        agents: () => agents.list(),
        knock: () => control.knock(),
      })
    : null;
  const door = await openDoor(paths.door, status, () => options.onStop("asked"));
  control.start();
  carrier.resume(torn);
  keepers.start();
  agents.rescan();
  const stopWatching = watchSleep((sleptMs) => {
    log.info({ slept_ms: sleptMs }, "the machine slept");
    control.woke();
    keepers.woke();
  });

  function status(): DaemonStatus {
    return {
      version: VERSION,
      pid: process.pid,
      started_at: startedAt,
      state: paths.dir,
      node: { node_id: joined?.node_id ?? "", name: identity.joined?.name ?? "", url: joined?.url ?? "" },
      link: control.status,
      agents: agents.list(),
      sessions: keepers.list().map((keeper) => keeper.entry()),
      waiting_starts: slots.waiting,
    };
  }

  return {
    close() {
      stopWatching();
      carrier.close();
      slots.close();
      executors.close();
      inventory.close();
      keepers.close();
      control.close();
      door.close();
      callable?.close();
      journal.close();
    },
  };
}
