import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { agentctlFile } from "../../scripts/run/built.ts";
import { startLogged } from "../../scripts/run/child.ts";
import { agentctl } from "../../scripts/run/node.ts";
import { System, scriptedAgent, until } from "../src/index.ts";

const LIMITS = JSON.stringify({ SLOW_RETRY_MS: 1_000 });

describe("copies of a machine", { timeout: 180_000 }, () => {
  let system: System;
  beforeAll(async () => {
    system = await System.start({ nodeEnv: { REPRISE_LIMITS: LIMITS } });
  });
  afterAll(() => system?.end());

  it("T3, N6, C30: a copy with the same state and credential is refused, said on both; the original goes on", async () => {
    const { profile } = await scriptedAgent(system, "original");
    const { session_id: id } = await system.client.sessions.create({
      node_id: system.node.nodeId,
      agent_profile_id: profile.id,
      cwd: system.folder("w-original"),
      prompt: "echo here",
    });
    await system.untilYourTurn(id);
    const pid = await system.agentPid(id);
    const copy = join(system.dir, "copy");
    cpSync(system.state.node, copy, { recursive: true, filter: (path) => !path.endsWith(".sock") });
    rmSync(join(copy, "sessions"), { recursive: true, force: true });
    const daemon = startLogged([agentctlFile(), "up", "--foreground", "--state", copy], {
      name: "the copy's daemon",
      log: join(system.state.logs, "copy.log"),
      env: { ...process.env, REPRISE_LIMITS: LIMITS, REPRISE_BOOT_ID: "the-copy" },
    });
    try {
      const said = await until(
        async () => {
          const text = await agentctl(["status", "--state", copy]);
          return text.includes("copy of it") && text;
        },
        { what: "the copy to say that it is one", ms: 60_000 },
      );
      expect(said).toMatch(/not connected .*move the state folder away, then `agentctl join`/);
      const node = await system.client.nodes.get(system.node.nodeId);
      expect(node).toMatchObject({ presence: "online", refused_copy: { at: expect.any(Number) } });
      // Nothing of the original was disturbed: neither its link nor its sessions.
      expect(await agentctl(["status", "--state", system.state.node])).toMatch(/\nconnected since/);
      await system.client.sessions.prompt(id, "prompt-2", [{ type: "text", text: "echo still here" }]);
      await system.untilStatus(id, "its answer", (s) => s.last_line === "still here");
      expect(await system.agentPid(id)).toBe(pid);
    } finally {
      await daemon.stop();
    }
  });

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
