import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { System, scriptedAgent } from "../src/index.ts";

describe("twice", () => {
  let system: System;
  beforeAll(async () => {
    system = await System.start();
  });
  afterAll(() => system?.end());

  async function interrupted(name: string) {
    const { profile, starts } = await scriptedAgent(system, name, ["--init-delay", "500"]);
    const { session_id: id } = await system.client.sessions.create({
      node_id: system.node.nodeId,
      agent_profile_id: profile.id,
      cwd: system.folder(`w-${name}`),
      prompt: "echo hi",
    });
    await system.untilYourTurn(id);
    await system.killAgent(id);
    await system.untilStatus(id, "interrupted", (s) => s.needs_resume);
    expect(starts()).toHaveLength(1);
    return { id, starts };
  }

  it("R3: two tabs press Resume at once: one agent process", async () => {
    const { id, starts } = await interrupted("tabs");
    const [one, two] = [await system.person(), await system.person()];
    for (const page of [one, two]) await system.open(page, id);
    // Neither is let through before both have pressed: the first answer takes the other tab's button away.
    const both = Promise.withResolvers<void>();
    let pressed = 0;
    for (const page of [one, two]) {
      await page.route("**/resume", async (route) => {
        pressed += 1;
        if (pressed === 2) both.resolve();
        await both.promise;
        await route.continue();
      });
      await page.getByRole("button", { name: "Resume", exact: true }).click();
    }
    await both.promise;
    await system.untilStatus(id, "resumed", (s) => s.state === "WAITING_FOR_INPUT");
    for (const page of [one, two]) await page.getByText("Your turn").first().waitFor();
    expect(starts()).toHaveLength(2);
  });

  it("R3, C17: 20 presses leave one agent; once it runs, resume is refused and nothing is aborted", async () => {
    const { id, starts } = await interrupted("presses");
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => system.client.sessions.resume(id, { mode: "resume" })),
    );
    expect(answers.filter((a) => a.status === "resumed")).toHaveLength(1);
    expect(new Set(answers.map((a) => a.execution_id)).size).toBe(1);
    await system.untilStatus(id, "resumed", (s) => s.state === "WAITING_FOR_INPUT");
    const pid = await system.agentPid(id);
    await expect(system.client.sessions.resume(id, { mode: "resume" })).rejects.toMatchObject({
      status: 409,
      code: "agent_running",
      details: { execution_id: answers[0]?.execution_id },
    });
    expect(await system.agentPid(id)).toBe(pid);
    expect(starts()).toHaveLength(2);
  });

  it("P1: a prompt posted twice with one id is one prompt", async () => {
    const { profile } = await scriptedAgent(system, "prompt-twice");
    const { session_id: id } = await system.client.sessions.create({
      node_id: system.node.nodeId,
      agent_profile_id: profile.id,
      cwd: system.folder("w-prompt-twice"),
      prompt: "echo first",
    });
    await system.untilYourTurn(id);
    const post = () => system.client.sessions.prompt(id, "same-prompt-id", [{ type: "text", text: "echo once only" }]);
    await Promise.all([post(), post()]);
    await system.untilStatus(
      id,
      "the second turn",
      (s) =>
        s.turn?.outcome === "done" &&
        s.state === "WAITING_FOR_INPUT" &&
        s.queued_prompts === 0 &&
        s.last_line === "once only",
    );
    await post();
    expect(await system.status(id)).toMatchObject({ queued_prompts: 0, state: "WAITING_FOR_INPUT" });
    expect((await system.said(id)).split("once only").length - 1).toBe(1);
  });
});
