import { randomUUID } from "node:crypto";
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { TestDocker } from "../../../scripts/docker/test-docker.ts";
import { agentctl, type LocalNode, startNode } from "../../../scripts/run/node.ts";
import { localJoinToken } from "../../../scripts/run/setup.ts";
import { alive, allProcesses, descendants, findByEnv, killPid, until } from "../processes.ts";
import type { System } from "../system/system.ts";
import type { Lan, Network } from "./lan.ts";
import { NODE_LIMITS } from "./limits.ts";

export interface MachineOptions {
  kind: "local" | "remote";
  limits?: Readonly<Record<string, number>>;
}

/** A machine of a recovery room: a daemon with a state folder, ids and (a remote one) a network of its own. */
export class Machine {
  readonly dir: string;
  readonly #system: System;
  readonly #options: MachineOptions;
  readonly #network: Network | null;
  readonly #machineId: string;
  readonly #docker: TestDocker | null;
  #bootId = randomUUID();
  readonly #state: string;
  #node: LocalNode | null = null;

  private constructor(
    system: System,
    options: MachineOptions,
    network: Network | null,
    docker: TestDocker | null,
    dir: string,
    id: string,
  ) {
    this.#system = system;
    this.#options = options;
    this.#network = network;
    this.#docker = docker;
    this.#machineId = id;
    this.dir = dir;
    this.#state = join(dir, "state");
  }

  /** A new machine that has joined and said hello. */
  static async join(
    system: System,
    lan: Lan,
    options: MachineOptions,
    docker: TestDocker | null = null,
  ): Promise<Machine> {
    const network = options.kind === "remote" ? await lan.attach(() => system.controlPlane.port) : null;
    const dir = system.folder(`m-${randomUUID().slice(0, 8)}`);
    const machine = new Machine(system, options, network, docker, dir, randomUUID());
    machine.#allowDocker();
    await machine.powerOn();
    return machine;
  }

