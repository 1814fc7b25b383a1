import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasDocker, TestDocker } from "../../../../scripts/docker/test-docker.ts";
import type { NodeBench } from "../../daemon/testing.ts";
import { withNode } from "../../daemon/testing-node.ts";

let node: NodeBench;
let docker: TestDocker;
withNode((fresh) => {
  node = fresh;
});

beforeAll(async () => {
  if (hasDocker()) docker = await TestDocker.start();
}, 180_000);
afterAll(async () => await docker?.end(), 120_000);

/** A machine that allows Docker, joined and connected, and a session in it whose agent takes prompts. */
async function running(flags: readonly string[] = []) {
  await node.open();
  docker.allow(node.state, [node.folder]);
  await node.connected();
  const command = node.launch(undefined, { runtime: "docker" }, flags);
  command.spec.command = "node";
  node.plane.command(command);
  await node.event(command.session_id, "agent.ready");
  return command;
}

describe.skipIf(!hasDocker())("sessions in a real Docker engine", { timeout: 120_000 }, () => {
  it("X2, X7: the host is a container's main process under an init, with its spool and socket on the machine", async () => {
    const { session_id } = await running();
    const commands = (await docker.containers.processes(session_id)).map((one) => one.command);
    expect(commands[0]).toMatch(/init/);
    expect(commands[1]).toMatch(/host\.mjs \/reprise\/session/);
    expect(commands[2]).toMatch(/scripted-agent/);
    const container = await (await docker.containers.of(session_id)).inspect();
    expect(container.Config.Labels).toMatchObject({ "reprise.session_id": session_id });
    expect(node.plane.entry(session_id)).toMatchObject({
      runtime: "docker",
      host: { state: "alive", pid: null, container_id: container.Id },
      executor: { status: "ready", failure: null },
      execution: { state: "alive", pid: null },
    });
    expect(existsSync(join(node.state, "sessions", session_id, "spool.db"))).toBe(true);
  });
});
