import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  findByEnv,
  type Model,
  resumeButton,
  System,
  shows,
  startModel,
  type TerminalAgent,
  terminalAgent,
  types,
  until,
  wantsRealAgents,
} from "../src/index.ts";

describe.skipIf(!wantsRealAgents())("the real Codex in its terminal", () => {
  let system: System;
  let model: Model;
  let codex: TerminalAgent;
  let cwd: string;

  beforeAll(async () => {
    model = await startModel();
    system = await System.start({ nodeEnv: { SHELL: "/bin/bash" } });
    cwd = system.folder("w/project");
    codex = await terminalAgent(system, model, "codex", cwd, "never");
  });
  afterAll(async () => {
    await system?.end();
    await model?.close();
  });

  async function remembering(codeword: string): Promise<{ id: string; page: Page }> {
    const { session_id: id } = await system.client.sessions.create({
      node_id: system.node.nodeId,
      agent_profile_id: codex.profile.id,
      cwd,
      prompt: `remember ${codeword}`,
    });
    const page = await system.person();
    await system.open(page, id);
    // In the prompt, and in the answer to it.
    await shows(page, new RegExp(`${codeword}[\\s\\S]*${codeword}`));
    await until(() => system.database.executor(id).resume_token, { what: "its conversation's id" });
    return { id, page };
  }

  /** The program itself: what npm installs is a script around it. */
  async function program(id: string): Promise<number> {
    const { agent_execution_id } = await system.untilStatus(id, "running", (s) => s.is_agent_running);
    const all = findByEnv("REPRISE_EXECUTION_ID", agent_execution_id ?? "");
    const found = all.find(({ command }) => /vendor\/.*\/codex( |$)|codex-linux[^ ]*\/codex( |$)/.test(command));
    if (!found) throw new Error(`no codex in ${all.map(({ command }) => command).join("\n")}`);
    return found.pid;
  }

  it("R7: left by its person, it ended by itself", async () => {
    const { id, page } = await remembering("CODEWORD-LEFT");
    await types(page, "/quit");
    await system.untilStatus(id, "over", (s) => s.state === "COMPLETED");
    expect(await system.status(id)).toMatchObject({ end_reason: "agent_exit", is_resumable: false, exit_code: 0 });
    expect(await resumeButton(page).count()).toBe(0);
  });

  it("R7, R1, C08: hung up, it was interrupted, and comes back by its id with its conversation", async () => {
    const { id, page } = await remembering("CODEWORD-HANGUP");
    const token = system.database.executor(id).resume_token;
    process.kill(await program(id), "SIGHUP");
    await system.untilStatus(id, "interrupted", (s) => s.state === "ERROR");
    expect(await system.status(id)).toMatchObject({ end_reason: "interrupted", needs_resume: true });
    await resumeButton(page).click();
    await system.untilStatus(id, "back", (s) => s.is_agent_running && s.state === "WAITING_FOR_INPUT");
    const { agent_execution_id } = await system.status(id);
    const [first] = findByEnv("REPRISE_EXECUTION_ID", agent_execution_id ?? "").filter(({ command }) =>
      command.includes(" resume "),
    );
    expect(first?.command).toContain(`resume ${token}`);
    const answers = model.requests.length;
    await types(page, "what do you remember?");
    await until(
      () => model.requests.slice(answers).some(({ body }) => JSON.stringify(body).includes("CODEWORD-HANGUP")),
      { what: "the restored conversation to reach the model" },
    );
  });
});
