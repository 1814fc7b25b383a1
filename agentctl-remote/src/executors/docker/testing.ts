import type { InventoryEntry, NodeUp } from "@reprise/protocol";
import { afterAll, afterEach, beforeAll } from "vitest";
import { hasDocker, TestDocker } from "../../../../scripts/docker/test-docker.ts";
import type { NodeBench } from "../../daemon/testing.ts";
import { withNode } from "../../daemon/testing-node.ts";

type CommandFailed = Extract<NodeUp, { type: "command.failed" }>;
type Launch = ReturnType<NodeBench["dockerLaunch"]>;

/** A machine that allows Docker, with an engine of the test file's own. */
export interface DockerBench {
  node: NodeBench;
  docker: TestDocker;
  /** Joined, allowed, connected. */
  open(limits?: Record<string, number>, image?: string): Promise<void>;
  /** A session in a container, whose agent takes prompts. */
  running(flags?: readonly string[]): Promise<Launch>;
  /** The same with a turn that goes on. */
  working(): Promise<Launch>;
  /** What the inventory says of a session. */
  entry(sessionId: string): InventoryEntry | null;
  /** Every command that the daemon could not carry out. */
  failures(): CommandFailed[];
  /** Waits until a command was carried out. */
  done(commandId: string): Promise<unknown>;
}

/** Engines start in a second; the image is built once a file. */
const ENGINE_MS = 180_000;

export function withDocker(use: (bench: DockerBench) => void): void {
  let engine: TestDocker | null = null;
  withNode((node) => {
    if (!engine) return;
    const docker = engine;
    const ready = async (flags: readonly string[] = []) => {
      const command = node.dockerLaunch(undefined, {}, flags);
      node.plane.command(command);
      await node.event(command.session_id, "agent.ready");
      return command;
    };
    use({
      node,
      docker,
      open: async (limits = {}, image) => {
        await node.open({ HOST_DEATH_MS: 300, ...limits });
        docker.allow(node.state, [node.folder], image);
        await node.connected();
      },
      running: ready,
      working: async () => {
        const command = await ready();
        await node.prompt(command, "stream 400 every 50");
        await node.event(command.session_id, "turn.started");
        return command;
      },
      entry: (sessionId) => node.plane.entry(sessionId),
      failures: () => node.plane.ups.flatMap((up) => (up.type === "command.failed" ? [up] : [])),
      done: (commandId) =>
        node.until(`${commandId} to be done`, () =>
          node.plane.ups.some((up) => up.type === "command.done" && up.command_id === commandId),
        ),
    });
  });
  // Before its folders go: a test that stopped the engine leaves it so.
  afterEach(async () => await engine?.clear(), ENGINE_MS);
  beforeAll(async () => {
    if (hasDocker()) engine = await TestDocker.start();
  }, ENGINE_MS);
  afterAll(async () => await engine?.end(), ENGINE_MS);
}
