import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Failure, newId, type PromptBlocks, type SpoolEvent, type SpoolEventBody } from "@reprise/protocol";
import { buildProgram, putNativeParts } from "../../build.ts";
import { connectHost, type HostLink } from "./client.ts";
import type { BodyOf, Launch } from "./core/types.ts";
import { sessionPaths, socketPath } from "./paths.ts";
import { bootId, groupMembers, isAlive } from "./process.ts";
import { spawnHost } from "./spawn.ts";
import type { HostDown, HostState, HostUp } from "./wire.ts";

/** Real hosts for tests: the bundle that users run, in a folder of its own, ended by pid whatever a test did. */

const SCRIPTED = fileURLToPath(new URL("../../../e2e/src/scripted-agent/main.ts", import.meta.url));
const WAIT_MS = 60_000;

export const id = (kind: Parameters<typeof newId>[0]) => newId(kind, (n) => randomBytes(n));

/** Resolves once `holds` gives something; looks again at each change, and a few times a second. */
export async function until<T>(what: string, holds: () => T | null | undefined | false, ms = WAIT_MS): Promise<T> {
  const end = Date.now() + ms;
  for (;;) {
    const found = holds();
    if (found !== null && found !== undefined && found !== false) return found;
    if (Date.now() > end) throw new Error(`Waited ${ms} ms in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

export interface Bench {
  folder: string;
  bundle: string;
  sessions: HostBench[];
  /** @param limits by name: shorter times, never other logic */
  session(limits?: Record<string, number>): HostBench;
  close(): Promise<void>;
}

export async function openBench(): Promise<Bench> {
  const folder = mkdtempSync(join(tmpdir(), "reprise-host-"));
  const bundle = join(folder, "host.mjs");
  await buildProgram("host", bundle);
  putNativeParts(folder);
  const sessions: HostBench[] = [];
  return {
    folder,
    bundle,
    sessions,
    session(limits = {}) {
      const one = new HostBench(folder, bundle, limits);
      sessions.push(one);
      return one;
    },
    async close() {
      for (const one of sessions) await one.end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** One session's folder, its host, and a daemon's connection to it. */
export class HostBench {
  readonly session_id = id("session");
  readonly dir: string;
  readonly workspace: string;
  readonly agentState: string;
  private readonly bundle: string;
  private readonly limits: Record<string, number>;
  readonly events: SpoolEvent[] = [];
  readonly frames: HostUp[] = [];
  readonly bad: string[] = [];
  link: HostLink | null = null;
  host: ReturnType<typeof spawnHost> | null = null;
  private readonly pids = new Set<number>();

  constructor(folder: string, bundle: string, limits: Record<string, number>) {
    this.bundle = bundle;
    this.limits = limits;
    this.dir = join(folder, "sessions", this.session_id);
    this.workspace = join(folder, `work-${this.session_id}`);
    this.agentState = join(folder, `agent-${this.session_id}`);
    mkdirSync(this.workspace);
    mkdirSync(this.agentState);
  }

  get paths() {
    return sessionPaths(this.dir);
  }

  /** @param closing as for what ran in a container that is gone */
  spawn(found: "live" | "scan" = "live", env: Record<string, string> = {}, closing?: Failure) {
    const session = { session_id: this.session_id, runtime: "standalone" as const, workspace: this.workspace };
    this.host = spawnHost({
      dir: this.dir,
      session: closing ? { ...session, closing } : session,
      bundle: this.bundle,
      found,
      env: { ...process.env, ...env, REPRISE_LIMITS: JSON.stringify(this.limits) },
    });
    this.pids.add(this.host.pid);
    return this.host;
  }

  /** Start a host, connect as its daemon, follow. */
  async start(found: "live" | "scan" = "live", env: Record<string, string> = {}, closing?: Failure): Promise<HostLink> {
    this.spawn(found, env, closing);
    const link = await this.connect();
    link.send({ type: "follow", from_seq: (this.events.at(-1)?.seq ?? 0) + 1 });
    return link;
  }

  async connect(role: "daemon" | "visitor" = "daemon"): Promise<HostLink> {
    const socket = socketPath(this.dir);
    const end = Date.now() + WAIT_MS;
    for (;;) {
      const nonce = readFileSync(this.paths.nonceFile, "utf8");
      const answer = await connectHost({
        socket,
        nonce,
        role,
        onFrame: (frame) => this.take(frame),
        onBadFrame: (message) => this.bad.push(message),
      });
      if (answer.ok) {
        this.link = answer.link;
        return answer.link;
      }
      if (Date.now() > end) throw new Error(`${answer.message}\n${readFileSync(this.paths.log, "utf8")}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  private take(frame: HostUp): void {
    this.frames.push(frame);
    if (frame.type !== "events") return;
    for (const event of frame.events) {
      this.events.push(event);
      if (event.body.type === "agent.spawned") this.pids.add(event.body.pid);
    }
  }

  send(frame: HostDown): void {
    if (!this.link) throw new Error("not connected");
    this.link.send(frame);
  }

  launch(part: Partial<Launch> = {}, flags: readonly string[] = []): Launch {
    return {
      type: "launch",
      command_id: id("execution"),
      session_id: this.session_id,
      task_id: id("task"),
      runtime: "standalone",
      spec: {
        agent_kind: "custom:scripted",
        agent_name: "Scripted",
        driver: "acp",
        command: process.execPath,
        args: [SCRIPTED, "--state", this.agentState, ...flags],
        env: {},
      },
      workspace: { cwd: this.workspace, worktree: null },
      how: { type: "new" },
      automatic: false,
      title: "A test",
      ...part,
    };
  }

  /** Launch, permit, and wait until the agent takes prompts (or its execution ended). */
  async run(command: Launch): Promise<string> {
    this.send({ type: "launch", command });
    const execution_id = command.command_id;
    await until("the permit's request", () =>
      this.frames.some((one) => one.type === "permit.request" && one.execution_id === execution_id),
    );
    this.send({ type: "permit.granted", execution_id });
    await until(`a start of ${execution_id}`, () =>
      this.events.some(
        (one) =>
          one.execution_id === execution_id && (one.body.type === "agent.ready" || one.body.type === "execution.ended"),
      ),
    );
    return execution_id;
  }

  prompt(execution_id: string, text: string, prompt_id = id("prompt")): { prompt_id: string; turn_id: string } {
    const turn_id = id("turn");
    const blocks: PromptBlocks = [{ type: "text", text }];
    this.send({ type: "prompt", execution_id, prompt_id, turn_id, blocks });
    return { prompt_id, turn_id };
  }

  /** Prompt, and wait for the turn's end. */
  async turn(execution_id: string, text: string): Promise<BodyOf<"turn.ended">> {
    const { turn_id } = this.prompt(execution_id, text);
    return this.body("turn.ended", (body) => body.turn_id === turn_id);
  }

  /** The first event of a kind, once it is there. */
  body<T extends SpoolEventBody["type"]>(
    type: T,
    holds: (body: BodyOf<T>) => boolean = () => true,
  ): Promise<BodyOf<T>> {
    const is = (body: SpoolEventBody): body is BodyOf<T> => body.type === type;
    return until(`${type} among ${this.events.map((one) => one.body.type).join(" ")}`, () => {
      for (const { body } of this.events) if (is(body) && holds(body)) return body;
      return null;
    });
  }

  frame<T extends HostUp["type"]>(
    type: T,
    holds: (frame: Extract<HostUp, { type: T }>) => boolean = () => true,
  ): Promise<Extract<HostUp, { type: T }>> {
    const is = (frame: HostUp): frame is Extract<HostUp, { type: T }> => frame.type === type;
    return until(`a frame ${type}`, () => this.frames.filter(is).find(holds));
  }

  /** The agent's words, as the finished items say them. */
  text(): string {
    const last = new Map<string, string>();
    for (const { body, execution_id } of this.events)
      if (body.type === "item" && body.item.kind === "text")
        last.set(`${execution_id}:${body.item.item_id}`, body.item.text);
    return [...last.values()].join("\n");
  }

  state(): HostState | null {
    return this.frames.findLast((one) => one.type === "state")?.state ?? null;
  }

  /** The pid of the newest agent. */
  agentPid(): number {
    const spawned = this.events.map((one) => one.body).findLast((body) => body.type === "agent.spawned");
    if (!spawned) throw new Error("no agent was spawned");
    return spawned.pid;
  }

  async kill(pid: number): Promise<void> {
    process.kill(pid, "SIGKILL");
    await until(`the death of ${pid}`, () => !isAlive({ pid, start_time: null, boot_id: bootId() }, bootId()));
  }

  async killHost(): Promise<void> {
    if (!this.host) return;
    await this.kill(this.host.pid);
    this.link = null;
  }

  /** Nothing of this session is left running. */
  async end(): Promise<void> {
    this.link?.close();
    for (const pid of this.pids)
      for (const member of groupMembers(pid)) {
        try {
          process.kill(member, "SIGKILL");
        } catch (error) {
          if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
        }
      }
    await until("the end of all processes", () => [...this.pids].every((pid) => groupMembers(pid).length === 0));
  }
}
