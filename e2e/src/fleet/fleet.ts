import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { SessionStatus } from "@reprise/protocol";
import type { Client } from "@reprise/sdk";
import { sessionDir, statePaths } from "../../../agentctl-remote/src/daemon/paths.ts";
import { sessionPaths } from "../../../agentctl-remote/src/host/paths.ts";
import { readSpool } from "../../../agentctl-remote/src/host/spool.ts";
import { ensureBuilt } from "../../../scripts/run/built.ts";
import { type ControlPlane, startControlPlane } from "../../../scripts/run/control-plane.ts";
import { ownerClient } from "../../../scripts/run/setup.ts";
import { stateFolder } from "../../../scripts/run/state.ts";
import { until } from "../processes.ts";
import { LOOK_MS, MACHINES, PATIENCE_MS, PROCESSES, SETUP_CONCURRENCY } from "./limits.ts";
import type { Truth } from "./orders.ts";
import { Player } from "./player.ts";
import { ROLES, type Role } from "./roles.ts";

/** A folder in memory, where the system has one. */
const MEMORY = "/dev/shm";

/** A listing as it was answered, and when. */
export interface Listing {
  rows: SessionStatus[];
  /** How many objects were asked for it. */
  calls: { nodes: number; sessions: number };
  asked_at: number;
  answered_at: number;
}

interface Member {
  role: Role;
  node_id: string;
  session_id: string;
}

