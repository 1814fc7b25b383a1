import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { freePort } from "../../scripts/lib/net.ts";
import { complaints, System, scriptedAgent, until, WebProxy } from "../src/index.ts";

let system: System;
let proxy: WebProxy | undefined;
let url = "";
beforeAll(async () => {
  system = await System.start({
    withNode: false,
    limits: { call_first_ms: 1_000 },
    nodeOrigin: async (origin) => {
      proxy ??= await WebProxy.start(origin);
      proxy.socketry = "refuse";
      return proxy.origin;
    },
  });
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  mkdirSync(system.state.node, { recursive: true });
  writeFileSync(
    join(system.state.node, "config.json"),
    JSON.stringify({ agentctl_url: url, listen: `127.0.0.1:${port}` }),
  );
  await system.startNode();
});
afterAll(async () => {
  await system?.end();
  await proxy?.close();
});

/** What a copy of the state folder has in it. */
const Identity = z.object({
  machine_id: z.string(),
  state_id: z.string(),
  joined: z.object({ credential: z.string() }),
});

/** A copy of the machine calls, with a nonce that is long gone. */
async function copyCalls(): Promise<void> {
  const text = readFileSync(join(system.state.node, "identity.json"), "utf8");
  const { joined, machine_id, state_id } = Identity.parse(JSON.parse(text));
  const hello = {
    type: "hello",
    protocol_version: 2,
    machine_id,
    state_id,
    boot_id: "copy",
    nonce: "of before",
    after_yield: false,
    daemon: { version: "0.1.0", pid: 1, started_at: 1 },
    hostname: "copied-box",
    platform: "linux",
    home: "/root",
    agents: [],
    inventory: { complete: true, last_command_seq: 0, entries: [] },
  };
  const answer = await fetch(`${system.controlPlane.origin}/api/agentctl/heartbeat`, {
    method: "POST",
    headers: { authorization: `Bearer ${joined.credential}`, "content-type": "application/json" },
    body: JSON.stringify({ hello }),
  });
  expect(await answer.json()).toMatchObject({ close: 4403 });
}

it("N3, N7, T3, T4: the machine's page says how it is reached, who posed as it, where it may be called, and what is tried", async () => {
  const { profile } = await scriptedAgent(system, "on-page");
  const { session_id } = await system.client.sessions.create({
    node_id: system.node.nodeId,
    agent_profile_id: profile.id,
    cwd: system.folder("w-page"),
    prompt: "echo hi",
  });
  await system.untilYourTurn(session_id);
  await copyCalls();
  const page = await system.person();
  const seen = complaints(page);
  await page.goto(`${system.controlPlane.origin}/machines`);
  await page.getByText(/connected over HTTP: its network breaks WebSockets/).waitFor();
  await page.getByText(/A copy of this machine.*copied-box.*was refused/).waitFor();
  await page.getByText(/asks to be called/).waitFor();
  await page.getByRole("button", { name: "Executions and details" }).click();
  await page.getByRole("cell", { name: "ready" }).waitFor();
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByText(/When it is away, it is called at/).waitFor();
  expect((await system.client.nodes.get(system.node.nodeId)).address).toEqual({ url, approved: true });

  await system.node.stop();
  await page.getByText(/agentctl was stopped there/).waitFor();
  await page.getByRole("button", { name: "Try now" }).click();
  await page.getByText(/Nothing answers at its address/).waitFor();
  await page.getByText(/Next call in \d+ s/).waitFor();
  await until(async () => ((await system.client.nodes.get(system.node.nodeId)).call?.attempt ?? 0) >= 1, {
    what: "the call",
  });
  expect(seen.filter((one) => !one.includes("fetch"))).toEqual([]);
}, 120_000);
