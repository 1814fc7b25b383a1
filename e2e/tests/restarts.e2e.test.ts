import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { System, scriptedAgent, until } from "../src/index.ts";

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