/** Twenty machines with 25 sessions each, played by a few processes, and the real control plane. */
export class Fleet {
  /** Twenty machines and their control plane have as many disks: on the one of a test, each would wait for all others' syncs. */
  readonly dir = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), "reprise-fleet-"));
  readonly members: Member[] = [];
  readonly #state = stateFolder(join(this.dir, "state"));
  #players: Player[] = [];
  #controlPlane: ControlPlane | undefined;
  #client: Client | undefined;
  #timing = "";

  get client(): Client {
    if (!this.#client) throw new Error("nobody is signed in");
    return this.#client;
  }

  get origin(): string {
    return this.#controlPlane?.origin ?? "";
  }

  async startControlPlane(): Promise<void> {
    await ensureBuilt(["worker"], () => undefined);
    this.#controlPlane = await startControlPlane({ state: this.#state, port: this.#controlPlane?.port ?? 0 });
    const { origin, setupSecret } = this.#controlPlane;
    this.#client ??= await ownerClient(origin, setupSecret, (response) => {
      this.#timing = response.headers.get("server-timing") ?? this.#timing;
    });
  }

  /** The control plane, killed and on its way back: the first listing that it answers. */
  async firstListing(): Promise<Listing> {
    const started = this.startControlPlane();
    const first = until(() => this.list(), { ms: PATIENCE_MS, what: "the first listing" });
    const [listing] = await Promise.all([first, started]);
    return listing;
  }

  async killControlPlane(): Promise<void> {
    await this.#controlPlane?.kill9();
  }

  /** Power is on: the programs that play the machines run. Their daemons are started by `startDaemons`. */
  async bootMachines(): Promise<void> {
    this.#players = Array.from({ length: PROCESSES }, () => new Player());
    await Promise.all(this.#players.map((player) => player.booted));
  }

  /** @param first they have yet to join */
  async startDaemons(first: boolean): Promise<void> {
    const names = Array.from({ length: MACHINES }, (_, i) => `box-${i + 1}`);
    const tokens = first ? await Promise.all(names.map(async () => (await this.client.joinTokens.create()).token)) : [];
    const a = MACHINES / PROCESSES;
    await Promise.all(
      this.#players.map((player, p) =>
        player.ask({
          type: "start",
          url: this.origin,
          machines: names.slice(p * a, (p + 1) * a).map((name, i) => ({
            name,
            dir: join(this.dir, name),
            token: tokens[p * a + i] ?? null,
          })),
        }),
      ),
    );
  }

  /** Power is cut on all machines: daemons, hosts and agents are gone at once. */
  async killMachines(): Promise<void> {
    await Promise.all(this.#players.map((player) => player.kill9()));
  }

  async truth(): Promise<Truth> {
    const all = await Promise.all(this.#players.map((player) => player.ask({ type: "truth" })));
    return {
      sessions: all.flatMap((one) => one.sessions),
      starts: all.flatMap((one) => one.starts),
      dials: all.flatMap((one) => one.dials),
      connects: all.flatMap((one) => one.connects),
      node_ids: Object.assign({}, ...all.map((one) => one.node_ids)),
    };
  }

  async tell(type: "finish" | "kill_agents", sessions: string[] | null): Promise<void> {
    await Promise.all(
      this.#players.map((player) =>
        player.ask(type === "finish" ? { type, sessions } : { type, sessions: sessions ?? [] }),
      ),
    );
  }

  async list(): Promise<Listing> {
    const asked_at = Date.now();
    const { sessions } = await this.client.sessions.list({});
    const asked = (what: string) => Number(new RegExp(`${what};desc="(\\d+)`).exec(this.#timing)?.[1]);
    const calls = { nodes: asked("nodes"), sessions: asked("sessions") };
    return { rows: sessions, calls, asked_at, answered_at: Date.now() };
  }

  /** Listings, one after the other, until all rows are as described. @returns when each row first was */
  async untilRows(what: string, is: (row: SessionStatus, member: Member) => boolean): Promise<Map<string, number>> {
    const since = new Map<string, number>();
    const byId = new Map(this.members.map((member) => [member.session_id, member]));
    let left: SessionStatus[] = [];
    try {
      await until(
        async () => {
          const { rows, answered_at } = await this.list();
          left = rows.filter((row) => {
            const member = byId.get(row.session_id);
            const holds = member !== undefined && is(row, member);
            if (holds && !since.has(row.session_id)) since.set(row.session_id, answered_at);
            return !holds;
          });
          if (left.length > 0 || rows.length !== this.members.length) await pause(LOOK_MS);
          return left.length === 0 && rows.length === this.members.length;
        },
        { ms: PATIENCE_MS, what },
      );
    } catch (error) {
      const some = left.slice(0, 5).map((row) => JSON.stringify(row));
      throw new Error(`${String(error)}\n${left.length} rows are otherwise, as ${some.join("\n")}`);
    }
    return since;
  }

  /** Every session of every machine, each doing what its role says. */
  async populate(): Promise<void> {
    const workspace = join(this.dir, "work");
    mkdirSync(workspace);
    const nodes = (await this.client.nodes.list()).nodes;
    const todo: (() => Promise<void>)[] = [];
    for (const role of ROLES) {
      const profile = await this.client.profiles.create({
        name: role.name,
        agent_kind: `custom:${role.name.replace(/\W+/g, "-")}`,
        agent_name: "Simulated",
        driver: "acp",
        command: "simulated-agent",
        args: role.flags,
        env: {},
        auto_resume: role.auto_resume,
      });
      for (const node of nodes)
        for (let n = 0; n < role.count; n++)
          todo.push(async () => {
            const { session_id } = await this.client.sessions.create({
              node_id: node.id,
              agent_profile_id: profile.id,
              cwd: workspace,
              prompt: role.prompt,
            });
            this.members.push({ role, node_id: node.id, session_id });
          });
    }
    await inParallel(todo);
    const started = ({ befalls, prompt, before }: Role) =>
      befalls === "nothing" ? before.state : prompt === "say" ? "WAITING_FOR_INPUT" : "RUNNING";
    const isThere = (row: SessionStatus, { role }: Member) => row.state === started(role);
    await this.untilRows("every session to do what its role says", (row, member) =>
      member.role.prompt === "ask" ? isThere(row, member) && row.pending_approvals === 1 : isThere(row, member),
    );
    const those = (what: Role["befalls"]) =>
      this.members.filter(({ role }) => role.befalls === what).map(({ session_id }) => session_id);
    await this.tell("kill_agents", those("agent_dies"));
    await inParallel(those("stop").map((id) => async () => void (await this.client.sessions.stop(id))));
    await inParallel(those("complete").map((id) => async () => void (await this.client.sessions.complete(id))));
    await this.untilRows("the ended ones to be ended", (row, { role }) => row.state === role.before.state);
  }

  roleOf(session_id: string): Role | undefined {
    return this.members.find((member) => member.session_id === session_id)?.role;
  }

  /** One session of each machine that plays this role. */
  oneOfEach(name: string): string[] {
    const found = new Map<string, string>();
    for (const { role, node_id, session_id } of this.members) if (role.name === name) found.set(node_id, session_id);
    return [...found.values()];
  }

  /** What those that streamed have said, by their logs: each finished item's text. */
  async everythingSaid(): Promise<{ session_id: string; said: string[] }[]> {
    const answers: { session_id: string; said: string[] }[] = [];
    const streams = this.members.filter(({ role }) => role.alive && role.prompt === "stream");
    await inParallel(
      streams.map(({ session_id }) => async () => {
        const { rows } = await this.client.sessions.events(session_id, {});
        const said = rows.flatMap(({ body }) =>
          body.kind === "message" && body.item.kind === "text" ? [body.item.text] : [],
        );
        answers.push({ session_id, said });
      }),
    );
    return answers;
  }

  /** The next turn of all that stream. */
  async promptAgain(): Promise<void> {
    const streams = this.members.filter(({ role }) => role.alive && role.prompt === "stream");
    await inParallel(
      streams.map(({ session_id }, n) => async () => {
        await this.client.sessions.prompt(session_id, `again-${n}-0001`, [{ type: "text", text: "stream" }]);
      }),
    );
    await this.untilRows("every session to work again", (row, { role }) => row.state === role.before.state);
  }

  /** What lies on the dead machines' disks is what they knew when they lived. @throws where it isn't */
  expectSpoolsToAgree(truth: Truth): void {
    for (const { session_id, machine, timeline, pending_approvals } of truth.sessions) {
      const last = timeline.at(-1);
      const read = readSpool(sessionPaths(sessionDir(statePaths(join(this.dir, machine)), session_id)).spool);
      const left = read.state === "read" ? read.facts.execution : null;
      const state = left?.open ? (left.open_turn === null ? "WAITING_FOR_INPUT" : "RUNNING") : "over";
      const known = last?.state === "RUNNING" || last?.state === "WAITING_FOR_INPUT" ? last.state : "over";
      if (state !== known || (left?.open && left.pending_approvals.length !== pending_approvals))
        throw new Error(`${machine} ${session_id}: its spool says ${state}, it was ${JSON.stringify(last)}`);
    }
  }

  async end(): Promise<void> {
    await this.killMachines();
    await this.#controlPlane?.stop();
    rmSync(this.dir, { recursive: true, force: true });
  }
}

async function inParallel(todo: (() => Promise<void>)[]): Promise<void> {
  const rest = [...todo];
  const worker = async () => {
    for (let next = rest.shift(); next; next = rest.shift()) await next();
  };
  await Promise.all(Array.from({ length: SETUP_CONCURRENCY }, worker));
}
