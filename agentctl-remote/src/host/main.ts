import "./lean.ts";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { parseArgs } from "node:util";
import { AGENT_TERMINAL, isTerminalDown } from "@reprise/protocol";
import { startAcpAgent } from "../drivers/acp/driver.ts";
import { lazily } from "../drivers/lazy.ts";
import type { TerminalAgents } from "../drivers/terminal/agents.ts";
import { FAREWELL_MS, IDLE_CHECK_MS, WORKSPACE_IDLE_MS } from "../limits.ts";
import { endLeftShells, noteShells } from "../terminal/ending.ts";
import { loadPty } from "../terminal/modules.ts";
import { Terminals } from "../terminal/terminals.ts";
import type { Launch } from "./core/types.ts";
import { lineLog } from "./log.ts";
import { EXECUTION_VARIABLE } from "./marked.ts";
import { sessionPaths, socketPath } from "./paths.ts";
import { bootId, containerLife, startTimeOf } from "./process.ts";
import { closeOpenExecution, type LastLife } from "./recover.ts";
import { Runner } from "./runner.ts";
import { HostServer } from "./server.ts";
import { EXIT_SPOOL_IN_USE, HostFile, HostOrders, readOrMakeNonce, writeWhole } from "./spawn.ts";
import { Spool, SpoolInUse } from "./spool.ts";
import { hostState } from "./state.ts";
import { HOST_PROTOCOL, type HostDown, type HostState } from "./wire.ts";

/**
 * `host.mjs <session folder> --found live|scan`: the process that serves one session and may run its agent.
 *
 * It ends on a teardown, a shutdown, or after an hour without agent and viewer (X6). SIGTERM, SIGINT and SIGHUP are no
 * orders to it: they are logged, and it goes on, because an agent's life is not a terminal's or a daemon's. A machine
 * that shuts down kills it a moment later all the same; the spool is synced at every step, and its next start writes
 * what happened.
 */
