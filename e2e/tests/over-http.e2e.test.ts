import { afterEach, describe, expect, it } from "vitest";
import { agentctl } from "../../scripts/run/node.ts";
import { type Socketry, System, scriptedAgent, until, WebProxy } from "../src/index.ts";

/** Shorter waits, so that nobody waits for what a person would not wait for; never other logic. */
const DAEMON_LIMITS = JSON.stringify({
  HELLO_LIMIT_MS: 3_000,
  PROVE_MS: 1_500,
  POST_BUSY_MS: 300,
  POST_IDLE_MS: 500,
  POST_BUSY_FOR_MS: 5_000,
});

describe("a network that breaks WebSockets", { timeout: 180_000 }, () => {
  let system: System | undefined;
  let proxy: WebProxy | undefined;
  afterEach(async () => {
    await system?.end();
    await proxy?.close();
    system = undefined;
    proxy = undefined;
  });

  async function start(socketry: Socketry): Promise<{ system: System; proxy: WebProxy }> {
    const started = await System.start({
      nodeEnv: { REPRISE_LIMITS: DAEMON_LIMITS },
      nodeOrigin: async (origin) => {
        proxy ??= await WebProxy.start(origin);
        proxy.socketry = socketry;
        return proxy.origin;
      },
    });
    system = started;
    if (!proxy) throw new Error("the node went without its proxy");
    return { system: started, proxy };
  }

  const transport = async (s: System) => (await s.client.nodes.get(s.node.nodeId)).transport;

  it.each(["refuse", "swallow", "cut"] as const)(
    "N3: sockets that the network would %s: create, prompt, approve, kill, resume, stop, all by plain HTTP; back when they work",
    async (socketry) => {
      const { system, proxy } = await start(socketry);
      await until(async () => (await transport(system)) === "http", { what: "plain HTTP", ms: 60_000 });
      const said = await agentctl(["status", "--state", system.state.node]);
      expect(said).toMatch(/connected over HTTP since/);

      const { profile, starts } = await scriptedAgent(system, "posted");
      const { session_id: id } = await system.client.sessions.create({
        node_id: system.node.nodeId,
        agent_profile_id: profile.id,
        cwd: system.folder("work"),
        prompt: "remember CODEWORD-POST",
      });
      await system.untilYourTurn(id);

      const prompt = (n: number, text: string) =>
        system.client.sessions.prompt(id, `prompt-${n}`, [{ type: "text", text }]);
      await prompt(1, "approve");
      const asked = await until(
        async () => {
          const { rows } = await system.client.sessions.events(id, {});
          return rows.flatMap((r) => (r.body.kind === "permission" ? [r.body.approval] : []))[0];
        },
        { what: "the approval", ms: 30_000 },
      );
      const { request_id, execution_id, options } = asked;
      await system.client.sessions.answer(id, request_id, { execution_id, option_id: options[0]?.option_id ?? null });
      await system.untilStatus(
        id,
        "the approved turn's end",
        (s) =>
          s.turn?.outcome === "done" &&
          s.queued_prompts === 0 &&
          s.pending_approvals === 0 &&
          s.state === "WAITING_FOR_INPUT",
      );

      await system.killAgent(id);
      await system.untilStatus(id, "interrupted", (s) => s.needs_resume);
      await system.client.sessions.resume(id, { mode: "resume" });
      await system.untilStatus(id, "resumed", (s) => s.state === "WAITING_FOR_INPUT");
      await prompt(2, "recall");
      await system.untilStatus(id, "what it remembers", (s) => s.last_line?.includes("CODEWORD-POST") ?? false);
      expect(starts()).toHaveLength(2);

      // What is asked of a live machine works too.
      const folders = await system.client.nodes.completePath(system.node.nodeId, `${system.dir}/wo`);
      expect(folders.folders).toContain(system.folder("work"));

      await prompt(3, "stream 200 every 50");
      await system.untilStatus(id, "a running turn", (s) => s.state === "RUNNING");
      await system.client.sessions.stop(id);
      await system.untilStatus(id, "stopped", (s) => s.state === "CANCELLED" && !s.is_agent_running);
      expect(await transport(system)).toBe("http");
      expect((await system.client.nodes.get(system.node.nodeId)).presence).toBe("online");

      proxy.socketry = "pass";
      proxy.cutAll();
      await until(async () => (await transport(system)) === "websocket", { what: "the socket again", ms: 60_000 });
      await system.client.sessions.resume(id, { mode: "resume" });
      await system.untilStatus(id, "resumed by socket", (s) => s.state === "WAITING_FOR_INPUT");
    },
  );
});
