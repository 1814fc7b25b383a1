import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { agentctl } from "../../scripts/run/node.ts";
import { System, until } from "../src/index.ts";

const LIMITS = JSON.stringify({ SLOW_RETRY_MS: 1_000 });

describe("a daemon that ends and comes again", { timeout: 180_000 }, () => {
  let system: System;
  beforeAll(async () => {
    system = await System.start({ nodeEnv: { REPRISE_LIMITS: LIMITS } });
  });
  afterAll(() => system?.end());

  it("N4, X4: the original's daemon, killed and started again, isn't taken for a copy", async () => {
    await system.node.kill9();
    await system.startNode();
    expect(await agentctl(["status", "--state", system.state.node])).toMatch(/\nconnected since/);
  });

  it("T4: after `agentctl down` its machine is offline, since it was stopped there; nobody waits for its call", async () => {
    await agentctl(["down", "--state", system.state.node]);
    await until(async () => (await system.client.nodes.get(system.node.nodeId)).presence === "offline", {
      what: "the goodbye",
    });
    expect(await system.client.nodes.get(system.node.nodeId)).toMatchObject({
      reason: expect.stringMatching(/agentctl was stopped there/),
    });
    await system.startNode();
  });
});
