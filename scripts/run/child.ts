import { type ChildProcess, spawn } from "node:child_process";
import { removePidFile, writePidFile } from "../lib/pid-file.ts";
import { endLeader, killLeader, type Leader, leader } from "./end.ts";
import { closeLog, lastLines, openLog } from "./log-file.ts";

export interface LoggedChild {
  readonly child: ChildProcess;
  readonly pid: number;
  /** Settles when it is gone, with words about how. */
  readonly ended: Promise<string>;
  /** In order, and by force after a grace. */
  stop(): Promise<void>;
  /** kill -9, its whole group. */
  kill9(): Promise<void>;
}

export interface ChildOptions {
  /** For sentences: "The control plane". */
  name: string;
  log: string;
  pidFile?: string | undefined;
  cwd?: string | undefined;
  env?: NodeJS.ProcessEnv | undefined;
  /** A command that becomes the program once it has set its surroundings up (`nsenter --net=…`): the pid stays. */
  through?: readonly string[] | undefined;
  /** With a line to it, over which it also notices that this process is gone. */
  ipc?: boolean | undefined;
}

/** Starts a process in a group of its own, with its output in a log and its name in a pid file. */
export function startLogged(args: readonly string[], options: ChildOptions): LoggedChild {
  const log = openLog(options.log);
  const [command = process.execPath, ...before] = [...(options.through ?? []), process.execPath];
  const child = spawn(command, [...before, ...args], {
    cwd: options.cwd,
    env: options.env ?? process.env,
    stdio: options.ipc ? ["ignore", log, log, "ipc"] : ["ignore", log, log],
    detached: true,
  });
  closeLog(log);
  const ended = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(`${options.name} could not be started: ${error.message}`));
    child.once("exit", (code, signal) => {
      const how = signal ? `was ended by ${signal}` : `ended with status ${code}`;
      resolve(`${options.name} ${how}. Its log ${options.log} ends with:\n${lastLines(options.log)}`);
    });
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${options.name} could not be started.`);
  const who: Leader | null = leader(pid);
  if (who && options.pidFile) writePidFile(options.pidFile, pid);
  const away = async (how: (who: Leader) => Promise<void>) => {
    if (who) await how(who);
    await ended;
    if (options.pidFile) removePidFile(options.pidFile);
  };
  return { child, pid, ended, stop: () => away(endLeader), kill9: () => away(killLeader) };
}
