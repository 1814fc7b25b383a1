import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { alive, killPid } from "../processes.ts";
import { Forwarder } from "./forwarder.ts";

/** One machine's way to the control plane. */
export interface Network {
  /** What that machine calls the control plane. */
  readonly origin: string;
  /** What it calls another program on loopback here, such as the stand-in for a model. */
  reach(port: number): Promise<string>;
  /** Stands before every command that runs on that machine. */
  readonly through: readonly string[];
  /** Packets are dropped both ways, and nobody is told. */
  cut(): void;
  heal(): void;
  remove(): Promise<void>;
}

const NAME = /^reprise-(\d+)-\d+$/;
/** The most that a room has, with some to spare: two addresses of each fit into one last byte. */
const MAX_MACHINES = 32;
/** Nobody has it: packets for it go nowhere. */
const NOWHERE = "02:00:00:00:00:01";

function ip(...args: string[]): string {
  return execFileSync("ip", args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

/** Whether machines can have network namespaces of their own here: as root, on Linux. */
function canNamespace(): boolean {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
  const name = `reprise-${process.pid}-0`;
  try {
    ip("netns", "add", name);
    ip("netns", "del", name);
    return true;
  } catch {
    // No iproute2, or a container without that right: a proxy stands in.
    return false;
  }
}

/** What a run that was killed left behind. */
function sweep(): void {
  for (const entry of readdirSync("/run/netns", { withFileTypes: true })) {
    const owner = NAME.exec(entry.name)?.[1];
    if (owner === undefined || alive(Number(owner))) continue;
    removeNamespace(entry.name);
  }
}

function emptyNamespace(name: string): void {
  for (const pid of ip("netns", "pids", name).split("\n").filter(Boolean)) killPid(Number(pid));
}

function removeNamespace(name: string): void {
  emptyNamespace(name);
  ip("netns", "del", name);
}

/** A namespace, and the pair of interfaces that leads into it. */
interface Wire {
  readonly name: string;
  readonly here: string;
  readonly there: string;
  readonly gateway: string;
  readonly address: string;
}

/**
 * The network of one test room: gives each machine its own way to the control plane. All of it is laid before the room's
 * browser starts and removed after its end: an interface that comes or goes meanwhile ends every request of its pages
 * (`net::ERR_NETWORK_CHANGED`), and a page without its script shows nothing any more.
 */
export class Lan {
  readonly namespaces = canNamespace();
  /** Under these names the control plane is called: for its list of hosts. */
  readonly hosts: readonly string[];
  readonly #wires: readonly Wire[];
  #count = 0;

  constructor() {
    if (this.namespaces) sweep();
    const subnet = freeSubnet();
    this.#wires = this.namespaces ? Array.from({ length: MAX_MACHINES }, (_, n) => lay(subnet, n + 1)) : [];
    this.hosts = this.#wires.map(({ gateway }) => gateway);
  }

  /** @param port the control plane's, asked at each connection */
  async attach(port: () => number): Promise<Network> {
    this.#count += 1;
    if (this.#count > MAX_MACHINES) throw new Error(`more than ${MAX_MACHINES} machines in one room`);
    const wire = this.#wires[this.#count - 1];
    return wire ? await wired(wire, port) : await proxied(port);
  }

  close(): void {
    for (const { name, here } of this.#wires) {
      // A connection that was cut keeps its namespace alive for minutes, and the interface with it.
      ip("link", "del", here);
      removeNamespace(name);
    }
  }
}

function lay(subnet: string, machine: number): Wire {
  const name = `reprise-${process.pid}-${machine}`;
  const [here, there] = [`rp${process.pid % 1e6}h${machine}`, `rp${process.pid % 1e6}m${machine}`];
  const [gateway, address] = [`${subnet}.${machine * 4 + 1}`, `${subnet}.${machine * 4 + 2}`];
  ip("netns", "add", name);
  ip("link", "add", here, "type", "veth", "peer", "name", there, "netns", name);
  ip("addr", "add", `${gateway}/30`, "dev", here);
  ip("link", "set", here, "up");
  ip("-n", name, "addr", "add", `${address}/30`, "dev", there);
  ip("-n", name, "link", "set", there, "up");
  ip("-n", name, "link", "set", "lo", "up");
  return { name, here, there, gateway, address };
}

async function wired({ name, here, there, gateway, address }: Wire, port: () => number): Promise<Network> {
  const doors = new Doors(gateway);
  let isCut = false;
  return {
    origin: await doors.open(port),
    reach: (target) => doors.open(() => target),
    through: ["nsenter", `--net=/run/netns/${name}`],
    // There is no packet filter to rely on; a neighbour that is nobody swallows every packet just as silently.
    cut() {
      isCut = true;
      ip("neigh", "replace", address, "lladdr", NOWHERE, "dev", here, "nud", "permanent");
      ip("-n", name, "neigh", "replace", gateway, "lladdr", NOWHERE, "dev", there, "nud", "permanent");
    },
    heal() {
      if (!isCut) return;
      isCut = false;
      ip("neigh", "del", address, "dev", here);
      ip("-n", name, "neigh", "del", gateway, "dev", there);
    },
    async remove() {
      await doors.close();
      emptyNamespace(name);
    },
  };
}

async function proxied(port: () => number): Promise<Network> {
  const doors = new Doors("127.0.0.1");
  return {
    origin: await doors.open(port),
    reach: (target) => doors.open(() => target),
    through: [],
    cut: () => doors.silence(true),
    heal: () => doors.silence(false),
    remove: () => doors.close(),
  };
}

/** The forwarders of one machine. */
class Doors {
  readonly #host: string;
  readonly #forwarders: Forwarder[] = [];

  constructor(host: string) {
    this.#host = host;
  }

  async open(target: () => number): Promise<string> {
    const forwarder = await Forwarder.open(this.#host, target);
    this.#forwarders.push(forwarder);
    return `http://${this.#host}:${forwarder.port}`;
  }

  silence(on: boolean): void {
    for (const forwarder of this.#forwarders) forwarder.silence(on);
  }

  async close(): Promise<void> {
    for (const forwarder of this.#forwarders) await forwarder.close();
  }
}

/** Three bytes that no interface here has: several rooms may be open at a time. */
function freeSubnet(): string {
  const taken = Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map((one) => one.address));
  for (;;) {
    const subnet = `10.${200 + Math.floor(Math.random() * 55)}.${Math.floor(Math.random() * 256)}`;
    if (!taken.some((address) => address.startsWith(`${subnet}.`))) return subnet;
  }
}
