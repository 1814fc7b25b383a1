import type { AgentStart, TrueSession } from "./orders.ts";

/** The process table of one simulated machine, and what its spools tell. */
export class World {
  readonly machine: string;
  readonly sessions = new Map<string, TrueSession>();
  readonly starts: AgentStart[] = [];
  readonly connects: number[] = [];
  readonly dials: number[] = [];
  /** When each launch was handed to its host, by execution. */
  readonly handed = new Map<string, number>();
  /** What each living agent does when it is told to finish, or dies. */
  readonly agents = new Map<string, { finish(): unknown; die(): void }>();
  #pids: number;

  /** @param firstPid beyond every real one, so that nothing of this machine is ever meant */
  constructor(machine: string, firstPid: number) {
    this.machine = machine;
    this.#pids = firstPid;
  }

  pid(): number {
    this.#pids += 1;
    return this.#pids;
  }

  session(session_id: string): TrueSession {
    const known = this.sessions.get(session_id);
    if (known) return known;
    const made: TrueSession = {
      session_id,
      machine: this.machine,
      host_alive: false,
      agent_pid: null,
      timeline: [],
      pending_approvals: 0,
      said: {},
    };
    this.sessions.set(session_id, made);
    return made;
  }
}
