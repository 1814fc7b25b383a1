import { existsSync, mkdirSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import type { Failure } from "@reprise/protocol";
import { crashPoint } from "../../daemon/crash-point.ts";
import { readLeftSpool } from "../../daemon/known.ts";
import { readWorkspace } from "../../daemon/tombstone.ts";
import { forgetInsideSocket, type SessionPaths } from "../../host/paths.ts";
import { readOrMakeNonce, type SessionFile, writeOrders } from "../../host/spawn.ts";
import type { SpoolReading } from "../../host/spool.ts";
import { HOST_DEATH_MS, HOST_POLL_MS, HOST_START_MS } from "../../limits.ts";
import type { Log } from "../../log.ts";
import { dial } from "../dial.ts";
import type { Executor, Listener, Place, Reached, Removed, Started } from "../executor.ts";
import { imageMissing } from "../runtimes.ts";
import { startHost } from "../standalone/reach.ts";
import type { DockerConfig } from "./config.ts";
import { containerOptions, type Owner, readContainer, socketOf } from "./container.ts";
import { Containers, type Found } from "./containers.ts";
import { isStopped, verdict } from "./core/verdict.ts";
import type { Answer, Engine } from "./engine.ts";

export interface DockerPorts {
  /** null: the machine's owner does not allow Docker any more; what is there is still found, ended and removed. */
  config: DockerConfig | null;
  engine: Engine;
  owner: Owner;
  /** `host.mjs` of this machine: closes what a lost container left open. */
  bundle: string;
  log: Log;
}

const GONE: Failure = {
  code: "container_missing",
  message: "The container of this session is gone, and its conversation with it.",
};
const NOWHERE: Failure = { code: "workspace_missing", message: "Nobody said where this session works." };

/** Hosts as the main processes of containers (X2, X7). */
export class DockerExecutor implements Executor {
  readonly runtime = "docker";
  private readonly ports: DockerPorts;
  private readonly containers: Containers;

  constructor(ports: DockerPorts) {
    this.ports = ports;
    this.containers = new Containers(ports.engine, ports.owner, ports.log);
  }

  async reach({ paths, session }: Place, listener: Listener, urgent: boolean): Promise<Reached> {
    const until = performance.now() + HOST_DEATH_MS;
    for (;;) {
      const result = await dial(paths, socketOf(paths), listener);
      if (result.ok) {
        const { session_id } = result.link.hello;
        // Lost, it is noted again while that is easy.
        if (readContainer(paths) === null) await this.containers.find(paths, session_id, false);
        return { host: "alive", link: result.link };
      }
      if (!session) return { host: "dead", spool: this.spool(paths), gone: null };
      const seen = await this.containers.find(paths, session.session_id, urgent);
      const spool = this.spool(paths);
      if (!seen.ok) return away(seen, spool);
      switch (verdict(seen.value, had(paths, spool), spool.state === "locked")) {
        case "gone":
          return { host: "dead", spool, gone: GONE };
        case "none":
        case "stopped":
          return { host: "dead", spool, gone: null };
        case "silent":
          if (performance.now() >= until) return { host: "unknown", message: silence(seen.value, result.message) };
          await pause(HOST_POLL_MS);
      }
    }
  }

  async start(at: Place, found: "live" | "scan", listener: Listener): Promise<Started> {
    const { paths, session } = at;
    if (!session) return { ok: false, why: "failed", failure: NOWHERE };
    const spool = this.spool(paths);
    const seen = await this.containers.find(paths, session.session_id, true);
    if (!seen.ok) return notStarted(seen);
    const what = verdict(seen.value, had(paths, spool), spool.state === "locked");
    if (what === "gone") return await this.close(paths, session, spool, { why: "gone", failure: GONE }, listener);
    if (what === "silent") return await this.answering(paths, seen.value, listener);
    if (!existsSync(session.workspace)) {
      const message = `The folder ${session.workspace} is gone from this machine.`;
      const failure: Failure = { code: "workspace_missing", message };
      return await this.close(paths, session, spool, { why: "failed", failure }, listener);
    }
    const container = await this.containerFor(paths, session, seen.value);
    if (!container.ok) return notStarted(container);
    const alone = found === "live" && (await this.containers.diedAlone(container.value));
    prepare(paths, session, alone ? "live" : "scan");
    crashPoint("before_spawn");
    const { id } = container.value;
    const started = await this.ports.engine.ask(true, (docker) => docker.getContainer(id).start());
    if (!started.ok) return notStarted(started);
    listener.log.info({ container_id: id, found: alone ? "live" : "scan" }, "container started");
    crashPoint("after_spawn");
    return await this.answering(paths, container.value, listener);
  }

  async kill({ paths, session }: Place): Promise<Removed> {
    const seen = await this.containers.find(paths, session?.session_id ?? "", true);
    if (!seen.ok) return failed(seen);
    const id = seen.value?.id;
    // A paused one is frozen, not ended, and one that the engine restarts is about to run.
    if (id === undefined || isStopped(seen.value)) return { ok: true };
    const killed = await this.ports.engine.ask(true, (docker) => docker.getContainer(id).kill());
    return killed.ok ? { ok: true } : failed(killed);
  }

  async remove({ paths, session }: Place): Promise<Removed> {
    if (!session) return { ok: true };
    const removed = await this.containers.remove(session.session_id);
    if (removed.ok) forgetInsideSocket(paths.dir);
    return removed.ok ? { ok: true } : failed(removed);
  }

  containerId({ paths }: Place): string | null {
    return readContainer(paths)?.id ?? null;
  }

  private spool(paths: SessionPaths): SpoolReading {
    return readLeftSpool(paths, (error) => this.ports.log.error({ err: error }, "a spool can't be read"));
  }

  /** The one that there is, was before the state folder was lost, or is made now. */
  private async containerFor(paths: SessionPaths, session: SessionFile, seen: Found | null): Promise<Answer<Found>> {
    if (seen !== null) return { ok: true, value: seen };
    mkdirSync(paths.dir, { recursive: true, mode: 0o700 });
    const left = await this.containers.takeOver(paths, session.session_id);
    if (!left.ok) return left;
    return left.value === null ? await this.make(paths, session) : { ok: true, value: left.value };
  }

  private async make(paths: SessionPaths, session: SessionFile): Promise<Answer<Found>> {
    const { config, engine, owner } = this.ports;
    if (!config) {
      const message = "This machine's config.json names no image for Docker.";
      return { ok: false, why: "refused", status: 0, message };
    }
    const user = `${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`;
    const limits = process.env["REPRISE_LIMITS"];
    const env: Record<string, string> = limits === undefined ? {} : { REPRISE_LIMITS: limits };
    const spec = readWorkspace(paths.dir);
    const made = await engine.ask(true, (docker) =>
      docker.createContainer(containerOptions({ paths, session, spec }, config, owner, { user, env })),
    );
    if (!made.ok && made.why === "refused" && /no such image/i.test(made.message))
      return { ...made, message: imageMissing(config.image) };
    if (!made.ok) return made;
    await this.containers.note(paths, session.session_id, made.value.id);
    return { ok: true, value: { id: made.value.id, status: "created", started_at: new Date().toISOString() } };
  }

  /** Wait until the host in a container that was started answers. */
  private async answering(paths: SessionPaths, container: Found | null, listener: Listener): Promise<Started> {
    const until = performance.now() + HOST_START_MS;
    let message = "";
    while (performance.now() < until) {
      const result = await dial(paths, socketOf(paths), listener);
      if (result.ok) return { ok: true, link: result.link };
      message = result.message;
      const now = container && (await this.containers.inspect(container.id, false));
      if (now && !now.ok) return notStarted(now);
      if (now?.value?.status === "exited") {
        const words = await this.containers.words(now.value.id);
        return start_failed(`The container ended at its start. ${words}`);
      }
      await pause(HOST_POLL_MS);
    }
    return start_failed(`The host in the container did not answer within ${HOST_START_MS / 1_000} s. ${message}`);
  }

  /** No container can: a host of the machine itself closes what is open and carries up what is left, and then goes. */
  private async close(
    paths: SessionPaths,
    session: SessionFile,
    spool: SpoolReading,
    why: { why: "gone" | "failed"; failure: Failure },
    listener: Listener,
  ): Promise<Started> {
    const left = spool.state === "read" && (spool.facts.execution?.open === true || spool.last_seq > spool.acked);
    if (!left) return { ok: false, ...why };
    const closing = { ...session, closing: why.failure };
    return await startHost(paths, closing, { bundle: this.ports.bundle, found: "scan" }, listener);
  }
}

/** Everything that the host finds in its folder at its start. */
function prepare(paths: SessionPaths, session: SessionFile, found: "live" | "scan"): void {
  mkdirSync(paths.dir, { recursive: true, mode: 0o700 });
  readOrMakeNonce(paths.nonceFile);
  writeOrders(paths, { ...session, found });
}

/** A container was made for it once: its note says so, or what ran in it. */
function had(paths: SessionPaths, spool: SpoolReading): boolean {
  return readContainer(paths) !== null || (spool.state === "read" && spool.facts.execution !== null);
}

function silence(container: Found | null, message: string): string {
  return container?.status === "paused" ? "The container is paused." : message;
}

function away(answer: Extract<Answer<unknown>, { ok: false }>, spool: SpoolReading): Reached {
  if (answer.why === "away") return { host: "away", spool, failure: answer.failure, retry_at: answer.retry_at };
  // It answers with a fault of its own: that says nothing of the container (T3).
  return { host: "unknown", message: answer.message };
}

function start_failed(message: string): Started {
  return { ok: false, why: "failed", failure: { code: "host_start_failed", message: message.trim().slice(0, 2_000) } };
}

function notStarted(answer: Extract<Answer<unknown>, { ok: false }>): Started {
  if (answer.why === "refused") return start_failed(answer.message);
  return { ok: false, why: "away", failure: answer.failure, retry_at: answer.retry_at };
}

function failed(answer: Extract<Answer<unknown>, { ok: false }>): Removed {
  if (answer.why === "away") return { ok: false, failure: answer.failure };
  return { ok: false, failure: { code: "internal", message: `Docker refused: ${answer.message}`.slice(0, 2_000) } };
}
