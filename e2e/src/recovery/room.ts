import type { BrowserContext, Page } from "playwright-core";
import { type Model, startModel } from "../model/server.ts";
import { System } from "../system/system.ts";
import { Lan } from "./lan.ts";
import { WORKER_LIMITS } from "./limits.ts";
import { Machine, type MachineOptions } from "./machine.ts";

export interface RoomOptions {
  /** Further limits of the Worker. */
  limits?: Readonly<Record<string, number>>;
  realAgents?: boolean;
}

/** A test room: one control plane and one browser, in which each row has a machine of its own. */
export class Room {
  readonly system: System;
  readonly lan: Lan;
  readonly model: Model | null;
  readonly #machines = new Set<Machine>();
  readonly #person: BrowserContext;

  private constructor(system: System, lan: Lan, model: Model | null, person: BrowserContext) {
    this.system = system;
    this.lan = lan;
    this.model = model;
    this.#person = person;
  }

  static async open({ limits = {}, realAgents = false }: RoomOptions = {}): Promise<Room> {
    const lan = new Lan();
    const system = await System.start({
      limits: { ...WORKER_LIMITS, ...limits },
      vars: { ALLOWED_HOSTS: lan.hosts.join(",") },
      withNode: false,
    });
    const model = realAgents ? await startModel() : null;
    return new Room(system, lan, model, (await system.person()).context());
  }

  async machine(options: MachineOptions): Promise<Machine> {
    const machine = await Machine.join(this.system, this.lan, options);
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
    try {
      for (const machine of this.#machines) await machine.end();
    } finally {
      await this.system.end();
      await this.model?.close();
    }
  }
}
