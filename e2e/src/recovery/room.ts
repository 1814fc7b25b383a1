import type { BrowserContext, Page } from "playwright-core";
import { TestDocker } from "../../../scripts/docker/test-docker.ts";
import { type Model, startModel } from "../model/server.ts";
import { System } from "../system/system.ts";
import { Lan } from "./lan.ts";
import { WORKER_LIMITS } from "./limits.ts";
import { Machine, type MachineOptions } from "./machine.ts";

export interface RoomOptions {
  /** Further limits of the Worker. */
  limits?: Readonly<Record<string, number>>;
  realAgents?: boolean;
  /** With a Docker engine of its own. */
  docker?: boolean;
}

/** A test room: one control plane and one browser, in which each row has a machine of its own. */
export class Room {
  readonly system: System;
  readonly lan: Lan;
  readonly model: Model | null;
  readonly #docker: TestDocker | null;
  readonly #machines = new Set<Machine>();
  readonly #person: BrowserContext;

  private constructor(
    system: System,
    lan: Lan,
    model: Model | null,
    docker: TestDocker | null,
    person: BrowserContext,
  ) {
    this.system = system;
    this.lan = lan;
    this.model = model;
    this.#docker = docker;
    this.#person = person;
  }

  static async open({ limits = {}, realAgents = false, docker = false }: RoomOptions = {}): Promise<Room> {
    const lan = new Lan();
    const ends: (() => Promise<void> | void)[] = [];
    try {
      const system = await System.start({
        limits: { ...WORKER_LIMITS, ...limits },
        vars: { ALLOWED_HOSTS: lan.hosts.join(",") },
        withNode: false,
      });
      ends.push(() => system.end());
      const model = realAgents ? await startModel() : null;
      if (model) ends.push(() => model.close());
      const engine = docker ? await TestDocker.start() : null;
      if (engine) ends.push(() => engine.end());
      return new Room(system, lan, model, engine, (await system.person()).context());
    } catch (error) {
      for (const end of [...ends, () => lan.close()]) await end();
      throw error;
    }
  }

  /** The engine that machines with containers have in common. */
  get docker(): TestDocker {
    if (!this.#docker) throw new Error("this room has no Docker engine");
    return this.#docker;
  }

  async machine(options: MachineOptions, withDocker = false): Promise<Machine> {
    const machine = await Machine.join(this.system, this.lan, options, withDocker ? this.docker : null);
    this.#machines.add(machine);
    return machine;
  }

  /** Ended with the room if the test does not end it. */
  adopt(machine: Machine): Machine {
    this.#machines.add(machine);
    return machine;
  }

  async endMachine(machine: Machine): Promise<void> {
    this.#machines.delete(machine);
    await machine.end();
  }

  /** A page that stays open on a session. */
  async page(sessionId: string): Promise<Page> {
    const page = await this.#person.newPage();
    await this.system.open(page, sessionId);
    return page;
  }

  async close(): Promise<void> {
    const machines = await Promise.allSettled([...this.#machines].map((machine) => machine.end()));
    const rest = await Promise.allSettled([this.system.end(), this.model?.close(), this.#docker?.end()]);
    this.lan.close();
    const failed = [...machines, ...rest].filter((one) => one.status === "rejected");
    if (failed.length > 0)
      throw new AggregateError(
        failed.map((one) => one.reason),
        "a room did not end in order",
      );
  }
}
