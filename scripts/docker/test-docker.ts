import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type Docker from "dockerode";
import { DOCKERD_ENV, ensureDockerd, thisDockerMachine } from "../ensure/docker.ts";
import { Explained } from "../lib/explained.ts";
import { ROOT } from "../lib/paths.ts";
import { Engine } from "./engine.ts";
import { AGENTCTL_IMAGE, buildAgentctlImage, importBase } from "./image.ts";

/** Whether Docker tests can run here: `describe.skipIf(!hasDocker())`. `npm run e2e` has said why, if they can't. */
export function hasDocker(): boolean {
  const { wished, isRoot, platform, runs } = thisDockerMachine();
  return wished !== "" && isRoot && platform === "linux" && [wished ?? "dockerd", "/usr/sbin/dockerd"].some(runs);
}

/** A Docker engine with the image that sessions run in, and hands for what happens to containers. */
export class TestDocker {
  readonly image = AGENTCTL_IMAGE;
  readonly containers: Containers;
  readonly #engine: Engine;

  static async start(): Promise<TestDocker> {
    const dockerd = await ensureDockerd(thisDockerMachine(), () => undefined);
    if (dockerd === null) throw new Explained(`There is no Docker engine to start here (${DOCKERD_ENV}).`);
    const engine = await Engine.start(dockerd);
    try {
      await importBase(engine.docker);
      await buildAgentctlImage(engine.docker);
    } catch (error) {
      await engine.end();
      throw error;
    }
    return new TestDocker(engine);
  }

  private constructor(engine: Engine) {
    this.#engine = engine;
    this.containers = new Containers(engine.docker);
  }

  get socket(): string {
    return this.#engine.socket;
  }

  get docker(): Docker {
    return this.#engine.docker;
  }

  /**
   * `docker` of a machine's config.json: the checkout is there to read, so that the scripted agent and the real ones run
   * in a container as `node CHECKOUT/...`. @param folders more of the machine, to write
   */
  config(folders: readonly string[] = [], image: string = this.image) {
    const agents = join(ROOT, "e2e", "agents", "node_modules");
    // The real agents may be another checkout's, by a link.
    const read = [ROOT, ...(existsSync(agents) ? [realpathSync(agents)] : [])];
    const checkout = [...new Set(read)].map((source) => ({ source, read_only: true }));
    return {
      image,
      socket: this.socket,
      network: "host",
      mounts: [...checkout, ...folders.map((source) => ({ source, read_only: false }))],
    };
  }

  /** What a machine's owner would write into its state folder, before the daemon starts. @param folders as for `config` */
  allow(nodeState: string, folders: readonly string[] = [], image: string = this.image): void {
    mkdirSync(nodeState, { recursive: true, mode: 0o700 });
    const config = { runtimes: ["standalone", "docker"], docker: this.config(folders, image) };
    writeFileSync(join(nodeState, "config.json"), JSON.stringify(config));
  }

  /** As `systemctl stop docker`: its containers stop, too. */
  stopEngine(): Promise<void> {
    return this.#engine.down();
  }

  startEngine(): Promise<void> {
    return this.#engine.up();
  }

  /** For the next test: the engine runs, and has no containers. */
  async clear(): Promise<void> {
    await this.#engine.clear();
  }

  /** Nothing of it is left. */
  end(): Promise<void> {
    return this.#engine.end();
  }
}

/** What can happen to the container of a session, by anybody but Reprise. */
class Containers {
  readonly #docker: Docker;

  constructor(docker: Docker) {
    this.#docker = docker;
  }

  /** All of a session's, running or not. */
  async list(sessionId: string): Promise<{ id: string; status: string }[]> {
    const found = await this.#docker.listContainers({
      all: true,
      filters: { label: [`reprise.session_id=${sessionId}`] },
    });
    return found.map(({ Id, State }) => ({ id: Id, status: State }));
  }

  /** @throws when the session has none, or more than one */
  async of(sessionId: string): Promise<Docker.Container> {
    const [one, ...others] = await this.list(sessionId);
    if (!one || others.length > 0)
      throw new Error(`session ${sessionId} has ${others.length + (one ? 1 : 0)} containers`);
    return this.#docker.getContainer(one.id);
  }

  /** As `docker stop`. */
  async stop(sessionId: string): Promise<void> {
    await (await this.of(sessionId)).stop();
  }

  /** As `docker kill`. */
  async kill(sessionId: string): Promise<void> {
    await (await this.of(sessionId)).kill();
  }

  async pause(sessionId: string): Promise<void> {
    await (await this.of(sessionId)).pause();
  }

  async unpause(sessionId: string): Promise<void> {
    await (await this.of(sessionId)).unpause();
  }

  /** As `docker rm -f`. */
  async remove(sessionId: string): Promise<void> {
    await (await this.of(sessionId)).remove({ force: true, v: true });
  }

  /** Runs a command in it. @returns what it said */
  async exec(sessionId: string, command: readonly string[]): Promise<string> {
    const container = await this.of(sessionId);
    const exec = await container.exec({ Cmd: [...command], AttachStdout: true, AttachStderr: true, Tty: true });
    const stream = await exec.start({ Tty: true });
    let text = "";
    for await (const chunk of stream) text += String(chunk);
    return text;
  }

  /** Its processes as this machine numbers them, with their command lines. */
  async processes(sessionId: string): Promise<{ pid: number; command: string }[]> {
    const { Pid } = (await (await this.of(sessionId)).inspect()).State;
    if (Pid === 0) return [];
    const listed = spawnSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" }).stdout;
    const all = listed.split("\n").flatMap((line) => {
      const [, pid, ppid, command] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
      return command === undefined ? [] : [{ pid: Number(pid), ppid: Number(ppid), command }];
    });
    const inside = new Set([Pid]);
    for (let before = 0; before !== inside.size; ) {
      before = inside.size;
      for (const one of all) if (inside.has(one.ppid)) inside.add(one.pid);
    }
    return all.filter(({ pid }) => inside.has(pid)).map(({ pid, command }) => ({ pid, command }));
  }

  /** kill -9 of the session's host, as this machine numbers it. */
  async killHost(sessionId: string): Promise<void> {
    const host = (await this.processes(sessionId)).find(
      (one) => /host\.mjs/.test(one.command) && !/init/.test(one.command),
    );
    if (!host) throw new Error(`no host runs in the container of ${sessionId}`);
    process.kill(host.pid, "SIGKILL");
  }

  /** kill -9 of all that is neither init nor host: the agent and its children. @returns how many there were */
  async killAgent(sessionId: string): Promise<number> {
    const agents = (await this.processes(sessionId)).filter((one) => !/host\.mjs/.test(one.command));
    if (agents.length === 0) throw new Error(`no agent runs in the container of ${sessionId}`);
    for (const { pid } of agents) process.kill(pid, "SIGKILL");
    return agents.length;
  }
}
