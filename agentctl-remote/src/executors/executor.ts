import type { Failure, Runtime } from "@reprise/protocol";
import type { HostLink } from "../host/client.ts";
import type { SessionPaths } from "../host/paths.ts";
import type { SessionFile } from "../host/spawn.ts";
import type { SpoolReading } from "../host/spool.ts";
import type { HostUp } from "../host/wire.ts";
import type { Log } from "../log.ts";

/** Where a session lies on this machine, and what a host of it serves (null when nobody said yet). */
export interface Place {
  paths: SessionPaths;
  session: SessionFile | null;
}

/** Takes what a host says. */
export interface Listener {
  onFrame: (frame: HostUp) => void;
  log: Log;
}

/** What a look at a session's host found. */
export type Reached =
  | { host: "alive"; link: HostLink }
  /** It is there and doesn't answer: never dead (T3). */
  | { host: "unknown"; message: string }
  /** `gone`: what it ran in is gone for good, so none of its kind can follow. */
  | { host: "dead"; spool: SpoolReading; gone: Failure | null }
  /** The runtime itself doesn't answer, so nobody knows. It is asked again at `retry_at`. */
  | { host: "away"; spool: SpoolReading; failure: Failure; retry_at: number };

/** What became of a start. */
export type Started =
  | { ok: true; link: HostLink }
  /** `gone`: what it ran in is gone for good. */
  | { ok: false; why: "failed" | "gone"; failure: Failure }
  /** The runtime doesn't answer, and is asked again at `retry_at`. */
  | { ok: false; why: "away"; failure: Failure; retry_at: number };

/** What became of a removal or a kill. */
export type Removed = { ok: true } | { ok: false; failure: Failure };

/** The seam between the supervision of hosts and what they run in (X2). */
export interface Executor {
  readonly runtime: Runtime;
  /** Look for a session's host, and adopt it if it lives and proves itself (X7). @param urgent a person waits */
  reach(at: Place, listener: Listener, urgent: boolean): Promise<Reached>;
  /** Start a session's host and wait until it answers. Should another one hold the spool, that one is taken. */
  start(at: Place, found: "live" | "scan", listener: Listener): Promise<Started>;
  /** End a host that doesn't end by itself. What its agent leaves is ended by the next host. */
  kill(at: Place): Promise<Removed>;
  /** Remove what the runtime holds for a session whose host has ended. */
  remove(at: Place): Promise<Removed>;
  /** In a container: its id, once it has one. */
  containerId(at: Place): string | null;
}

/** The executors of this machine, by runtime. */
export interface Executors {
  of(runtime: Runtime): Executor;
}
