import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { readConfig } from "../agents/config.ts";
import { startDaemon } from "../daemon/daemon.ts";
import { askDoor } from "../daemon/door.ts";
import { loadIdentity } from "../daemon/identity.ts";
import { JournalBusy } from "../daemon/journal.ts";
import { lockHolder } from "../daemon/lock.ts";
import { makeStateFolder, type StatePaths, statePaths } from "../daemon/paths.ts";
import { CLI_POLL_MS, EXIT_GRACE_MS, UP_LIMIT_MS } from "../limits.ts";
import { TROUBLE_WORDS } from "../link/words.ts";
import { makeLog } from "../log.ts";
import { CliError, EXIT } from "./exit.ts";
import { hostBundle } from "./host-bundle.ts";

export interface UpOptions {
  state?: string;
  foreground?: boolean;
  root?: string[];
}

/** Run the daemon, here or in the background. @returns what to tell the person; null while it runs in the foreground */
export async function up(options: UpOptions): Promise<string | null> {
  const paths = statePaths(options.state);
  makeStateFolder(paths);
  if (!loadIdentity(paths).joined)
    throw new CliError(
      EXIT.not_joined,
      "This machine hasn't joined a control plane. Make a join token under Machines, then run: agentctl join URL TOKEN",
    );
  const running = lockHolder(paths);
  if (running) throw alreadyRuns(running.pid);
  if (!options.foreground) return await inBackground(paths, options);
  await inForeground(paths, options);
  return null;
}

function alreadyRuns(pid: number | null): CliError {
  const who = pid === null ? "" : ` (pid ${pid})`;
  return new CliError(
    EXIT.daemon_state,
    `A daemon runs on this state folder already${who}. See it with: agentctl status`,
  );
}

async function inForeground(paths: StatePaths, options: UpOptions): Promise<void> {
  const log = makeLog();
  const config = readConfig(paths.config);
  let over = false;
  const end = (code: number) => {
    if (over) return;
    over = true;
    daemon?.close();
    // Sockets get a moment for their close frames; nothing else holds the process.
    process.exitCode = code;
    setTimeout(() => process.exit(code), EXIT_GRACE_MS).unref();
  };
  let daemon: { close(): void } | null = null;
  try {
    daemon = await startDaemon({
      paths,
      identity: loadIdentity(paths),
      config: { ...config, roots: [...config.roots, ...(options.root ?? [])] },
      hostBundle: hostBundle(),
      log,
      onStop: (why) => {
        if (why === "too_old") log.fatal(TROUBLE_WORDS.too_old);
        end(why === "too_old" ? EXIT.too_old : EXIT.ok);
      },
    });
  } catch (error) {
    if (error instanceof JournalBusy) throw alreadyRuns(null);
    throw error;
  }
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => {
      log.info({ signal }, "ending; hosts and their agents go on");
      end(EXIT.ok);
    });
}

async function inBackground(paths: StatePaths, options: UpOptions): Promise<string> {
  const log = openSync(paths.log, "a", 0o600);
  const roots = (options.root ?? []).flatMap((root) => ["--root", root]);
  const script = process.argv[1] ?? "";
  const args = [...process.execArgv, script, "up", "--foreground", "--state", paths.dir, ...roots];
  const child = spawn(process.execPath, args, { detached: true, stdio: ["ignore", log, log] });
  closeSync(log);
  let exit: number | null | undefined;
  child.once("exit", (code) => {
    exit = code;
  });
  child.unref();
  const until = Date.now() + UP_LIMIT_MS;
  for (;;) {
    const status = await askDoor(paths.door, "status");
    if (status?.link.connected) return `Connected to ${status.node.url} as "${status.node.name}" (pid ${status.pid}).`;
    if (exit !== undefined)
      throw new CliError(exit ?? EXIT.failed, `The daemon ended at once (status ${exit}). Its log: ${paths.log}`);
    if (Date.now() > until) {
      if (!status) throw new CliError(EXIT.failed, `The daemon doesn't answer. Its log: ${paths.log}`);
      return `Running (pid ${status.pid}), but not connected yet: ${status.link.message} It keeps trying.`;
    }
    await pause(CLI_POLL_MS);
  }
}

/** End the daemon; hosts and their agents go on. */
export async function down(state: string | undefined): Promise<string> {
  const paths = statePaths(state);
  const status = await askDoor(paths.door, "stop");
  if (!status) throw new CliError(EXIT.daemon_state, "No daemon runs on this state folder.");
  const until = Date.now() + UP_LIMIT_MS;
  while (lockHolder(paths) !== null) {
    if (Date.now() > until) throw new CliError(EXIT.failed, `The daemon (pid ${status.pid}) didn't end in time.`);
    await pause(CLI_POLL_MS);
  }
  const alive = status.sessions.filter((session) => session.host.state === "alive").length;
  return `The daemon has ended.${alive > 0 ? ` ${alive} session host(s) go on; the next \`agentctl up\` finds them.` : ""}`;
}