  /** Its owner lets sessions run in the engine; agents there write into this machine's folders alone. */
  #allowDocker(): void {
    this.#docker?.allow(this.#state, [this.dir, this.#system.shared]);
  }

  get nodeId(): string {
    if (!this.#node) throw new Error("this machine never joined");
    return this.#node.nodeId;
  }

  get name(): string {
    return this.#options.kind;
  }

  /** Where the node keeps everything. */
  get state(): string {
    return this.#state;
  }

  get network(): Network {
    if (!this.#network) throw new Error("a machine beside the control plane has no network to cut");
    return this.#network;
  }

  /** How a program on loopback here is called from this machine. */
  async reach(url: string): Promise<string> {
    return this.#network ? await this.#network.reach(Number(new URL(url).port)) : url;
  }

  get env(): NodeJS.ProcessEnv {
    return {
      ...process.env,
      HOME: this.dir,
      REPRISE_MACHINE_ID: this.#machineId,
      REPRISE_BOOT_ID: this.#bootId,
      REPRISE_LIMITS: JSON.stringify({ ...NODE_LIMITS, ...this.#options.limits }),
    };
  }

  /** A folder on it for sessions to work in. */
  folder(name: string): string {
    const path = join(this.dir, name);
    mkdirSync(path, { recursive: true });
    return path;
  }

  async startDaemon({ wait = true }: { wait?: boolean } = {}): Promise<void> {
    const { origin, setupSecret } = this.#system.controlPlane;
    this.#node = await startNode({
      state: this.#state,
      origin: this.#network?.origin ?? origin,
      joinToken: async () =>
        this.#options.kind === "local"
          ? await localJoinToken(origin, setupSecret)
          : (await this.#system.client.joinTokens.create()).token,
      log: join(this.dir, "daemon.log"),
      env: this.env,
      through: this.#network?.through,
    });
    if (wait) await this.untilPresence("online");
  }

  /** kill -9 to the daemon alone. */
  async killDaemon(): Promise<void> {
    await this.#node?.kill9();
  }

  /** One `agentctl` command there. @returns what it said */
  agentctl(...args: string[]): Promise<string> {
    return agentctl([...args, "--state", this.#state], this.env, this.#network?.through);
  }

  async untilPresence(presence: "online" | "reconnecting" | "offline"): Promise<void> {
    await until(async () => (await this.#system.client.nodes.get(this.nodeId)).presence === presence, {
      what: `${this.name} to be ${presence}`,
    });
  }

  /** The process of a session's host, as this machine numbers it. */
  async hostPid(sessionId: string): Promise<number> {
    const docker = this.#docker;
    return until(
      async () => {
        if (docker) return hostIn(await docker.containers.processes(sessionId));
        const { executions } = await this.#system.client.nodes.get(this.nodeId);
        const host = executions.find((entry) => entry.session_id === sessionId)?.host;
        return host?.state === "alive" ? host.pid : null;
      },
      { what: "the host's pid in the inventory" },
    );
  }

  /** Everything that runs on it: daemon, hosts, agents, and what these started. */
  processes(): number[] {
    const own = findByEnv("REPRISE_BOOT_ID", this.#bootId).map((info) => info.pid);
    return [...new Set([...own, ...own.flatMap((pid) => descendants(pid).map((info) => info.pid))])];
  }

  /** As when the current goes: all is killed at once. A remote machine says goodbye to nobody: its cable is cut. */
  async powerOff(): Promise<void> {
    this.#network?.cut();
    const agents = this.#agents();
    await this.killDaemon();
    await this.#killContainers();
    await until(
      () => {
        const left = [...this.processes(), ...agents].filter(alive);
        for (const pid of left) killPid(pid);
        return left.length === 0;
      },
      { what: "everything on the machine to die" },
    );
  }

  /** A new life of its kernel. */
  async powerOn(options: { wait?: boolean } = {}): Promise<void> {
    this.#bootId = randomUUID();
    this.#network?.heal();
    await this.startDaemon(options);
  }

  async #killContainers(): Promise<void> {
    const filters = { label: [`reprise.node_id=${this.nodeId}`], status: ["running"] };
    const running = await this.#docker?.docker.listContainers({ filters });
    for (const { Id } of running ?? []) await this.#docker?.docker.getContainer(Id).kill();
  }

  /** What is killed with the state folder at hand: agents whose host died have no other mark of this machine. */
  #agents(): number[] {
    const hosts = allProcesses().filter((info) => info.command.includes(this.#state));
    return hosts.flatMap((info) => descendants(info.pid).map((child) => child.pid));
  }

  /** The state folder is lost, as with a disk that was formatted. What ran goes on running. */
  loseState(): void {
    rmSync(this.#state, { recursive: true, force: true });
    this.#allowDocker();
  }

  /** Joins again in the place that it had. */
  async rejoin(): Promise<void> {
    const { token } = await this.#system.client.joinTokens.create();
    const origin = this.#network?.origin ?? this.#system.controlPlane.origin;
    await this.agentctl("join", origin, token, "--replace", this.nodeId);
  }

  /** A copy of its state folder, on a machine of its own network that believes to be this one. */
  async clone(lan: Lan): Promise<Machine> {
    const network = this.#options.kind === "remote" ? await lan.attach(() => this.#system.controlPlane.port) : null;
    const copy = new Machine(this.#system, this.#options, network, null, `${this.dir}-clone`, this.#machineId);
    // Another machine runs none of these hosts; here, where both see one file system, their sockets would answer.
    const left = (path: string) => !path.endsWith(".sock") && !path.endsWith("host.json");
    cpSync(this.#state, copy.#state, { recursive: true, filter: left });
    copy.#node = this.#node;
    return copy;
  }

  /** Ends all of it. */
  async end(): Promise<void> {
    await this.powerOff();
    await this.#network?.remove();
    rmSync(this.dir, { recursive: true, force: true });
  }
}

/** The init before it has the same words in its command line. */
function hostIn(processes: readonly { pid: number; command: string }[]): number | undefined {
  return processes.find((one) => /host\.mjs/.test(one.command) && !/init/.test(one.command))?.pid;
}
