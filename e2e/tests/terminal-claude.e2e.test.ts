import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  alive,
  ClaudeTerminals,
  interrupted,
  killGroup,
  killPid,
  type Model,
  resumeButton,
  System,
  screenOf,
  settled,
  shows,
  startModel,
  type TerminalAgent,
  TerminalOnPage,
  terminalAgent,
  types,
  until,
  wantsRealAgents,
} from "../src/index.ts";

describe.skipIf(!wantsRealAgents())("the real Claude Code in its terminal", () => {
  let system: System;
  let model: Model;
  let agent: TerminalAgent;
  let never: TerminalAgent;
  let cwd: string;
  let claude: ClaudeTerminals;

  beforeAll(async () => {
    model = await startModel();
    system = await System.start({ nodeEnv: { SHELL: "/bin/bash" } });
    cwd = system.folder("w/project");
    agent = await terminalAgent(system, model, "claude", cwd);
    never = await terminalAgent(system, model, "claude", cwd, "never");
    claude = new ClaudeTerminals(system, model, cwd);
  });
  afterAll(async () => {
    await system?.end();
    await model?.close();
  });

  it("R1, R7, C08: shell and agent killed: banner, Resume, the same pane, and the conversation is there", async () => {
    const { id, page } = await claude.remembering("CODEWORD-SHELL", agent);
    const { shell, agent: program, execution, wrapper } = await claude.running(id);
    killPid(shell);
    killGroup(wrapper.pid);
    await until(() => !alive(program.pid), { what: "the agent to die" });
    await interrupted(page).waitFor();
    await system.untilDatabase(id, { state: "ERROR", end_reason: "interrupted" });
    await resumeButton(page).click();
    await claude.recalls(id, page, "CODEWORD-SHELL", execution);
  });

  it("R4, R6, X7: daemon and host killed: with `never` it waits for a click, its twin comes back by itself", async () => {
    const { id, page } = await claude.remembering("CODEWORD-WAITS", never);
    const twin = await claude.remembering("CODEWORD-TWIN", agent);
    const [one, other] = [await claude.running(id), await claude.running(twin.id)];
    const hosts = [await system.hostPid(id), await system.hostPid(twin.id)];
    await system.node.kill9();
    for (const host of hosts) killPid(host);
    await until(() => [one, other].every(({ agent: { pid } }) => !alive(pid)), {
      what: "the agents to go with their terminals",
    });
    await system.startNode();
    await interrupted(page).waitFor();
    const listed = (await system.client.sessions.list()).sessions.map(({ session_id }) => session_id);
    expect(listed).toEqual(expect.arrayContaining([id, twin.id]));
    expect(await system.status(id)).toMatchObject({ state: "ERROR", needs_resume: true, is_resumable: true });
    await claude.recalls(twin.id, twin.page, "CODEWORD-TWIN", other.execution);
    expect(await system.status(id)).toMatchObject({ is_agent_running: false });
    await resumeButton(page).click();
    await claude.recalls(id, page, "CODEWORD-WAITS", one.execution);
  });

  it("R7: SIGHUP: it says goodbye as it dies, and is offered all the same", async () => {
    const { id, page } = await claude.remembering("CODEWORD-HUP", never);
    const { agent: program, shell, execution } = await claude.running(id);
    process.kill(program.pid, "SIGHUP");
    await until(() => !alive(program.pid), { what: "the agent to die" });
    await interrupted(page).waitFor();
    expect(await system.status(id)).toMatchObject({ end_reason: "interrupted", needs_resume: true });
    expect(alive(shell), "its shell is still there").toBe(true);
    await resumeButton(page).click();
    await claude.recalls(id, page, "CODEWORD-HUP", execution);
  });

  it("R7, §3: `/exit`: it ended by itself; no banner, and the shell is there for the next one, which is a new execution", async () => {
    const { id, page } = await claude.remembering("CODEWORD-EXIT", agent);
    const { execution, shell } = await claude.running(id);
    await types(page, "/exit");
    await page.getByText("The agent ended this conversation itself.").waitFor();
    await system.untilDatabase(id, { state: "COMPLETED", end_reason: "agent_exit" });
    expect(await system.status(id)).toMatchObject({
      is_resumable: false,
      needs_resume: false,
      resume_reason: "agent_exit",
      exit_code: 0,
    });
    expect(await resumeButton(page).count()).toBe(0);
    expect(alive(shell)).toBe(true);
    await types(page, "echo still-$((40+2))");
    await shows(page, "still-42");
    expect((await system.status(id)).agent_execution_id).toBe(execution);

    // Its person starts one in that shell, with the environment that the profile's had.
    const env = Object.entries(agent.profile.env).map(([name, value]) => `export ${name}='${value}'`);
    writeFileSync(
      join(cwd, "again.sh"),
      `${env.join("\n")}\nexec '${agent.profile.command}' 'remember CODEWORD-FOUND'\n`,
    );
    await types(page, "sh again.sh");
    const found = await system.untilStatus(
      id,
      "another agent",
      (s) => s.is_agent_running && s.turn?.outcome === "done",
    );
    expect(found).toMatchObject({ state: "WAITING_FOR_INPUT", end_reason: null });
    expect(found.agent_execution_id).not.toBe(execution);
  });

  it("§3: suspended (Ctrl-Z) it comes back at once, and its next words are not its shell's", async () => {
    const { id, page } = await claude.remembering("CODEWORD-SUSPENDED", agent);
    const { execution } = await claude.running(id);
    await TerminalOnPage.agent(page).focus();
    await page.keyboard.press("Control+z");
    await types(page, "what do you remember?");
    await shows(page, /CODEWORD-SUSPENDED[\s\S]*CODEWORD-SUSPENDED/);
    await system.untilYourTurn(id);
    expect((await claude.running(id)).execution).toBe(execution);
  });

  it("B1, C27, C28: looked at anew in the middle, its screen is what it was, cell by cell, and takes keys", async () => {
    const { id, page } = await claude.remembering("CODEWORD-SCREEN", agent);
    await types(page, "stream 40 words every 20 ms");
    await shows(page, /\bw40\b/);
    await system.untilYourTurn(id);
    const before = await settled(page);
    await page.reload();
    await until(async () => (await screenOf(page)) === before, { what: `the same screen\n${before}` });
    await types(page, "what do you remember?");
    await shows(page, /CODEWORD-SCREEN[\s\S]*CODEWORD-SCREEN/);
  });

  it("T2: a turn that its person stops there with Esc is over, though no hook tells it", async () => {
    const { id, page } = await claude.remembering("CODEWORD-ESC", agent);
    await types(page, "stream 300 words every 100 ms");
    await system.untilStatus(id, "working", (s) => s.state === "RUNNING");
    await shows(page, /\bw5\b/);
    await page.keyboard.press("Escape");
    const stopped = await system.untilStatus(id, "your turn", (s) => s.state === "WAITING_FOR_INPUT");
    expect(stopped).toMatchObject({ is_agent_running: true, turn: { outcome: "cancelled" } });
    await claude.asks(id, page, "CODEWORD-ESC");
  });

  it("T5: stopped by a person: no banner, and a restart of everything brings nothing back", async () => {
    const { id, page } = await claude.remembering("CODEWORD-STOP", agent);
    const { agent: program } = await claude.running(id);
    await system.client.sessions.stop(id);
    await system.untilStatus(id, "stopped", (s) => s.state === "CANCELLED");
    expect(alive(program.pid)).toBe(false);
    await page.getByText("You stopped this session.").waitFor();
    await system.node.kill9();
    killPid(await system.hostPid(id).catch(() => 0));
    await system.startNode();
    expect(await system.status(id)).toMatchObject({ state: "CANCELLED", is_agent_running: false });
    expect(await interrupted(page).count()).toBe(0);
  });

  it("§3: never prompted: there is nothing to resume", async () => {
    const id = await claude.start(undefined, never);
    const page = await system.person();
    await system.open(page, id);
    const { agent: program } = await claude.running(id);
    await system.untilStatus(id, "ready", (s) => s.state === "WAITING_FOR_INPUT");
    killPid(program.pid);
    await page.getByText("Nothing was said yet, so there is nothing to resume.").waitFor();
    expect(await system.status(id)).toMatchObject({ is_resumable: false, resume_reason: "never_prompted" });
    expect(await resumeButton(page).count()).toBe(0);
  });

  it("R4, C11: an id that it doesn't know ends as gone, in its own words", async () => {
    const { session_id: id } = await system.client.sessions.create({
      node_id: system.node.nodeId,
      agent_profile_id: agent.profile.id,
      cwd,
      resume_session_id: "11111111-2222-4333-8444-555555555555",
    });
    const page = await system.person();
    await system.open(page, id);
    await page.getByText(/Claude Code no longer has this conversation \(.*No conversation found/).waitFor();
    expect(await system.status(id)).toMatchObject({ state: "ERROR", resume_reason: "conversation_gone" });
    await page.getByRole("button", { name: "Create new session" }).waitFor();
  });
});
