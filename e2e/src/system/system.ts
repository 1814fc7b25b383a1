import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SessionStatus } from "@reprise/protocol";
import type { Client } from "@reprise/sdk";
import type { Browser, BrowserContext, Page } from "playwright-core";
import type { TestDocker } from "../../../scripts/docker/test-docker.ts";
import { ensureBuilt } from "../../../scripts/run/built.ts";
import { type ControlPlane, startControlPlane } from "../../../scripts/run/control-plane.ts";
import { agentctl, type LocalNode, startNode } from "../../../scripts/run/node.ts";
import { localJoinToken, ownerClient, signInLink } from "../../../scripts/run/setup.ts";
import { type StateFolder, stateFolder } from "../../../scripts/run/state.ts";
import { launchBrowser, newPerson } from "../browser.ts";
import { alive, killGroup, lastingPort, until } from "../processes.ts";
import { Database } from "./database.ts";

export interface SystemOptions {
  limits?: Record<string, number>;
  nodeEnv?: NodeJS.ProcessEnv;
  /** Variables of the Worker. */
  vars?: Record<string, string>;
  /** false: no machine yet; each test brings its own. */
  withNode?: boolean;
  /** Sessions may run in this engine, too; agents in it may write below `shared`. */
  docker?: TestDocker;
  /** Where the node reaches the control plane, if not directly. */
  nodeOrigin?: (origin: string) => string | Promise<string>;
}

/** Two cores run builds, browser and agents beside each other here. */
const PATIENCE_MS = 60_000;

/** The whole of Reprise as processes, in a folder of its own: what `npm start` runs, and what a test may kill. */
export class System {
  readonly dir = mkdtempSync(join(tmpdir(), "reprise-e2e-"));
  readonly state: StateFolder = stateFolder(join(this.dir, "state"));
  readonly database = new Database(this.state.controlPlane);
  readonly #options: SystemOptions;
  readonly #people: BrowserContext[] = [];
  #browser: Browser | undefined;
  #controlPlane: ControlPlane | undefined;
  #node: LocalNode | undefined;
  #client: Client | undefined;

  private constructor(options: SystemOptions) {
    this.#options = options;
  }

  static async start(options: SystemOptions = {}): Promise<System> {
    const system = new System(options);
    await ensureBuilt(["worker", "agentctl-remote", "dashboard"], () => undefined);
    await system.startControlPlane();
    options.docker?.allow(system.state.node, [system.shared]);
    if (options.withNode ?? true) await system.startNode();
    return system;
  }

  /** A folder that is there, at the same path, in containers too. */
  get shared(): string {
    return this.folder("shared");
  }

