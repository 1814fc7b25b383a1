import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { CommandOf, SpoolEvent } from "@reprise/protocol";
import { buildAgentctl } from "../../build.ts";
import { isInside } from "../executors/docker/container.ts";
import { connectHost } from "../host/client.ts";
import { sessionPaths } from "../host/paths.ts";
import { groupMembers } from "../host/process.ts";
import { id, until } from "../host/testing.ts";
import { readHostFile } from "./known.ts";
import { TestPlane } from "./testing-plane.ts";

/** The daemon as users run it, against a test control plane, with real hosts and the scripted agent. */

const SCRIPTED = fileURLToPath(new URL("../../../e2e/src/scripted-agent/main.ts", import.meta.url));
type Launch = CommandOf<"launch">;

export interface Programs {
  folder: string;
  agentctl: string;
}

/** The two bundles, made once a test file. */
export async function buildPrograms(): Promise<Programs> {
  const folder = mkdtempSync(join(tmpdir(), "reprise-programs-"));
  await buildAgentctl(folder);
  return { folder, agentctl: join(folder, "agentctl.mjs") };
}

/** A host on a busy machine may be slow, never that slow. */
const ACKED_LIMIT_MS = 60_000;

/** Short times, so that nothing is waited for that a person would wait for. */
const LIMITS = {
  SOCKET_IDLE_MS: 300,
  HOST_UNKNOWN_MS: 300,
  INVENTORY_COALESCE_MS: 10,
  SLOW_RETRY_MS: 400,
  YIELD_RETRY_MS: 400,
  WANT_MIN_MS: 0,
};

export class NodeBench {
  plane = new TestPlane();
  readonly folder = mkdtempSync(join(tmpdir(), "reprise-node-"));
  readonly state = join(this.folder, "state");
  readonly workspace = join(this.folder, "work");
  readonly programs: Programs;
  private readonly children: ChildProcess[] = [];
  private limits: Record<string, number> = LIMITS;
  private readonly inDocker = new Set<string>();
  daemon: ChildProcess | null = null;
  output = "";

  constructor(programs: Programs) {
    this.programs = programs;
    mkdirSync(this.workspace);
  }

  /** The control plane listens and the node has joined. */
  async open(limits: Record<string, number> = {}): Promise<this> {
    this.limits = { ...LIMITS, ...limits };
    await this.plane.listen();
    const joined = await this.cli("join", this.plane.url, "token");
    if (joined.code !== 0) throw new Error(joined.text);
    return this;
  }

  private env(more: Record<string, string>): NodeJS.ProcessEnv {
    return {
      ...process.env,
      REPRISE_MACHINE_ID: "machine-1",
      REPRISE_LIMITS: JSON.stringify(this.limits),
      ...more,
    };
  }

  /** Run an agentctl command to its end. */
  async cli(...args: string[]): Promise<{ code: number | null; text: string }> {
    const child = spawn(process.execPath, [this.programs.agentctl, ...args, "--state", this.state], {
      env: this.env({ HOME: this.folder }),
      stdio: ["ignore", "pipe", "pipe"],
    });
    let text = "";
    child.stdout.on("data", (chunk) => (text += String(chunk)));
    child.stderr.on("data", (chunk) => (text += String(chunk)));
    const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
    return { code, text };
  }

