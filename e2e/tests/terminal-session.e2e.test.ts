import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentProfile } from "@reprise/protocol";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  complaints,
  killGroup,
  killPid,
  processInfo,
  System,
  scriptedTerminal,
  TerminalOnPage,
  until,
} from "../src/index.ts";

const screenKind = (page: Page) => page.getByTestId("agent-terminal").getAttribute("data-screen");
const foot = (page: Page) => page.getByTestId("terminal-foot");
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** Writes down what the agent's place shows, one after another. */
async function watched(page: Page): Promise<() => Promise<string[]>> {
  await page.getByTestId("agent-terminal").evaluate((place) => {
    const seen = [place.getAttribute("data-screen")];
    new MutationObserver(() => seen.push(place.getAttribute("data-screen"))).observe(place, { attributes: true });
    Object.assign(window, { seenScreens: seen });
  });
  return () => page.evaluate(() => Reflect.get(window, "seenScreens"));
}

describe("A terminal agent's session, on its page", () => {
  let system: System;
  let profile: AgentProfile;
  beforeAll(async () => {
    system = await System.start({ nodeEnv: { SHELL: "/bin/sh", PS1: "$ ", ENV: "" } });
    profile = await scriptedTerminal(system, "scripted");
  });
  afterAll(() => system?.end());

  async function create(prompt?: string): Promise<string> {
    const { session_id } = await system.client.sessions.create({
      node_id: system.node.nodeId,
      agent_profile_id: profile.id,
      cwd: system.folder("work"),
      ...(prompt === undefined ? {} : { prompt }),
    });
    return session_id;
  }

  async function opened(prompt = "say one", options: Parameters<System["person"]>[0] = {}) {
    const id = await create(prompt);
    const page = await system.person(options);
    const wrong = complaints(page);
    await system.open(page, id);
    const terminal = TerminalOnPage.agent(page);
    await terminal.shows(`done with ${prompt}`);
    return { id, page, terminal, wrong };
  }

  /** The agent's process; its wrapper and their shell are above it. */
  async function killWithShell(id: string): Promise<void> {
    const agent = await system.agentPid(id);
    const shell = processInfo(agent)?.sid;
    if (shell === undefined) throw new Error("the agent has no shell");
    killPid(shell);
    killGroup(agent);
  }

  it("§3, B1: killed with its shell: the last screen stays, the banner takes the title's place, and Resume goes on in the same pane", async () => {
    const { id, page, terminal, wrong } = await opened();
    await foot(page).getByText("The agent's title").waitFor();
    const height = async () => (await foot(page).boundingBox())?.height;
    const before = await height();
    await killWithShell(id);
    await page.getByText(/^Claude Code was interrupted .* Its conversation is intact\.$/).waitFor();
    await until(async () => (await screenKind(page)) === "past", { what: "the last screen" });
    await terminal.shows("done with say one");
    expect(await height(), "the banner moves nothing").toBe(before);

    await button(page, "Dismiss").click();
    await foot(page).getByText("Claude Code isn't running.").waitFor();
    await page.reload();
    await foot(page).getByText("Claude Code isn't running.").waitFor();
    await terminal.shows("done with say one");

    const pane = await terminal.box.locator(".xterm").elementHandle();
    const seen = await watched(page);
    await button(page, "Resume").click();
    await terminal.takesKeys();
    await terminal.shows(/^agent \d+ serves conversation-\d+;/);
    expect(await seen()).toEqual(expect.arrayContaining(["past", "coming", "live"]));
    expect(await pane?.evaluate((element) => element.isConnected), "it is the same pane").toBe(true);
    expect(await terminal.screen()).not.toContain("done with say one");
    // Whoever pressed Resume can go on at once.
    await page.keyboard.type("say two\n");
    await terminal.shows("done with say two");
    expect(wrong).toEqual([]);
  });

  it("what it asks stands at its terminal, and its row in the inbox leads there and approves nothing", async () => {
    const { page, terminal, id } = await opened();
    await terminal.types("ask", "ask");
    await foot(page).getByText("May I?").waitFor();
    await page.getByTestId("state").getByText("Needs you").first().waitFor();
    await button(page, "Answer in the terminal").click();
    await page.keyboard.type("say yes\n");
    await terminal.shows("done with say yes");
    await foot(page).getByText("May I?").waitFor({ state: "detached" });

    await terminal.types("ask", "ask");
    await system.untilStatus(id, "asking", (s) => s.attention !== null);
    await page.goto(system.controlPlane.origin);
    const row = page.locator(`[data-session="${id}"]`);
    await row.getByText("May I?").waitFor();
    expect(await row.getByRole("button", { name: /^Review/ }).count()).toBe(0);
    await row.getByRole("button", { name: /^Open/ }).click();
    await terminal.takesKeys();
  });

  it("R7: left by its person, the quiet line says that the shell is still there, and it is", async () => {
    const { page, terminal } = await opened();
    await terminal.types("/exit", "/exit");
    await foot(page).getByText("The agent ended this conversation itself. Its shell is still open.").waitFor();
    await terminal.types("echo shell-$((40+2))", "shell-42");
    expect(await button(page, "Resume").count()).toBe(0);
  });

  it("B1: an earlier agent's shell in which something still runs is opened beside the session's own", async () => {
    const { page, terminal, id } = await opened();
    killGroup(await system.agentPid(id));
    await page.getByText(/was interrupted/).waitFor();
    await terminal.types("echo old-$((40+2)); sleep 1000 &", "old-42");
    await button(page, "Resume").click();
    await terminal.shows(/^agent \d+ serves/);
    const shell = await TerminalOnPage.shell(page);
    await page.getByRole("tab", { name: "Earlier agent's (agent-2)" }).click();
    await shell.shows("old-42");
    await shell.types("echo still-$((1+1))", "still-2");
    await page.getByRole("tab", { name: "Details" }).click();
    await page
      .getByRole("region", { name: "History" })
      .getByText(/goes on in the terminal agent-2/)
      .waitFor();
  });

  it("R4: an id that its agent doesn't know: could not resume, in its own words, and a new session is one click", async () => {
    const { session_id: id } = await system.client.sessions.create({
      node_id: system.node.nodeId,
      agent_profile_id: profile.id,
      cwd: system.folder("work"),
      resume_session_id: "gone",
    });
    const page = await system.person();
    await system.open(page, id);
    await foot(page)
      .getByText(/no longer has this conversation \(No conversation found with session ID: gone\)/)
      .waitFor();
    await TerminalOnPage.agent(page).shows("No conversation found with session ID: gone");
    await button(page, "Create new session").click();
    await page.getByRole("form", { name: "New session" }).waitFor();
  });

  it("T3: with its machine silent, the last that was seen stays, and what is typed afterwards arrives again", async () => {
    const { page, terminal, wrong } = await opened();
    await system.node.kill9();
    await until(async () => (await screenKind(page)) === "silent", { what: "a silent machine's screen" });
    await terminal.shows("done with say one");
    await system.startNode();
    await terminal.types("say after", "done with say after");
    expect(await terminal.lines("done with say one")).toBe(1);
    expect(wrong).toEqual([]);
  });

  it("on a phone it is the first tab, and stays open under the others", async () => {
    const { page, terminal, wrong } = await opened("say one", { device: "phone" });
    const tab = (name: string) => page.getByRole("tab", { name });
    expect(await page.getByRole("tablist", { name: "Session" }).getByRole("tab").first().textContent()).toBe(
      "Terminal",
    );
    const pane = await terminal.box.locator(".xterm").elementHandle();
    await tab("Shell").tap();
    await page.locator('[data-testid="shell"][data-phase="attached"]').waitFor();
    await tab("Terminal").tap();
    expect(await pane?.evaluate((element) => element.isConnected)).toBe(true);
    await terminal.types("say two", "done with say two");
    expect(wrong).toEqual([]);
  });

  it("begins without a word, from the form: an agent's chat and its terminal stand together", async () => {
    const page = await system.person();
    const wrong = complaints(page);
    await page.goto(`${system.controlPlane.origin}/new`);
    await page.getByRole("radio", { name: "scripted", exact: true }).click();
    await page.getByRole("combobox", { name: "Folder" }).fill(system.folder("work"));
    await page.getByText("optional").waitFor();
    await button(page, "Start session").click();
    await TerminalOnPage.agent(page).shows(/^agent \d+ serves/);
    expect(wrong).toEqual([]);
  });

  it("C16, R1: goes on with a conversation that its agent has kept, picked or pasted; one that is held leads to its session", async () => {
    const cwd = realpathSync(system.folder("kept"));
    const folder = join(system.folder("home-scripted"), ".claude/projects", cwd.replace(/[^a-zA-Z0-9]/g, "-"));
    mkdirSync(folder, { recursive: true });
    for (const id of ["kept-1", "kept-2"]) {
      const line = { type: "user", cwd, message: { content: `What is ${id}?` } };
      writeFileSync(join(folder, `${id}.jsonl`), `${JSON.stringify(line)}\n`);
    }
    const page = await system.person();
    const wrong = complaints(page);
    const form = async () => {
      await page.goto(`${system.controlPlane.origin}/new`);
      await page.getByRole("radio", { name: "scripted", exact: true }).click();
      await page.getByRole("combobox", { name: "Folder" }).fill(cwd);
      await page.getByRole("radio", { name: "Resume an existing one" }).click();
    };
    await form();
    await button(page, "Start session").click();
    await page.getByText("Choose a conversation, or paste its id.").waitFor();
    await page.getByRole("radio", { name: "What is kept-1?" }).click();
    await button(page, "Start session").click();
    await TerminalOnPage.agent(page).shows(/^agent \d+ serves kept-1;/);
    const first = page.url();

    await form();
    await page.getByRole("textbox", { name: "Conversation" }).fill("kept-1");
    await page.getByRole("link", { name: /What is kept-1\?/ }).click();
    await page.waitForURL(first);

    await form();
    await page.getByRole("radio", { name: "What is kept-2?" }).waitFor();
    await page.getByRole("textbox", { name: "Conversation" }).fill("pasted-1");
    await button(page, "Start session").click();
    await TerminalOnPage.agent(page).shows(/^agent \d+ serves pasted-1;/);
    expect(wrong).toEqual([]);
  });

  it("R1: a profile without resume args says before anything is sent that it starts from no earlier conversation", async () => {
    const { id: _made, name, capabilities: _asked, built_in: _no, created_at: _c, updated_at: _u, ...spec } = profile;
    await system.client.profiles.create({ ...spec, name: `${name}, forgetful`, resume_args: null });
    const page = await system.person();
    await page.goto(`${system.controlPlane.origin}/new`);
    await page.getByRole("radio", { name: `${name}, forgetful` }).click();
    await page.getByText("has no resume args, so it can't start from an earlier conversation.").waitFor();
    expect(await page.getByRole("radio", { name: "Resume an existing one" }).isDisabled()).toBe(true);
  });
});
