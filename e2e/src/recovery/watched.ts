import type { DisplayKind, SessionStatus } from "@reprise/protocol";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { findByEnv, until } from "../processes.ts";
import type { Database } from "../system/database.ts";
import type { System } from "../system/system.ts";

type Deep<T> = T extends object ? { [K in keyof T]?: Deep<T[K]> } : T;

/** How a session is to be, in each of the four places where it can be seen. */
export interface Expected {
  /** `task.session.status` over HTTP. */
  status: Deep<SessionStatus>;
  /** D1, where its rows say something else than the status's own words. */
  database?: Partial<ReturnType<Database["session"]>>;
  executor?: Partial<ReturnType<Database["executor"]>>;
  /** Agent processes of this session in /proc: this very one, exactly one, or none. */
  agent: number | "one" | "none";
  page: PageExpected;
}

export interface PageExpected {
  badge: DisplayKind;
  /** "Last known: …" */
  lastKnown?: boolean;
  banner?: RegExp | string | null;
  buttons?: readonly string[];
  /** Further words that are to be seen. */
  text?: readonly (string | RegExp)[];
}

/** One session with a page that somebody has open on it all the while. */
export class Watched {
  readonly id: string;
  readonly page: Page;
  readonly #system: System;
  /** Every execution that it ever had: an agent of an older one must not live either. */
  readonly #executions = new Set<string>();

  constructor(system: System, id: string, page: Page) {
    this.#system = system;
    this.id = id;
    this.page = page;
  }

  /** The session in all four places. @param when what of the row this is, for the message */
  async everywhere(when: string, expected: Expected): Promise<SessionStatus> {
    const status = await this.#seen(`${when}: status`, async () => {
      const now = await this.status();
      holds(now, expected.status);
      return now;
    });
    await this.#seen(`${when}: D1`, () => this.#inDatabase(status, expected));
    await this.#seen(`${when}: processes`, () => this.#inProcesses(expected.agent));
    await this.onPage(when, expected.page);
    // What was looked at last may have moved what was looked at first.
    await this.#seen(`${when}: status, again`, async () => holds(await this.status(), expected.status));
    return status;
  }

  /** The open page alone: for when nobody else answers. */
  async onPage(when: string, expected: PageExpected): Promise<void> {
    await this.#seen(`${when}: page`, () => this.#onPage(expected));
  }

  async status(): Promise<SessionStatus> {
    const status = await this.#system.status(this.id);
    if (status.agent_execution_id) this.#executions.add(status.agent_execution_id);
    return status;
  }

  /** Pids that lead a group of an agent of this session, by the mark in their environment. */
  agents(): number[] {
    const marked = [...this.#executions].flatMap((id) => findByEnv("REPRISE_EXECUTION_ID", id));
    return marked.filter((info) => info.pid === info.pgid).map((info) => info.pid);
  }

  /** All that carries the mark of one of its executions. */
  marked(): number[] {
    return [...this.#executions].flatMap((id) => findByEnv("REPRISE_EXECUTION_ID", id)).map((info) => info.pid);
  }

  /** The agent's one process. */
  async agentPid(): Promise<number> {
    await this.status();
    return until(() => (this.agents().length === 1 ? this.agents()[0] : false), { what: "the agent's process" });
  }

  /** Everything that the agent has said, in one line. */
  async said(): Promise<string> {
    return oneLine(await this.#system.said(this.id));
  }

  /** Log and open page hold this text, whole and once. */
  async wholeOnce(text: string): Promise<void> {
    await this.#seen("the log, whole and once", async () => expect(await this.said()).toBe(text));
    await this.#seen("the page, whole and once", async () => {
      const said = await this.page.getByRole("article", { name: "Agent said" }).allTextContents();
      expect(oneLine(said.join(" "))).toBe(text);
    });
  }

  async prompt(id: string, text: string): Promise<void> {
    await this.#system.client.sessions.prompt(this.id, id, [{ type: "text", text }]);
  }

  async press(button: string | RegExp): Promise<void> {
    try {
      await this.page.getByRole("button", { name: button, exact: true }).first().click();
    } catch (error) {
      throw new Error(`${String(error)}\n${await this.#last()}`);
    }
  }

  async #inDatabase(status: SessionStatus, expected: Expected): Promise<void> {
    const { state, end_reason, executor_status, executor_type } = status;
    const { database } = this.#system;
    holds(database.session(this.id), { state, end_reason, ...expected.database });
    holds(database.executor(this.id), { status: executor_status, executor_type, ...expected.executor });
  }

  #inProcesses(agent: Expected["agent"]): void {
    if (agent === "none") expect(this.marked()).toEqual([]);
    else if (agent === "one") expect(this.agents()).toHaveLength(1);
    else expect(this.agents()).toEqual([agent]);
  }

  async #onPage({ badge, lastKnown = false, banner, buttons = [], text = [] }: PageExpected): Promise<void> {
    const state = this.page.locator("header").getByTestId("state").first();
    expect(await state.getAttribute("data-state")).toBe(badge);
    expect(await state.getAttribute("data-last-known")).toBe(lastKnown ? "true" : null);
    const shown = this.page.getByTestId("banner");
    if (banner === null) expect(await shown.count()).toBe(0);
    else if (banner !== undefined) expect((await shown.allTextContents()).join(" ")).toMatch(banner);
    for (const name of buttons) expect(await this.page.getByRole("button", { name, exact: true }).count()).not.toBe(0);
    for (const one of text) expect(await this.page.getByText(one).count()).not.toBe(0);
  }

  /** Waits for a look to hold; its last failure is told, with the status. */
  async #seen<T>(what: string, look: () => T | Promise<T>): Promise<T> {
    try {
      const { value } = await until(async () => ({ value: await look() }), { what });
      return value;
    } catch (error) {
      throw new Error(`${String(error)}\n${await this.#last()}`);
    }
  }

  /** How it stood when a wait failed. */
  async #last(): Promise<string> {
    const page = await this.page.locator("#root").textContent().catch(String);
    const status = JSON.stringify(await this.status().catch(String), null, 1);
    return `last page ${this.page.url()}: ${oneLine(page ?? "").slice(0, 800)}\nlast status: ${status}`;
  }
}

/** Like toMatchObject; says only what differs, so that the message of a failed wait stays short. */
function holds(actual: unknown, expected: object): void {
  expect(differences(actual, expected, "")).toEqual([]);
}

function differences(actual: unknown, expected: unknown, at: string): string[] {
  if (typeof expected === "object" && expected !== null) {
    const entries = new Map(Object.entries(actual ?? {}));
    return Object.entries(expected).flatMap(([key, value]) => differences(entries.get(key), value, `${at}.${key}`));
  }
  return actual === expected ? [] : [`${at.slice(1)} is ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`];
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
