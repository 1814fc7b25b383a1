import { execFileSync } from "node:child_process";
import type { AgentProfile, SessionStatus } from "@reprise/protocol";
import type { Page } from "playwright-core";
import type { TestDocker } from "../../../scripts/docker/test-docker.ts";
import type { AgentName } from "../agents/profiles.ts";
import type { Model } from "../model/server.ts";
import { environmentOf, processInfo, until } from "../processes.ts";
import type { Start } from "../scripted-agent/start-log.ts";
import { dockerAgent, realAgent, scriptedAgent } from "../system/agents.ts";
import type { System } from "../system/system.ts";
import { type Executor, isDocker } from "./executors.ts";
import type { Machine } from "./machine.ts";
import type { Room } from "./room.ts";
import { Watched } from "./watched.ts";

export interface Play {
  prompt: string;
  /** What of its answer is waited for before the row begins; `null`: nothing. */
  until?: string | null;
  /** Faults of the scripted agent. */
  flags?: readonly string[];
  auto_resume?: AgentProfile["auto_resume"];
  /** A real agent instead of the scripted one; in a container, which has none, the scripted one. */
  real?: AgentName;
  cwd?: string;
  /** In a git worktree of its own. */
  worktree?: boolean;
}

/** A session of a row, how often its agent was started, and with which pid when the row began. */
export interface Played {
  session: Watched;
  profile: AgentProfile;
  starts(): readonly Start[];
}

/** What one row has, for one executor: a machine of its own, and sessions with a page open on each. */
export class Stage {
  readonly executor: Executor;
  readonly machine: Machine;
  readonly system: System;
  readonly #room: Room;
  readonly #name: string;
  readonly #model: Model | null;
  readonly #pages: Page[] = [];
  #count = 0;

  constructor(room: Room, machine: Machine, executor: Executor, name: string) {
    this.#room = room;
    this.system = room.system;
    this.#model = room.model;
    this.machine = machine;
    this.executor = executor;
    this.#name = name;
  }

  get docker(): TestDocker {
    return this.#room.docker;
  }

  get model(): Model {
    if (!this.#model) throw new Error("this room has no real agents");
    return this.#model;
  }

  /** What every status of this row says of its executor. */
  get executorType(): SessionStatus["executor_type"] {
    return this.executor === "local_standalone" || this.executor === "local_docker" ? this.executor : "remote";
  }

  /** A session that has begun, with a page open on it. */
  readonly play = async (play: Play): Promise<Played> => {
    this.#count += 1;
    const name = `${this.#name}-${this.#count}`;
    const { profile, starts } = await this.#agent(name, play);
    const { session_id } = await this.system.client.sessions.create({
      node_id: this.machine.nodeId,
      agent_profile_id: profile.id,
      runtime: isDocker(this.executor) ? "docker" : "standalone",
      cwd: play.cwd ?? (play.worktree ? this.#repository() : this.machine.folder(`w-${this.#count}`)),
      ...(play.worktree && { worktree: { branch: `feat/${name}` } }),
      prompt: play.prompt,
    });
    const page = await this.#room.page(session_id);
    this.#pages.push(page);
    const session = new Watched(this.system, session_id, page);
    const words = play.until === undefined ? "w3" : play.until;
    if (words !== null) {
      await until(async () => (await session.said()).includes(words), { what: `${name} to say ${words}` });
      await until(() => this.system.database.executor(session_id).resume_token !== null, { what: "its token in D1" });
    }
    await session.status();
    return { session, profile, starts };
  };

  /** So many more sessions of an agent, that nobody looks at. @returns their ids */
  async crowd(profile: AgentProfile, count: number): Promise<string[]> {
    const made = Array.from({ length: count }, (_, n) =>
      this.system.client.sessions.create({
        node_id: this.machine.nodeId,
        agent_profile_id: profile.id,
        runtime: isDocker(this.executor) ? "docker" : "standalone",
        cwd: this.machine.folder(`crowd-${n}`),
        prompt: "echo hi",
      }),
    );
    return (await Promise.all(made)).map(({ session_id }) => session_id);
  }

  /** Every process on this machine that leads a group of an agent. */
  agents(): number[] {
    return this.machine.processes().filter((pid) => isAgent(pid));
  }

  /** A copy of its machine, as it is now, with a network of its own. */
  async clone(): Promise<Machine> {
    return this.#room.adopt(await this.machine.clone(this.#room.lan));
  }

  /** The row is over: its machine goes, and nobody looks at its sessions any more. */
  async close(): Promise<void> {
    for (const page of this.#pages) await page.close();
    await this.#room.endMachine(this.machine);
  }

  #repository(): string {
    const cwd = this.machine.folder("repository");
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.email=a@b", "-c", "user.name=a", ...args], { cwd });
    git("init", "-q", "-b", "main");
    git("commit", "-qm", "first", "--allow-empty");
    return cwd;
  }

  async #agent(name: string, { real, flags = [], auto_resume = "interrupted" }: Play) {
    if (real === undefined || isDocker(this.executor)) {
      const make = isDocker(this.executor) ? dockerAgent : scriptedAgent;
      return make(this.system, name, [...flags], auto_resume);
    }
    const url = await this.machine.reach(this.model.url);
    const place = { dir: this.machine.dir, modelUrl: url };
    const { profile } = await realAgent(this.system, this.model, real, auto_resume, place);
    return { profile, starts: () => [] };
  }
}

function isAgent(pid: number): boolean {
  return processInfo(pid)?.pgid === pid && environmentOf(pid).some((one) => one.startsWith("REPRISE_EXECUTION_ID="));
}

/** "w1 w2 … wN", as both the scripted agent and the stand-in stream it. */
export function words(count: number): string {
  return Array.from({ length: count }, (_, n) => `w${n + 1}`).join(" ");
}
