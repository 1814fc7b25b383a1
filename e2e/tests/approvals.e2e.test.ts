import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Model, realAgent, System, scriptedAgent, startModel, until, wantsRealAgents } from "../src/index.ts";

describe("approval", () => {
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

  it.skipIf(!wantsRealAgents())("P3: Claude Code asks, two browsers see it, it is answered once", async () => {
    const { profile } = await realAgent(system, model, "claude");
    const { session_id: id } = await system.client.sessions.create({
      node_id: system.node.nodeId,
      agent_profile_id: profile.id,
      cwd: system.folder("w-approval"),
      prompt: "ask approval",
    });
    const first = await system.person();
    await system.open(first, id);
    const card = first.getByRole("region", { name: /^Approval/ });
    await card.waitFor({ timeout: 60_000 });
    await first.getByText("Needs you").first().waitFor();

    const second = await system.person({ device: "phone", scheme: "dark" });
    await system.open(second, id);
    await second.getByRole("region", { name: /^Approval/ }).waitFor();

    await card.getByRole("button").first().click();
    await system.untilYourTurn(id);
    for (const page of [first, second]) await page.locator("[data-testid=approval][data-state=answered]").waitFor();
    expect(await system.said(id)).toContain("The tool answered");
  });

  it("P3, C22: after the agent was killed, the approval is expired, visibly, and can't be answered", async () => {
    const { profile } = await scriptedAgent(system, "approval");
    const { session_id: id } = await system.client.sessions.create({
      node_id: system.node.nodeId,
      agent_profile_id: profile.id,
      cwd: system.folder("w-expired"),
      prompt: "approve",
    });
    const page = await system.person();
    await system.open(page, id);
    await page.getByRole("region", { name: /^Approval/ }).waitFor({ timeout: 60_000 });
    const asked = await until(
      async () => {
        const { rows } = await system.client.sessions.events(id, {});
        return rows.flatMap((r) => (r.body.kind === "permission" ? [r.body.approval] : []))[0];
      },
      { what: "the approval's row" },
    );
    await system.killAgent(id);
    await page.locator("[data-testid=approval][data-state=expired]").waitFor();
    const option_id = asked.options[0]?.option_id ?? null;
    await expect(
      system.client.sessions.answer(id, asked.request_id, { execution_id: asked.execution_id, option_id }),
    ).rejects.toMatchObject({ code: "approval_expired" });
  });
});