async function main(): Promise<void> {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { found: { type: "string" } } });
  const dir = positionals[0];
  if (dir === undefined) throw new Error("Which session's folder?");
  const paths = sessionPaths(dir);
  const session = HostOrders.parse(JSON.parse(readFileSync(paths.sessionFile, "utf8")));
  const found = (values.found ?? session.found) === "live" ? "live" : "scan";
  const { closing } = session;
  if (session.runtime === "docker" && !closing) process.env["REPRISE_BOOT_ID"] = containerLife();
  const log = lineLog({ pid: process.pid, session_id: session.session_id });
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const)
    process.on(signal, () => log(`${signal} is no order to end an agent; use stop, teardown or shutdown.`));
  const now = () => Date.now();
  const spool = openSpool(paths.spool, paths.reserve);
  const lastHost = readHostFile(paths.hostFile);
  const lastBoot = lastHost?.boot_id ?? null;
  const lastLife: LastLife = {
    found,
    lastBoot,
    runtime: session.runtime,
    gone: closing ?? null,
    reports: paths.reports,
  };
  await closeOpenExecution(spool, lastLife, log, now);
  // Those of a container that is gone went with it; what its note names here are strangers (X7).
  if (!closing) await endLeftShells(paths.shells, { boot_id: bootId(), startTimeOf }, log);

  const me = { pid: process.pid, start_time: startTimeOf(process.pid), boot_id: bootId() };
  let lastUse = now();
  let leaving = false;

  const runner = new Runner({
    spool,
    log,
    now,
    startDriver: (ports) =>
      ports.launch.spec.driver === "terminal" ? startTerminalAgent(ports) : startAcpAgent(ports),
    agentEnv: (executionId) => agentEnv(runner.state.execution?.launch.spec.env ?? {}, executionId),
    tell: (frame) => server.tell(frame),
    reply: (frame) => server.reply(frame),
    changed: () => server.changed(),
    leave: () => leave(),
  });
  const leave = (): void => {
    leaving = true;
    farewell().catch(fatal);
  };

  const terminals = new Terminals({
    cwd: session.workspace,
    // A shell here would be one of the machine, not of the container that is gone.
    pty: closing ? { ok: false, message: closing.message } : await loadPty(),
    tell: (frame) => server.tell(frame),
    changed: () => server.changed(),
    note: (shells) => noteShells(paths.shells, shells),
    identify: (pid) => ({ pid, start_time: startTimeOf(pid), boot_id: me.boot_id }),
    log,
  });

  let terminalAgents: TerminalAgents | null = null;
  const startTerminalAgent = lazily(async () => {
    const { TerminalAgents } = await import("../drivers/terminal/agents.ts");
    const found = (launch: Launch) => runner.dispatch({ type: "found", launch });
    const agents = new TerminalAgents({ paths, terminals, log, found });
    terminalAgents = agents;
    return (ports) => agents.start(ports);
  });

  const state = (): HostState => ({
    ...hostState(session, spool, runner, me),
    terminals: { support: terminals.support, panes: terminals.panes, alive: terminals.alive },
  });

  const onFrame = (frame: HostDown): void => {
    lastUse = now();
    if (isTerminalDown(frame)) {
      terminals.onFrame(frame);
      return;
    }
    switch (frame.type) {
      case "launch":
        if (closing) server.reply({ type: "command.failed", command_id: frame.command.command_id, failure: closing });
        else runner.dispatch(frame);
        return;
      case "ack":
        if (frame.spool_id !== spool.spool_id) return;
        if (!spool.ack(frame.seq)) log("The disk is too full to note an acknowledgement.", { seq: frame.seq });
        server.changed();
        if (closing && spool.acked === spool.last_seq) leave();
        return;
      case "watch":
        runner.watch(frame.on);
        return;
      case "terminal.write": {
        const { request_id, terminal_id, data } = frame;
        const written = terminals.write(terminal_id, Buffer.from(data, "base64"));
        // The agent's terminal of a host that died ended with it.
        const ended = written === "not_found" && terminal_id === AGENT_TERMINAL && existsSync(paths.runs);
        const outcome = ended ? "ended" : written;
        server.reply({ type: "terminal.written", request_id, outcome });
        return;
      }
      case "preview.whole":
        runner.whole(frame.item_id);
        return;
      case "follow":
        runner.dispatch({ type: "followed" });
        return;
      // The connection's own, or the daemon's: nothing follows from them here.
      case "hello":
      case "ping":
      case "unfollow":
      case "session.welcome":
      case "idle.ok":
        return;
      case "error":
        log("The control plane reported an error.", { code: frame.code, text: frame.message });
        return;
      default:
        runner.dispatch(frame);
    }
  };
  const server = new HostServer({
    spool,
    nonce: readOrMakeNonce(paths.nonceFile),
    log,
    state,
    onFrame,
    onUnfollowed: () => {
      runner.watch(false);
      terminals.dropPanes();
    },
  });

  const socket = socketPath(dir);
  await server.listen(socket);
  const file: HostFile = {
    host_protocol: HOST_PROTOCOL,
    session_id: session.session_id,
    runtime: session.runtime,
    workspace: session.workspace,
    ...me,
    socket,
    spool_id: spool.spool_id,
    started_at: now(),
  };
  writeWhole(paths.hostFile, JSON.stringify(file));
  log("Listening.", { socket, last_seq: spool.last_seq });

  const idleCheck = setInterval(() => {
    const { execution, waiting } = runner.state;
    const needed =
      terminals.alive > 0 || execution !== null || waiting !== null || server.followed || spool.last_seq > spool.acked;
    if (needed) lastUse = now();
    else if (now() - lastUse > WORKSPACE_IDLE_MS && !leaving) {
      log("Nobody used this workspace for an hour: ending. It is started again on demand.");
      leaving = true;
      farewell().catch(fatal);
    }
  }, IDLE_CHECK_MS);

  /** Let the last events be taken, then go. */
  async function farewell(): Promise<void> {
    clearInterval(idleCheck);
    terminalAgents?.close();
    await terminals.endAll();
    const until = now() + FAREWELL_MS;
    while (server.followed && spool.acked < spool.last_seq && now() < until)
      await new Promise((resolve) => setTimeout(resolve, 20));
    await server.close();
    rmSync(socket, { force: true });
    rmSync(paths.hostFile, { force: true });
    spool.close();
    log("Ended in order.");
    process.exit(0);
  }
}

function openSpool(path: string, reserve: string): Spool {
  try {
    return new Spool(path, reserve);
  } catch (error) {
    if (!(error instanceof SpoolInUse)) throw error;
    process.stdout.write(`${JSON.stringify({ pid: process.pid, message: error.message })}\n`);
    process.exit(EXIT_SPOOL_IN_USE);
  }
}

function readHostFile(path: string): HostFile | null {
  if (!existsSync(path)) return null;
  const parsed = HostFile.safeParse(JSON.parse(readFileSync(path, "utf8")));
  return parsed.success ? parsed.data : null;
}

/** The daemon's environment without what is ours, then the profile's, then the mark. */
function agentEnv(profile: Readonly<Record<string, string>>, executionId: string): Record<string, string> {
  const inherited = Object.entries(process.env).flatMap(([name, value]): [string, string][] =>
    value === undefined || name.startsWith("REPRISE_") ? [] : [[name, value]],
  );
  return { ...Object.fromEntries(inherited), ...profile, [EXECUTION_VARIABLE]: executionId };
}

function fatal(error: unknown): void {
  const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stdout.write(`${JSON.stringify({ pid: process.pid, message: "The host failed.", error: words })}\n`);
  process.exit(1);
}

process.on("uncaughtException", fatal);
process.on("unhandledRejection", fatal);
main().catch(fatal);
