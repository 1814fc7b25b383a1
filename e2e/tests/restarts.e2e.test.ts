import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  alive,
  type Model,
  realAgent,
  System,
  scriptedAgent,
  startModel,
  until,
  wantsRealAgents,
} from "../src/index.ts";

/** "w1 w2 … wN", whole and once. */
const words = (n: number) => Array.from({ length: n }, (_, i) => `w${i + 1}`).join(" ");

describe.skipIf(!wantsRealAgents())("killed in the middle of a streaming turn of Claude Code", () => {
  let system: System;
  let model: Model;
  beforeAll(async () => {
    model = await startModel();
    system = await System.start();
  });
  afterAll(async () => {
    await system?.end();
    await model?.close();
  });

  const COUNT = 120;

  /** A page that sees the first words of a long answer. */
  async function streaming(folder: string): Promise<{ id: string; page: Page; pid: number }> {
    const { profile } = await realAgent(system, model, "claude");
    const { session_id: id } = await system.client.sessions.create({
      node_id: system.node.nodeId,
      agent_profile_id: profile.id,
      cwd: system.folder(folder),
      prompt: `stream ${COUNT} words every 100 ms`,
    });
    const page = await system.person();
    await system.open(page, id);
    await page.getByText(/\bw5\b/).waitFor({ timeout: 60_000 });
    return { id, page, pid: await system.agentPid(id) };
  }

  async function wholeOnce(id: string, page: Page): Promise<void> {
    await system.untilYourTurn(id);
    expect((await system.said(id)).replace(/\s+/g, " ").trim()).toBe(words(COUNT));
    await until(
      async () =>
        ((await page.getByRole("article", { name: "Agent said" }).textContent()) ?? "").replace(/\s+/g, " ").trim() ===
        words(COUNT),
      {
        what: "the open page to show the whole answer once",
      },
    );
    await page.getByText("Your turn").first().waitFor();
  }

  it("C01, C07, T2, X4: the control plane, killed and started again, is right at its first listing and loses nothing", async () => {
    const { id, page, pid } = await streaming("w-control-plane");
    await system.controlPlane.kill9();
    await page.getByText(/Behind since/).waitFor();
    await system.startControlPlane();
    const [first] = (await system.client.sessions.list({})).sessions.filter((s) => s.session_id === id);
    expect(first).toMatchObject({
      state: "RUNNING",
      end_reason: null,
      is_agent_running: true,
      resume_reason: "agent_running",
    });
    await wholeOnce(id, page);
    expect(await page.getByText(/Behind since/).count()).toBe(0);
    expect(await system.agentPid(id)).toBe(pid);
    expect(alive(pid)).toBe(true);
  });

  it("X4, X7, C04: the daemon, killed and started again, adopts the host", async () => {
    const { id, page, pid } = await streaming("w-daemon");
    const host = await system.hostPid(id);
    await system.node.kill9();
    await system.untilStatus(id, "the machine to be seen as silent", (s) => s.node.presence === "reconnecting");
    expect(await system.status(id)).toMatchObject({ state: "RUNNING", end_reason: null });
    await page
      .getByText(/Last known: Working/)
      .first()
      .waitFor();
    await system.startNode();
    await wholeOnce(id, page);
    expect(await system.processes(id)).toEqual({ host, agent: pid });
  });
});

describe("everything killed", () => {
  let system: System;
  beforeEach(async () => {
    system = await System.start();
  });
  afterEach(() => system?.end());

  it("R6, C01, C06, C07: `never` waits for a person, its twin comes back by itself with nobody attached", async () => {
    const create = async (auto: "never" | "interrupted") => {
      const { profile, starts } = await scriptedAgent(system, `everything-${auto}`, [], auto);
      const { session_id: id } = await system.client.sessions.create({
        node_id: system.node.nodeId,
        agent_profile_id: profile.id,
        cwd: system.folder(`w-${auto}`),
        prompt: `remember CODEWORD-${auto.toUpperCase()}; stream 500 every 100`,
      });
      await until(
        async () => (await system.status(id)).state === "RUNNING" && (await system.said(id)).includes("CODEWORD"),
        { what: `${id} to work` },
      );
      return { id, starts };
    };
    const never = await create("never");
    const twin = await create("interrupted");
    await until(() => system.database.executor(twin.id).resume_token !== null, { what: "the token to be stored" });
    await system.killEverything([never.id, twin.id]);

    await system.startControlPlane();
    const before = (await system.client.sessions.list({})).sessions;
    for (const s of before)
      expect(s).toMatchObject({ state: "RUNNING", node: { presence: "reconnecting" }, resume_reason: "agent_running" });
    await system.startNode();

    const ended = await system.untilStatus(
      never.id,
      "interrupted, and its workspace ready again",
      (s) => s.state === "ERROR" && s.executor_status === "ready",
    );
    expect(ended).toMatchObject({ end_reason: "interrupted", needs_resume: true, turn: { outcome: "interrupted" } });
    await system.untilDatabase(never.id, { state: "ERROR", end_reason: "interrupted" });
    await system.untilStatus(twin.id, "back by itself", (s) => s.state === "WAITING_FOR_INPUT");
    expect(await system.status(twin.id)).toMatchObject({
      attached: false,
      queue_held: true,
      turn: { outcome: "interrupted" },
    });
    expect(never.starts()).toHaveLength(1);
    expect(twin.starts()).toHaveLength(2);

    const page = await system.person();
    await system.open(page, never.id);
    await page.getByText("Scripted was interrupted").waitFor();
    await page.getByText(/Turn interrupted/).waitFor();
    await page.getByRole("button", { name: "Resume", exact: true }).click();
    await system.untilStatus(never.id, "resumed", (s) => s.state === "WAITING_FOR_INPUT");
    await page.getByText("The agent is back; its turn was cut off.").waitFor();
    await system.client.sessions.prompt(never.id, "recall-0001", [{ type: "text", text: "recall" }]);
    await page.getByText("CODEWORD-NEVER").last().waitFor();
    await system.untilYourTurn(never.id);
    expect(
      (await system.said(never.id)).split("CODEWORD-NEVER").length - 1,
      "once remembered, once recalled: no history twice (C18)",
    ).toBe(2);
  });
});
