import type { CommandOf, Failure } from "@reprise/protocol";

type Launch = CommandOf<"launch">;

export interface LaunchesPorts {
  /** What became of a launch: it began (or is over), or it could not. */
  launchSettled(executionId: string, failure: Failure | null): void;
  /** The agent of this execution is ready, or never will be: its slot is free (X5). */
  startOver(executionId: string): void;
}

/** The launches of one session that have not begun: each is handed to every host until one takes it (R3). */
export class Launches {
  private readonly ports: LaunchesPorts;
  private readonly waiting = new Map<string, Launch>();

  constructor(ports: LaunchesPorts) {
    this.ports = ports;
  }

  get size(): number {
    return this.waiting.size;
  }

  add(command: Launch): void {
    this.waiting.set(command.command_id, command);
  }

  withdraw(executionId: string): void {
    this.waiting.delete(executionId);
  }

  list(): Launch[] {
    return [...this.waiting.values()];
  }

  /** It began, or is over. */
  settle(executionId: string): void {
    if (this.waiting.delete(executionId)) this.ports.launchSettled(executionId, null);
  }

  /** It can't begin. */
  fail(executionId: string, failure: Failure): void {
    if (!this.waiting.delete(executionId)) return;
    this.ports.launchSettled(executionId, failure);
    this.ports.startOver(executionId);
  }

  /** What the session runs in is gone: none of them can begin. @param begun the one that had */
  failAll(failure: Failure, begun: string | null): void {
    for (const id of [...this.waiting.keys()]) {
      if (id === begun) this.settle(id);
      else this.fail(id, failure);
    }
  }
}