  get controlPlane(): ControlPlane {
    if (!this.#controlPlane) throw new Error("the control plane is not running");
    return this.#controlPlane;
  }

  get node(): LocalNode {
    if (!this.#node) throw new Error("the node is not running");
    return this.#node;
  }

  get client(): Client {
    if (!this.#client) throw new Error("nobody is signed in");
    return this.#client;
  }

  async startControlPlane(): Promise<void> {
    const { limits, vars } = this.#options;
    const port = this.#controlPlane?.port ?? (await lastingPort());
    this.#controlPlane = await startControlPlane({ state: this.state, port, limits, vars });
    this.#client ??= await ownerClient(this.#controlPlane.origin, this.#controlPlane.setupSecret);
  }

  /** @param wait until the control plane has heard its hello */
  async startNode(env: NodeJS.ProcessEnv = {}, wait = true): Promise<void> {
    const { origin, setupSecret } = this.controlPlane;
    this.#node = await startNode({
      state: this.state.node,
      origin: (await this.#options.nodeOrigin?.(origin)) ?? origin,
      joinToken: () => localJoinToken(origin, setupSecret),
      log: join(this.state.logs, "node.log"),
      env: { ...process.env, ...this.#options.nodeEnv, ...env },
    });
    if (wait) await this.nodeOnline();
  }

  async nodeOnline(): Promise<void> {
    await until(async () => (await this.client.nodes.get(this.node.nodeId)).presence === "online", {
      ms: PATIENCE_MS,
      what: "the node to be online",
    });
  }

  /** A folder for sessions to work in. */
  folder(name: string): string {
    const path = join(this.dir, name);
    mkdirSync(path, { recursive: true });
    return path;
  }

  status(sessionId: string): Promise<SessionStatus> {
    return this.client.sessions.status(sessionId);
  }

  /** Waits until a session's status is as described; its last status is in the error if it never is. */
  async untilStatus(
    sessionId: string,
    what: string,
    is: (s: SessionStatus) => boolean,
    ms = PATIENCE_MS,
  ): Promise<SessionStatus> {
    let last: SessionStatus | undefined;
    try {
      return await until(
        async () => {
          last = await this.status(sessionId);
          return is(last) ? last : false;
        },
        { ms, what },
      );
    } catch (error) {
      throw new Error(`${String(error)}\nlast status: ${JSON.stringify(last, null, 1)}`);
    }
  }

  /** D1 is written right behind the object's own commit. */
  async untilDatabase(sessionId: string, row: Partial<ReturnType<Database["session"]>>): Promise<void> {
    await until(
      () =>
        Object.entries(row).every(([key, value]) =>
          Object.entries(this.database.session(sessionId)).some(([k, v]) => k === key && v === value),
        ),
      {
        what: `D1 to hold ${JSON.stringify(row)}, not ${JSON.stringify(this.database.session(sessionId))}`,
      },
    );
  }

  /** The agent said something and waits: the ordinary end of a turn. */
  untilYourTurn(sessionId: string): Promise<SessionStatus> {
    return this.untilStatus(
      sessionId,
      "your turn",
      (s) => s.state === "WAITING_FOR_INPUT" && s.turn?.outcome === "done",
    );
  }

  /** Everything that the agent has said, as one text. */
  async said(sessionId: string): Promise<string> {
    const { rows } = await this.client.sessions.events(sessionId, {});
    return rows
      .flatMap((r) => (r.body.kind === "message" && r.body.item.kind === "text" ? [r.body.item.text] : []))
      .join("\n");
  }

  /** What the node says of a session: its host's and its agent's pid. */
  async processes(sessionId: string): Promise<{ host: number | null; agent: number | null }> {
    const { executions } = await this.client.nodes.get(this.node.nodeId);
    const entry = executions.find((e) => e.session_id === sessionId);
    return { host: entry?.host.pid ?? null, agent: entry?.execution?.state === "alive" ? entry.execution.pid : null };
  }

  async agentPid(sessionId: string): Promise<number> {
    return until(async () => (await this.processes(sessionId)).agent, {
      ms: PATIENCE_MS,
      what: "the agent's pid in the inventory",
    });
  }

  async hostPid(sessionId: string): Promise<number> {
    return until(async () => (await this.processes(sessionId)).host, {
      ms: PATIENCE_MS,
      what: "the host's pid in the inventory",
    });
  }

  /** kill -9 to the agent's whole group, as an out-of-memory killer's victim dies. */
  async killAgent(sessionId: string): Promise<number> {
    const pid = await this.agentPid(sessionId);
    killGroup(pid);
    await until(() => !alive(pid), { what: `agent ${pid} to die` });
    return pid;
  }

  /** The machine as it is after a reboot, but for the boot id: workerd, daemon, hosts and agents are gone. */
  async killEverything(sessionIds: readonly string[]): Promise<void> {
    const all = await Promise.all(sessionIds.map((id) => this.processes(id)));
    await Promise.all([this.node.kill9(), this.controlPlane.kill9()]);
    for (const { host, agent } of all) {
      if (host) killGroup(host);
      if (agent) killGroup(agent);
    }
    for (const pid of all.flatMap((p) => [p.host, p.agent]).filter((p) => p !== null)) {
      await until(() => !alive(pid), { what: `${pid} to die` });
    }
  }

  /** Somebody's browser, signed in. */
  async person(options: Parameters<typeof newPerson>[1] = {}): Promise<Page> {
    this.#browser ??= await launchBrowser();
    const context = await newPerson(this.#browser, options);
    this.#people.push(context);
    const page = await context.newPage();
    await page.goto(await signInLink(this.controlPlane.origin, this.controlPlane.setupSecret));
    await page.waitForURL((url) => !url.pathname.startsWith("/sign-in"));
    return page;
  }

  async open(page: Page, sessionId: string): Promise<void> {
    await page.goto(`${this.controlPlane.origin}/sessions/${sessionId}`);
  }

  /** Ends all of it, agents too, and leaves nothing behind. */
  async end(): Promise<void> {
    for (const context of this.#people) await context.close();
    await this.#browser?.close();
    await this.#node?.stop();
    if (this.#node) await agentctl(["stop-hosts", "--state", this.state.node], process.env);
    await this.#controlPlane?.stop();
    rmSync(this.dir, { recursive: true, force: true });
  }
}
