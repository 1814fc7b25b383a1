import { existsSync, mkdirSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { SessionId, type Want } from "@reprise/protocol";
import { sessionPaths } from "../host/paths.ts";
import { SCAN_PARALLEL, WANT_MIN_MS } from "../limits.ts";
import type { Dial } from "../link/wire.ts";
import type { Log } from "../log.ts";
import { Gate } from "./gate.ts";
import { Keeper, type KeeperPorts } from "./keeper.ts";
import { moveToOwn } from "./own.ts";
import { type StatePaths, sessionDir } from "./paths.ts";
import { isTornDown } from "./tombstone.ts";

type Shared = Omit<KeeperPorts, "sessionId" | "dir" | "dial" | "changed">;
export interface KeepersPorts extends Shared {
  paths: StatePaths;
  dial(sessionId: string): Dial;
  changed(sessionId: string): void;
  log: Log;
}

/** All sessions of this node. */
export class Keepers {
  private readonly ports: KeepersPorts;
  private readonly all = new Map<string, Keeper>();
  private wants: { want: Want; until: number }[] = [];
  private timer: NodeJS.Timeout | null = null;
  private started = false;

  constructor(ports: KeepersPorts) {
    this.ports = ports;
  }

  /** Look at every session folder; adopts what lives. @returns the sessions that are to be torn down still */
  async scan(): Promise<string[]> {
    const names = (await readdir(this.ports.paths.sessions)).filter((name) => SessionId.safeParse(name).success);
    const torn: string[] = [];
    const gate = new Gate(SCAN_PARALLEL);
    await Promise.all(
      names.map((name) =>
        gate.run(async () => {
          moveToOwn(sessionPaths(sessionDir(this.ports.paths, name)));
          if (isTornDown(sessionDir(this.ports.paths, name))) torn.push(name);
          await this.make(name).scan();
        }),
      ),
    );
    return torn;
  }

  /** From now on hosts are started and sockets opened. */
  start(): void {
    this.started = true;
    for (const keeper of this.all.values()) keeper.start();
  }

  get(sessionId: string): Keeper | null {
    return this.all.get(sessionId) ?? null;
  }

  /** The keeper of a session that a command names; its folder is made if there is none. */
  of(sessionId: string): Keeper {
    const known = this.all.get(sessionId);
    if (known) return known;
    const dir = sessionDir(this.ports.paths, sessionId);
    if (!existsSync(dir)) mkdirSync(dir, { recursive: true, mode: 0o700 });
    const keeper = this.make(sessionId);
    if (this.started) keeper.start();
    this.tell(keeper);
    return keeper;
  }

  drop(sessionId: string): void {
    this.all.get(sessionId)?.close();
    this.all.delete(sessionId);
  }

  list(): Keeper[] {
    return [...this.all.values()];
  }

  /** The whole set of what the control plane would like; it replaces the one before (K1). */
  setWants(wants: readonly Want[], now: number): void {
    this.wants = wants.map((want) => ({ want, until: Math.max(want.expires_at, now + WANT_MIN_MS) }));
    this.tellAll(now);
  }

  /** While another daemon has our place, or we are refused, sessions' sockets only make noise. */
  hold(held: boolean): void {
    for (const keeper of this.all.values()) keeper.hold(held);
  }

  /** The control plane is there (again): sessions' sockets need not wait their turn. */
  nudge(): void {
    for (const keeper of this.all.values()) keeper.nudge();
  }

  /** The control link goes another way now (N3). */
  reroute(): void {
    for (const keeper of this.all.values()) keeper.reroute();
  }

  woke(): void {
    for (const keeper of this.all.values()) keeper.woke();
  }

  close(): void {
    if (this.timer) clearTimeout(this.timer);
    for (const keeper of this.all.values()) keeper.close();
  }

  private make(sessionId: string): Keeper {
    const keeper = new Keeper({
      ...this.ports,
      sessionId,
      dir: sessionDir(this.ports.paths, sessionId),
      dial: () => this.ports.dial(sessionId),
      changed: () => this.ports.changed(sessionId),
    });
    this.all.set(sessionId, keeper);
    return keeper;
  }

  private tell(keeper: Keeper): void {
    const reasons = this.wants.flatMap(({ want }) => (want.session_id === keeper.sessionId ? want.reasons : []));
    keeper.setWants(reasons);
  }

  private tellAll(now: number): void {
    this.wants = this.wants.filter(({ until }) => until > now);
    for (const keeper of this.all.values()) this.tell(keeper);
    if (this.timer) clearTimeout(this.timer);
    const next = Math.min(...this.wants.map(({ until }) => until));
    if (Number.isFinite(next)) this.timer = setTimeout(() => this.tellAll(Date.now()), Math.max(1_000, next - now));
  }
}
