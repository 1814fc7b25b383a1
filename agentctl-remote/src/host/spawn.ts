import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { Failure, MAX_PATH_CHARS, Runtime, SessionId } from "@reprise/protocol";
import { z } from "zod";
import { HOST_LOG_BYTES } from "../limits.ts";
import { type SessionPaths, sessionPaths } from "./paths.ts";
import { startTimeOf } from "./process.ts";

/** `session.json`: what a host of this session serves. Written before the first host starts. */
export const SessionFile = z.object({
  session_id: SessionId,
  runtime: Runtime,
  /** The folder that the agent works in. */
  workspace: z.string().min(1).max(MAX_PATH_CHARS),
});
export type SessionFile = z.infer<typeof SessionFile>;

/** The same file as a host reads it at its start. */
export const HostOrders = SessionFile.extend({
  /** As `--found`, where the command line is not the daemon's to write: a container's stays as it was made. */
  found: z.enum(["live", "scan"]).optional(),
  /** What it ran in is gone: close what is open with this reason, carry up what is left, run nothing, and go. */
  closing: Failure.optional(),
});
export type HostOrders = z.infer<typeof HostOrders>;

/** `host.json`: written by a host once it listens. Serves to find it and to kill it, never to trust it (X7). */
export const HostFile = z.object({
  host_protocol: z.number().int(),
  session_id: SessionId,
  runtime: Runtime,
  workspace: z.string(),
  pid: z.number().int(),
  start_time: z.string().nullable(),
  boot_id: z.string(),
  socket: z.string(),
  spool_id: z.string(),
  started_at: z.number(),
});
export type HostFile = z.infer<typeof HostFile>;

export interface SpawnHost {
  /** `<state>/sessions/<session_id>` */
  dir: string;
  session: HostOrders;
  /** The host's bundle, `host.mjs`. */
  bundle: string;
  /** How an execution that the spool has open was found to be over: while a daemon lived, or by a scan. */
  found: "live" | "scan";
  /** The Node that runs it; this one by default. */
  node?: string;
  env?: NodeJS.ProcessEnv;
}

/** The exit code of a host that found another one on its spool: that one serves the session, adopt it. */
export const EXIT_SPOOL_IN_USE = 17;

/**
 * A young generation of 1 MiB keeps a host 6 MB smaller; it makes little garbage. Without threads of its own for that,
 * the engine takes 1 MB less, and a terminal's output goes through no slower.
 */
const NODE_FLAGS = ["--disable-warning=ExperimentalWarning", "--max-semi-space-size=1", "--v8-pool-size=0"];

/** Whole or not at all: a reader never sees half a file. */
export function writeWhole(path: string, text: string, mode = 0o600): void {
  const temp = `${path}.${process.pid}.tmp`;
  writeFileSync(temp, text, { mode });
  renameSync(temp, path);
}

/** The session's nonce; made at its first host, then kept. */
export function readOrMakeNonce(path: string): string {
  if (!existsSync(path)) writeWhole(path, randomBytes(32).toString("hex"));
  return readFileSync(path, "utf8").trim();
}

/** Before each start of a host. */
export function writeOrders(paths: SessionPaths, orders: HostOrders): void {
  writeWhole(paths.sessionFile, JSON.stringify(HostOrders.parse(orders)));
}

/**
 * Start a detached host for a session: its own process session and group, its output in `host.log`. It is ready when
 * its socket answers (`connectHost`). Two started at once are no harm: the spool's lock lets one live.
 * @returns its pid and start time, as evidence for killing; `exited` resolves if it ends while this process lives
 */
export function spawnHost(options: SpawnHost): {
  pid: number;
  start_time: string | null;
  exited: Promise<number | null>;
} {
  const paths = sessionPaths(options.dir);
  mkdirSync(options.dir, { recursive: true, mode: 0o700 });
  readOrMakeNonce(paths.nonceFile);
  writeOrders(paths, options.session);
  if (existsSync(paths.log) && statSync(paths.log).size > HOST_LOG_BYTES) renameSync(paths.log, `${paths.log}.old`);
  const log = openSync(paths.log, "a", 0o600);
  try {
    const child = spawn(
      options.node ?? process.execPath,
      [...NODE_FLAGS, options.bundle, options.dir, "--found", options.found],
      {
        cwd: options.dir,
        env: options.env ?? process.env,
        detached: true,
        stdio: ["ignore", log, log],
      },
    );
    const exited = new Promise<number | null>((resolve) => {
      child.once("exit", (code) => resolve(code));
      child.once("error", () => resolve(null));
    });
    child.unref();
    if (child.pid === undefined)
      throw new Error(`The host could not be started with ${options.node ?? process.execPath}.`);
    return { pid: child.pid, start_time: startTimeOf(child.pid), exited };
  } finally {
    closeSync(log);
  }
}