  /** Start the daemon. @param env more of it, such as REPRISE_TEST_CRASH_AT */
  up(env: Record<string, string> = {}): ChildProcess {
    const child = spawn(process.execPath, [this.programs.agentctl, "up", "--foreground", "--state", this.state], {
      env: this.env(env),
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    child.stdout.on("data", (chunk) => (this.output += String(chunk)));
    child.stderr.on("data", (chunk) => (this.output += String(chunk)));
    this.children.push(child);
    this.daemon = child;
    return child;
  }

  /** Start the daemon and wait for its hello. */
  async connected(env: Record<string, string> = {}): Promise<void> {
    const before = this.plane.hellos.length;
    this.up(env);
    await this.until("a hello", () => this.plane.hellos.length > before);
  }

  until<T>(what: string, holds: () => T | null | undefined | false): Promise<T> {
    return until(what, holds).catch((error: unknown) => {
      throw new Error(`${String(error)}\n${this.output.slice(-3_000)}`);
    });
  }

  exited(child = this.daemon): Promise<unknown> {
    if (!child) throw new Error("no daemon");
    return this.until("the daemon's end", () => child.exitCode !== null || child.signalCode !== null);
  }

  async killDaemon(): Promise<void> {
    this.daemon?.kill("SIGKILL");
    await this.exited();
  }

  launch(session = id("session"), part: Partial<Launch> = {}, flags: readonly string[] = []): Launch {
    return {
      type: "launch",
      command_id: id("execution"),
      session_id: session,
      task_id: id("task"),
      runtime: "standalone",
      spec: {
        agent_kind: "custom:scripted",
        agent_name: "Scripted",
        driver: "acp",
        command: process.execPath,
        args: [SCRIPTED, "--state", join(this.folder, "agent"), "--start-log", this.startLog, ...flags],
        env: {},
      },
      workspace: { cwd: this.workspace, worktree: null },
      how: { type: "new" },
      automatic: false,
      title: "A test",
      ...part,
    };
  }

  /** A launch in a container, where the image has its own Node. */
  dockerLaunch(session = id("session"), part: Partial<Launch> = {}, flags: readonly string[] = []): Launch {
    const { spec, ...command } = this.launch(session, { runtime: "docker", ...part });
    this.inDocker.add(command.session_id);
    // Its conversation lies in the container, as a real one's would.
    const args = [SCRIPTED, "--state", "/home/agent/conversations", "--start-log", this.startLog, ...flags];
    return { ...command, spec: { ...spec, command: "node", args } };
  }

  readonly startLog = join(this.folder, "starts");

  /** How many agents ever started. */
  starts(): number {
    try {
      return readFileSync(this.startLog, "utf8").trim().split("\n").length;
    } catch {
      return 0;
    }
  }

  /** Launch and wait until the agent takes prompts. */
  async running(flags: readonly string[] = []): Promise<Launch> {
    const command = this.launch(undefined, {}, flags);
    this.plane.command(command);
    await this.event(command.session_id, "agent.ready");
    return command;
  }

  event(session: string, type: SpoolEvent["body"]["type"], execution?: string): Promise<SpoolEvent> {
    return this.until(`${type} of ${session}`, () =>
      this.plane
        .side(session)
        .events.find((event) => event.body.type === type && (!execution || event.execution_id === execution)),
    );
  }

  async prompt(command: Launch, text: string): Promise<string> {
    const turn_id = id("turn");
    this.plane.setWants([{ session_id: command.session_id, reasons: ["prompt"], expires_at: Date.now() + 60_000 }]);
    await this.until("a session socket", () => this.plane.side(command.session_id).socket);
    this.plane.tell(command.session_id, {
      type: "prompt",
      execution_id: command.command_id,
      prompt_id: id("prompt"),
      turn_id,
      blocks: [{ type: "text", text }],
    });
    return turn_id;
  }

  host(session: string) {
    return readHostFile(sessionPaths(join(this.state, "sessions", session)));
  }

  /** Resolves once a session's host has noted that the control plane has all of its spool. */
  async acked(session: string): Promise<void> {
    const paths = sessionPaths(join(this.state, "sessions", session));
    const options = { role: "visitor" as const, onFrame: () => undefined, onBadFrame: () => undefined };
    const nonce = readFileSync(paths.nonceFile, "utf8").trim();
    for (const until = Date.now() + ACKED_LIMIT_MS; Date.now() < until; await pause(20)) {
      const reached = await connectHost({ ...options, socket: this.host(session)?.socket ?? "", nonce });
      if (!reached.ok) continue;
      reached.link.close();
      if (reached.link.hello.acked === reached.link.hello.last_seq) return;
    }
    throw new Error(`Waited in vain for the host of ${session} to note what was acknowledged`);
  }

  agentPid(session: string): number {
    const pids = this.plane
      .side(session)
      .events.flatMap((event) => (event.body.type === "agent.spawned" ? [event.body.pid] : []));
    const pid = pids.at(-1);
    if (pid === undefined) throw new Error("no agent was spawned");
    return pid;
  }

  /** Nothing is left running. */
  async close(): Promise<void> {
    for (const child of this.children) if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
    await Promise.all(this.children.map((child) => this.exited(child)));
    const groups = new Set<number>();
    // Numbers of a container's own name strangers here: what runs there ends with its engine (X7).
    const ours = (session: string) => !this.inDocker.has(session);
    for (const [session, side] of this.plane.sessions)
      for (const { body } of ours(session) ? side.events : []) if (body.type === "agent.spawned") groups.add(body.pid);
    for (const name of readdirSync(join(this.state, "sessions"))) {
      const host = this.host(name);
      if (host && (ours(name) || !isInside(host))) groups.add(host.pid);
    }
    for (const group of groups) for (const pid of groupMembers(group)) process.kill(pid, "SIGKILL");
    await this.until("the end of all", () => [...groups].every((group) => groupMembers(group).length === 0));
    await this.plane.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export { id };
