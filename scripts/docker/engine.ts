import { spawn, spawnSync } from "node:child_process";
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import Docker from "dockerode";
import { Explained } from "../lib/explained.ts";
import { endLeader, killLeader, type Leader, leader } from "../run/end.ts";
import { lastLines } from "../run/log-file.ts";
import { ENGINE_DOWN_MS, ENGINE_LOOK_MS, ENGINE_UP_MS } from "./limits.ts";

/** The layered one is quick; the plain one works on every file system. */
const STORAGE_DRIVERS = ["overlay2", "vfs"] as const;

/** A real Docker engine of the tests' own, below a temporary folder; nothing of it is left after `end`. */
export class Engine {
  readonly dir = mkdtempSync(join(tmpdir(), "rdk-"));
  readonly socket = join(this.dir, "docker.sock");
  readonly docker = new Docker({ socketPath: this.socket });
  readonly #dockerd: string;
  #driver: (typeof STORAGE_DRIVERS)[number] | null = null;
  #process: Leader | null = null;

  /** @param dockerd its command or path */
  static async start(dockerd: string): Promise<Engine> {
    const engine = new Engine(dockerd);
    try {
      await engine.up();
    } catch (error) {
      await engine.end();
      throw error;
    }
    return engine;
  }

  private constructor(dockerd: string) {
    this.#dockerd = dockerd;
  }

  get log(): string {
    return join(this.dir, "dockerd.log");
  }

  /** Starts it, or starts it again with what it had. */
  async up(): Promise<void> {
    for (const driver of this.#driver ? [this.#driver] : STORAGE_DRIVERS) {
      if (!(await this.#try(driver))) continue;
      this.#driver = driver;
      return;
    }
    throw new Explained(`The tests' Docker engine does not start. Its log ends with:\n${lastLines(this.log)}`);
  }

  /** Ends it in order: its containers stop. They are there again after `up`. */
  async down(): Promise<void> {
    if (this.#process) await endLeader(this.#process, ENGINE_DOWN_MS);
    this.#process = null;
  }

  /** kill -9 of the engine and its containerd; what ran in containers lives on until it is started again. */
  async kill9(): Promise<void> {
    if (this.#process) await killLeader(this.#process);
    this.#process = null;
  }

  /** Starts it, if it does not run, and removes every container. */
  async clear(): Promise<void> {
    if (!this.#process) await this.up();
    const containers = await this.docker.listContainers({ all: true });
    await Promise.all(containers.map(({ Id }) => this.docker.getContainer(Id).remove({ force: true, v: true })));
  }

  /** All of it goes: containers, images, mounts, folder. */
  async end(): Promise<void> {
    if (this.#process) {
      await this.clear();
      await this.down();
    }
    for (const mount of mountsBelow(this.dir)) spawnSync("umount", ["-l", mount]);
    rmSync(this.dir, { recursive: true, force: true });
  }

  async #try(driver: string): Promise<boolean> {
    const root = join(this.dir, driver);
    mkdirSync(root, { recursive: true });
    const log = openSync(this.log, "a");
    const child = spawn(
      this.#dockerd,
      [
        `--storage-driver=${driver}`,
        "--iptables=false",
        "--bridge=none",
        `--data-root=${root}`,
        `--exec-root=${join(this.dir, "exec")}`,
        `--pidfile=${join(this.dir, "dockerd.pid")}`,
        `--host=unix://${this.socket}`,
      ],
      { stdio: ["ignore", log, log], detached: true },
    );
    closeSync(log);
    const ended = new Promise<true>((resolve) => {
      child.once("exit", () => resolve(true));
      child.once("error", () => resolve(true));
    });
    const { pid } = child;
    if (pid === undefined) return false;
    const who = leader(pid);
    const until = performance.now() + ENGINE_UP_MS;
    while (performance.now() < until) {
      if (await this.#answers()) {
        this.#process = who;
        return true;
      }
      if (await Promise.race([ended, wait(ENGINE_LOOK_MS, false)])) break;
    }
    if (who) await endLeader(who);
    return false;
  }

  async #answers(): Promise<boolean> {
    try {
      await this.docker.ping();
      return true;
    } catch {
      // Not yet: it is asked again, or its log says why.
      return false;
    }
  }
}

/** Innermost first. */
function mountsBelow(dir: string): string[] {
  return readFileSync("/proc/mounts", "utf8")
    .split("\n")
    .flatMap((line) => line.split(" ")[1] ?? [])
    .filter((path) => path.startsWith(`${dir}/`))
    .sort((a, b) => b.length - a.length);
}
