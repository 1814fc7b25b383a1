import { mkdirSync, renameSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { alive, System, scriptedAgent, until } from "../src/index.ts";

describe("what breaks for people today", () => {
  let system: System;
  beforeAll(async () => {
    system = await System.start();
  });
  afterAll(() => system?.end());

  async function create(name: string, prompt: string, flags: string[] = []) {
    const agent = await scriptedAgent(system, name, flags);
    const cwd = system.folder(`w-${name}`);
    const { session_id: id } = await system.client.sessions.create({
      node_id: system.node.nodeId,
      agent_profile_id: agent.profile.id,
      cwd,
      prompt,
    });
    return { id, cwd, ...agent };
  }

  it("C02: an agent that can't start leaves STARTING at once, with its reason; the prompt is kept", async () => {
    const { id, profile } = await create("cannot-start", "echo kept", ["--exit-on-start", "7"]);
    const s = await system.untilStatus(id, "failed", (x) => x.state === "ERROR");
    expect(s).toMatchObject({
      end_reason: "failed",
      executor_status: "ready",
      queued_prompts: 1,
      resume_reason: "never_prompted",
    });
    expect(s.error_message).toMatch(/7/);
    const page = await system.person();
    await system.open(page, id);
    await system.client.profiles.update(profile.id, {
      args: profile.args.filter((arg) => !/^(--exit-on-start|7)$/.test(arg)),
    });
    await page.getByRole("button", { name: "Start again" }).click();
    await page.getByRole("article", { name: "Agent said" }).getByText("kept").waitFor();
  });

  it("C19: a prompt to an agent that is away waits in sight, and is delivered on its return", async () => {
    const { id } = await create("away", "echo hi");
    await system.untilYourTurn(id);
    await system.killAgent(id);
    await system.untilStatus(id, "interrupted", (s) => s.needs_resume);
    const page = await system.person();
    await system.open(page, id);
    await page.getByRole("textbox", { name: "Prompt" }).fill("echo when you are back");
    await page.keyboard.press("Enter");
    await page.getByRole("region", { name: "Queue" }).getByText("echo when you are back").waitFor();
    await system.untilStatus(id, "the prompt is stored", (s) => s.queued_prompts === 1 && s.state === "ERROR");
    await page.getByRole("button", { name: "Resume", exact: true }).click();
    await page.getByRole("article", { name: "Agent said" }).getByText("when you are back").waitFor();
    expect((await system.said(id)).match(/when you are back/g)).toHaveLength(1);
  });

  it("C13, C14: a session whose folder is gone says so, starts nothing, and goes on when it is back", async () => {
    const { id, cwd, starts } = await create("folder", "remember CODEWORD-FOLDER");
    await system.untilYourTurn(id);
    await system.killAgent(id);
    await system.untilStatus(id, "interrupted", (s) => s.needs_resume);
    renameSync(cwd, `${cwd}-moved`);
    await system.client.sessions.resume(id, { mode: "resume" });
    await system.untilStatus(id, "the folder is missed", (s) => s.resume_reason === "workspace_missing");
    const page = await system.person();
    await system.open(page, id);
    await page.getByText(`The folder ${cwd} is gone from`).waitFor();
    expect(starts()).toHaveLength(1);
    renameSync(`${cwd}-moved`, cwd);
    mkdirSync(`${cwd}/elsewhere`);
    await page.getByRole("button", { name: "Check again" }).click();
    // The banner's: the workspace, closed with the folder's absence, has a Retry of its own.
    await page
      .getByRole("status")
      .getByRole("button", { name: /^(Resume|Try now|Retry)$/ })
      .first()
      .click();
    await system.untilStatus(id, "resumed", (s) => s.state === "WAITING_FOR_INPUT");
    await system.client.sessions.prompt(id, "recall-0001", [{ type: "text", text: "recall" }]);
    await until(async () => (await system.said(id)).match(/CODEWORD-FOLDER/g)?.length === 2, {
      what: "the codeword to be recalled",
    });
  });

  it("profile_missing: a deleted profile is said, another one of the same agent can be chosen, and it goes on", async () => {
    const { id, profile } = await create("profile", "echo hi");
    await system.untilYourTurn(id);
    await system.killAgent(id);
    await system.untilStatus(id, "interrupted", (s) => s.needs_resume);
    const { id: _id, built_in: _b, created_at: _c, updated_at: _u, ...spec } = profile;
    await system.client.profiles.create({ ...spec, name: "The other one", auto_resume: "never" });
    const page = await system.person();
    await system.open(page, id);
    await system.client.profiles.remove(profile.id);
    await page.getByText("The agent profile of this session was deleted.").waitFor();
    await page.getByRole("button", { name: "Choose a profile" }).click();
    expect(await page.getByLabel("Profile", { exact: true }).locator("option").allTextContents()).toEqual([
      "The other one",
    ]);
    await page.getByRole("button", { name: "Use this profile" }).click();
    await page.getByRole("button", { name: "Resume", exact: true }).click();
    await system.untilStatus(id, "resumed", (s) => s.state === "WAITING_FOR_INPUT");
    expect(await system.status(id)).toMatchObject({ auto_resume: "never" });
  });

  it("C18, R5: a load that replays its history puts nothing into the log twice; one that shows nothing is unverified", async () => {
    const { id } = await create("replay", "remember CODEWORD-ONCE", ["--no-resume", "--late-replay"]);
    await system.untilYourTurn(id);
    const before = (await system.client.sessions.events(id, {})).rows.filter((r) => r.body.kind === "message").length;
    await system.killAgent(id);
    await system.untilStatus(id, "interrupted", (s) => s.needs_resume);
    await system.client.sessions.resume(id, { mode: "resume" });
    await system.untilStatus(id, "resumed", (s) => s.state === "WAITING_FOR_INPUT");
    expect((await system.client.sessions.events(id, {})).rows.filter((r) => r.body.kind === "message")).toHaveLength(
      before,
    );
    const mute = await create("mute", "remember CODEWORD-MUTE", ["--no-resume", "--no-replay-on-load"]);
    await system.untilYourTurn(mute.id);
    await system.killAgent(mute.id);
    await system.untilStatus(mute.id, "interrupted", (s) => s.needs_resume);
    await system.client.sessions.resume(mute.id, { mode: "resume" });
    await system.untilStatus(mute.id, "unverified", (s) => s.unverified);
    const page = await system.person();
    await system.open(page, mute.id);
    await page.getByText("The agent resumed but showed nothing of the conversation.").waitFor();
  });

  it("C20: a reply that falls between loading and subscribing is in the page", async () => {
    const { id } = await create("between", "burst 400; echo the very end");
    const page = await system.person();
    await system.open(page, id);
    await page.getByRole("article", { name: "Agent said" }).getByText("the very end").waitFor({ timeout: 60_000 });
    await system.untilYourTurn(id);
    await page.getByText("Your turn").first().waitFor();
  });

  it("T5, C25: stopped by a person is a quiet line, and a cancel ends only the turn", async () => {
    const { id } = await create("stop", "stream 600 every 100");
    await system.untilStatus(id, "working", (s) => s.state === "RUNNING");
    const page = await system.person();
    await system.open(page, id);
    await page
      .getByRole("button", { name: /^Cancel/ })
      .first()
      .click();
    await system.untilStatus(
      id,
      "cancelled",
      (s) => s.turn?.outcome === "cancelled" && s.state === "WAITING_FOR_INPUT",
    );
    expect(await system.status(id)).toMatchObject({ is_agent_running: true });
    await system.client.sessions.stop(id);
    await system.untilStatus(id, "stopped", (s) => s.state === "CANCELLED");
    await page.getByText("You stopped this session.").waitFor();
    expect(await system.status(id)).toMatchObject({ end_reason: "stopped", needs_resume: false, is_resumable: true });
  });

  it("C09, C08: after the daemon's restart a dead agent is resumed from the record, not from its memory", async () => {
    const { id, starts } = await create("record", "remember CODEWORD-RECORD");
    await system.untilYourTurn(id);
    await system.killAgent(id);
    await system.untilStatus(id, "interrupted", (s) => s.needs_resume);
    const host = await system.hostPid(id);
    await system.node.kill9();
    process.kill(host, "SIGKILL");
    await system.startNode();
    await system.client.sessions.resume(id, { mode: "resume", prompt: "recall" });
    await until(async () => (await system.said(id)).match(/CODEWORD-RECORD/g)?.length === 2, {
      ms: 60_000,
      what: "the codeword to be recalled",
    });
    expect(starts()).toHaveLength(2);
  });

  it("C04: control plane and daemon restarted: every session is in the first list, unattached, its agent untouched", async () => {
    const made = await Promise.all(["one", "two", "three"].map((name) => create(`c04-${name}`, "echo hi")));
    const ids = made.map((m) => m.id);
    for (const id of ids) await system.untilYourTurn(id);
    const before = await Promise.all(ids.map((id) => system.processes(id)));
    await Promise.all([system.node.kill9(), system.controlPlane.kill9()]);
    await system.startControlPlane();
    const { sessions } = await system.client.sessions.list({});
    for (const id of ids) {
      const row = sessions.find((s) => s.session_id === id);
      expect(row).toMatchObject({
        state: "WAITING_FOR_INPUT",
        is_agent_running: true,
        attached: false,
        end_reason: null,
      });
    }
    expect((await system.client.sessions.count({})).count).toBe(sessions.length);
    await system.startNode();
    for (const id of ids)
      await system.untilStatus(id, "present again", (s) => s.node.presence === "online" && s.is_agent_running);
    expect(await Promise.all(ids.map((id) => system.processes(id)))).toEqual(before);
    expect(made.map((m) => m.starts().length)).toEqual([1, 1, 1]);
  });

  it("host killed: its agent's group is gone too, the workspace is ready again, and the banner is there within moments", async () => {
    const { id } = await create("host", "stream 600 every 100");
    await system.untilStatus(id, "working", (s) => s.state === "RUNNING");
    const [host, agent] = [await system.hostPid(id), await system.agentPid(id)];
    process.kill(host, "SIGKILL");
    const s = await system.untilStatus(id, "interrupted", (x) => x.state === "ERROR");
    expect(s).toMatchObject({ end_reason: "interrupted", needs_resume: true, turn: { outcome: "interrupted" } });
    await system.untilStatus(id, "the workspace to be ready", (x) => x.executor_status === "ready");
    await until(() => !alive(agent), { what: "the agent to be gone" });
  });
});
