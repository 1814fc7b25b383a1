import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { Model } from "../model/server.ts";
import { findByEnv, type ProcessInfo, processInfo, until } from "../processes.ts";
import type { System } from "../system/system.ts";
import type { TerminalAgent } from "./agents.ts";
import { shows, types } from "./pane.ts";

/** What runs of one session's agent in its terminal, as the kernel tells it. */
export interface Running {
  execution: string;
  wrapper: ProcessInfo;
  agent: ProcessInfo;
  shell: number;
}

/** Sessions of the real Claude Code in its terminal, in one folder, and what a person does at them. */
export class ClaudeTerminals {
  readonly #system: System;
  readonly #model: Model;
  readonly #cwd: string;

  constructor(system: System, model: Model, cwd: string) {
    this.#system = system;
    this.#model = model;
    this.#cwd = cwd;
  }

  async start(prompt: string | undefined, by: TerminalAgent): Promise<string> {
    const { session_id } = await this.#system.client.sessions.create({
      node_id: this.#system.node.nodeId,
      agent_profile_id: by.profile.id,
      cwd: this.#cwd,
      ...(prompt === undefined ? {} : { prompt }),
    });
    return session_id;
  }

  /** Started with a codeword, answered, open in somebody's browser. */
  async remembering(codeword: string, by: TerminalAgent): Promise<{ id: string; page: Page }> {
    const id = await this.start(`remember ${codeword}`, by);
    const page = await this.#system.person();
    await this.#system.open(page, id);
    await shows(page, codeword);
    await this.#system.untilYourTurn(id);
    return { id, page };
  }

  async running(id: string): Promise<Running> {
    const running = await this.#system.untilStatus(id, "a running agent", (s) => s.is_agent_running);
    const execution = running.agent_execution_id;
    if (execution === null) throw new Error("no execution");
    return until(
      () => {
        const all = findByEnv("REPRISE_EXECUTION_ID", execution);
        const agent = all.find(({ command }) => /claude-agent-sdk[^ ]*\/claude( |$)/.test(command));
        const wrapper = agent && processInfo(agent.ppid);
        return wrapper ? { execution, agent, wrapper, shell: agent.sid } : false;
      },
      { what: "the agent in its terminal" },
    );
  }

  /** It knows the word again, and nobody but itself can have told it. @param before the execution that ended */
  async recalls(id: string, page: Page, codeword: string, before: string): Promise<void> {
    await interrupted(page).waitFor({ state: "detached" });
    const now = await this.running(id);
    expect(now.execution).not.toBe(before);
    const token = this.#system.database.executor(id).resume_token;
    expect(token).toBeTruthy();
    expect(now.agent.command).toContain(`--resume ${token}`);
    expect(now.agent.command).not.toContain(codeword);
    await this.asks(id, page, codeword);
  }

  /** It says the word, out of its own conversation. */
  async asks(id: string, page: Page, codeword: string): Promise<void> {
    const answers = this.#model.requests.length;
    await types(page, "what do you remember?");
    const said = () => this.#model.requests.slice(answers).map(({ body }) => JSON.stringify(body));
    await until(() => said().some((body) => body.includes(codeword)), {
      what: "the restored conversation to reach the model",
    });
    await this.#system.untilYourTurn(id);
    await shows(page, codeword);
  }
}

export const interrupted = (page: Page) => page.getByText(/Claude Code was interrupted/);
export const resumeButton = (page: Page) => page.getByRole("button", { name: "Resume", exact: true });
