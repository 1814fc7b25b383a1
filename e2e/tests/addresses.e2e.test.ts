import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { freePort } from "../../scripts/lib/net.ts";
import { System, type SystemOptions, scriptedAgent, until, WebProxy } from "../src/index.ts";

/** A refused daemon waits longer than any test here: only a knock brings it. */
const DAEMON_LIMITS = JSON.stringify({ SLOW_RETRY_MS: 600_000 });
const FIRST_CALL_MS = 1_000;

describe("registered addresses", { timeout: 180_000 }, () => {
  let system: System | undefined;
  let proxy: WebProxy | undefined;
  let other: Server | undefined;
  afterEach(async () => {
    await system?.end();
    await proxy?.close();
    other?.close();
    system = undefined;
    proxy = undefined;
    other = undefined;
  });

  /** A node that registers an address, by default the one that it listens at. */
  async function start(address?: string, vars?: SystemOptions["vars"]) {
    const port = await freePort();
    const url = address ?? `http://127.0.0.1:${port}`;
    const started = await System.start({
      withNode: false,
      limits: { call_first_ms: FIRST_CALL_MS },
      nodeEnv: { REPRISE_LIMITS: DAEMON_LIMITS },
      nodeOrigin: async (origin) => {
        proxy ??= await WebProxy.start(origin);
        return proxy.origin;
      },
      ...(vars ? { vars } : {}),
    });
    system = started;
    mkdirSync(started.state.node, { recursive: true });
    writeFileSync(
      join(started.state.node, "config.json"),
      JSON.stringify({ agentctl_url: url, listen: `127.0.0.1:${port}` }),
    );
    await started.startNode();
    if (!proxy) throw new Error("the node went without its proxy");
    return { system: started, proxy, url, node: () => started.client.nodes.get(started.node.nodeId) };
  }

  it("N7: a machine that would not dial for ten minutes is knocked and comes at once, and never before its owner approved it", async () => {
    const { system, proxy, url, node } = await start();
    expect(await node()).toMatchObject({ address: { url, approved: false }, call: null });
    proxy.socketry = "forbid";
    proxy.cutAll();
    await until(async () => (await node()).presence === "reconnecting", { what: "the loss to be seen" });
    await until(() => proxy.forbidden > 1, { what: "the machine to be refused, by socket and by POST" });
    proxy.socketry = "pass";
    const { since } = await node();
    // Well past the time of the first call of an approved one.
    await until(async () => Date.now() - since > 4 * FIRST_CALL_MS, { what: "time to pass" });
    expect(await node()).toMatchObject({ presence: "reconnecting", call: null });

    await system.client.nodes.approveAddress(system.node.nodeId, url, true);
    const approved = Date.now();
    await system.nodeOnline();
    expect(Date.now() - approved).toBeLessThan(10_000);
    expect(await node()).toMatchObject({ address: { url, approved: true }, call: null });
  });

  it("N7, T4: where nothing answers, the page says so, when the next call is due, and Try now calls", async () => {
    const { system, url, node } = await start();
    await system.client.nodes.approveAddress(system.node.nodeId, url, true);
    const { profile } = await scriptedAgent(system, "called");
    const { session_id: id } = await system.client.sessions.create({
      node_id: system.node.nodeId,
      agent_profile_id: profile.id,
      cwd: system.folder("w-called"),
      prompt: "echo hi",
    });
    await system.untilYourTurn(id);
    const page = await system.person();
    await system.open(page, id);
    await system.node.kill9();
    const failed = await system.untilStatus(id, "a failed call", (s) => s.node.call?.code === "call_unreachable");
    expect(failed).toMatchObject({
      resume_reason: "agent_running",
      node: { presence: "reconnecting", call: { attempt: 1 } },
    });
    expect(failed.node.call?.retry_at).toBeGreaterThan(Date.now() - 1_000);
    expect(system.database.executor(id)).toMatchObject({ agentctl_url: url, agentctl_port: Number(new URL(url).port) });
    await page
      .getByText(/Nothing answers at its address/)
      .first()
      .waitFor();
    await until(async () => ((await node()).call?.attempt ?? 0) >= 2, { what: "the next call", ms: 20_000 });
    await page.getByRole("button", { name: "Try now" }).click();
    await until(async () => (await node()).call?.attempt === 1, { what: "the count to start afresh" });
    await system.startNode();
    expect(await node()).toMatchObject({ presence: "online", call: null });
  });

  it("N7: a redirect isn't followed, and that is said", async () => {
    const followed: string[] = [];
    other = createServer((request, response) => {
      followed.push(request.url ?? "");
      response.writeHead(302, { location: "/somewhere-else" }).end();
    });
    const server = other;
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const at = server.address();
    const { system, url, node } = await start(`http://127.0.0.1:${typeof at === "object" ? at?.port : 0}`);
    await system.client.nodes.approveAddress(system.node.nodeId, url, true);
    await system.node.kill9();
    await until(async () => (await node()).call?.code === "call_redirected", {
      what: "the redirect to be refused",
      ms: 20_000,
    });
    expect((await node()).call?.message).toMatch(/redirect, which isn't followed/);
    expect(new Set(followed)).toEqual(new Set(["/health"]));
  });

  it("N7: a hosted control plane takes no loopback or private address, and says why; nor an address that changed meanwhile", async () => {
    const { system, url, node } = await start(undefined, { PRIVATE_ADDRESSES: "" });
    const approve = (address: string) => system.client.nodes.approveAddress(system.node.nodeId, address, true);
    await expect(approve(url)).rejects.toMatchObject({
      code: "address_refused",
      message: expect.stringMatching(/private/),
    });
    await expect(approve("https://other.example.com")).rejects.toMatchObject({ code: "address_refused" });
    await system.node.kill9();
    await until(async () => (await node()).presence === "reconnecting", { what: "the loss to be seen" });
    expect(await node()).toMatchObject({ address: { approved: false }, call: null });
  });
});
