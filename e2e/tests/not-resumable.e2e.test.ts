import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Model, realAgent, System, scriptedAgent, startModel, wantsRealAgents } from "../src/index.ts";

describe("not resumable", () => {
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

  it("R1, R9: an agent that can't load offers Create new session, with the sentence why", async () => {
    const { profile, starts } = await scriptedAgent(system, "cannot", ["--no-load", "--no-resume"]);
    const { session_id: id } = await create(profile.id, "w-cannot", "echo hi");
    await system.untilYourTurn(id);
    const page = await system.person();
    await system.open(page, id);
    await system.killAgent(id);
    await page.getByText("This agent can't resume earlier sessions. Create a new session to continue.").waitFor();
    await expect(system.client.sessions.resume(id, { mode: "resume" })).rejects.toMatchObject({
      status: 409,
      code: "not_resumable",
      details: { reason: "not_resumable" },
    });
    await page
      .getByRole("button", { name: "Create new session" })
      .or(page.getByRole("link", { name: "Create new session" }))
      .first()
      .click();
    await page.waitForURL(/\/new\?/);
    expect(starts()).toHaveLength(1);
  });

  it("C11, R4: a conversation that is gone is said so, in the agent's words, and nothing is started afresh", async () => {
    const { profile, starts } = await scriptedAgent(system, "gone", ["--gone"]);
    const { session_id: id } = await create(profile.id, "w-gone", "echo hi");
    await system.untilYourTurn(id);
    await system.killAgent(id);
    await system.untilStatus(id, "interrupted", (s) => s.needs_resume);
    await system.client.sessions.resume(id, { mode: "resume" });
    const status = await system.untilStatus(id, "gone", (s) => s.resume_reason === "conversation_gone");
    expect(status).toMatchObject({ state: "ERROR", is_resumable: false, is_agent_running: false, retry_at: null });
    const page = await system.person();
    await system.open(page, id);
    await page.getByText(/Scripted no longer has this conversation \(.+\)/).waitFor();
    await page.getByText("Can't resume").first().waitFor();
    expect(starts()).toHaveLength(2);
  });

  it.skipIf(!wantsRealAgents())(
    "C11: Gemini CLI, which says that it can and then that the conversation is gone, ends there too",
    async () => {
      const { profile } = await realAgent(system, model, "gemini");
      const { session_id: id } = await create(profile.id, "w-gemini", "remember CODEWORD-GEMINI");
      await system.untilYourTurn(id);
      await system.killAgent(id);
      await system.untilStatus(id, "interrupted", (s) => s.needs_resume);
      rmSync(join(system.dir, "home-gemini", ".gemini", "tmp"), { recursive: true, force: true });
      await system.client.sessions.resume(id, { mode: "resume" });
      const status = await system.untilStatus(id, "gone", (s) => s.resume_reason === "conversation_gone");
      expect(status.error_message).toMatch(/no previous sessions/i);
    },
  );

  function create(agent_profile_id: string, folder: string, prompt: string) {
    return system.client.sessions.create({
      node_id: system.node.nodeId,
      agent_profile_id,
      cwd: system.folder(folder),
      prompt,
    });
  }
});
