import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { complaints, System, scriptedAgent, TerminalOnPage } from "../src/index.ts";

/** A checkout with one commit. */
function repository(system: System, name: string): string {
  const folder = system.folder(name);
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], { cwd: folder });
  git("init", "-q", "-b", "main");
  writeFileSync(join(folder, "a.txt"), "one\ntwo\n");
  git("add", ".");
  git("commit", "-qm", "one");
  return folder;
}

const tab = (page: Page, name: string) => page.getByRole("tab", { name: new RegExp(`^${name}`) });

describe("X3: the workspace of a session, whatever becomes of its agent", () => {
  let system: System;
  beforeAll(async () => {
    system = await System.start({ nodeEnv: { SHELL: "/bin/sh", PS1: "$ ", ENV: "" } });
  });
  afterAll(() => system?.end());

  const create = (profile: string, cwd: string, prompt = "echo hi") =>
    system.client.sessions.create({ node_id: system.node.nodeId, agent_profile_id: profile, cwd, prompt });

  it("X3, B1, C27, C28: shell, files and git, from `starting` on, through every death on the way, to an agent that can't come back", async () => {
    const { profile } = await scriptedAgent(system, "gone", ["--gone"]);
    const cwd = repository(system, "w-gone");
    // A daemon that is there and does nothing: its session stays `starting`.
    process.kill(system.node.pid, "SIGSTOP");
    const { session_id: id } = await create(profile.id, cwd);
    const page = await system.person();
    const wrong = complaints(page);
    const posts: string[] = [];
    page.on("request", (request) => {
      if (request.method() !== "GET") posts.push(`${request.method()} ${request.url()}`);
    });
    await system.open(page, id);
    await page.getByRole("status", { name: "The workspace is getting ready" }).waitFor();
    for (const name of ["Changes", "Files", "Shell"]) expect(await tab(page, name).isDisabled()).toBe(true);
    process.kill(system.node.pid, "SIGCONT");
    await system.untilYourTurn(id);

    let shell = await TerminalOnPage.shell(page);
    await shell.types("mark=the-same; echo shell-$((40+2))", "shell-42");
    await page.reload();
    shell = await TerminalOnPage.shell(page);
    await shell.shows("shell-42");
    await shell.types("echo reloaded:$mark:", "reloaded:the-same:");

    await system.node.kill9();
    await system.startNode();
    await shell.types("echo daemon:$mark:", "daemon:the-same:");
    await system.controlPlane.kill9();
    await system.startControlPlane();
    await system.nodeOnline();
    await shell.types("echo plane:$mark:", "plane:the-same:");
    for (const line of ["shell-42", "reloaded:the-same:", "daemon:the-same:", "plane:the-same:"])
      expect(await shell.lines(line), line).toBe(1);

    await shell.types("echo new > fresh.txt; echo three >> a.txt; echo done:$?:", "done:0:");
    await tab(page, "Changes").click();
    await page.getByRole("button", { name: "Changes of a.txt" }).click();
    await page.getByRole("figure", { name: "Diff of a.txt" }).getByText("three").waitFor();
    await page.getByRole("button", { name: "Changes of fresh.txt" }).waitFor();
    await tab(page, "Files").click();
    await page.getByRole("button", { name: /^fresh\.txt/ }).click();
    await page.getByRole("region", { name: "Text of fresh.txt" }).getByText("new").waitFor();

    await system.killAgent(id);
    await page.getByText(/was interrupted/).waitFor();
    expect(posts, "no page resumes, or sends anything, by being opened").toEqual([]);
    await page.getByRole("button", { name: "Resume", exact: true }).click();
    await page.getByText(/no longer has this conversation/).waitFor();
    expect(await system.status(id)).toMatchObject({
      state: "ERROR",
      executor_status: "ready",
      is_agent_running: false,
    });
    shell = await TerminalOnPage.shell(page);
    await shell.types("echo after:$mark: > last.txt; cat last.txt", "after:the-same:");
    expect(await system.client.sessions.files(id, "last.txt")).toMatchObject({
      kind: "file",
      text: "after:the-same:\n",
    });
    const git = await system.client.sessions.git(id);
    expect(git.kind === "status" && git.status.files.map(({ path }) => path)).toEqual([
      "a.txt",
      "fresh.txt",
      "last.txt",
    ]);
    await tab(page, "Changes").click();
    await page.getByRole("button", { name: "Changes of last.txt" }).waitFor();
    // The killed control plane is the only thing that a browser may complain of.
    expect(wrong.filter((each) => !/Failed to load resource|WebSocket connection|ERR_CONNECTION/.test(each))).toEqual(
      [],
    );
  });

  it("X3: an agent that can't start at all leaves the workspace open; its shell's end is said, and a new one is one click", async () => {
    const { profile } = await scriptedAgent(system, "broken", ["--exit-on-start", "3"]);
    const { session_id: id } = await create(profile.id, repository(system, "w-broken"));
    await system.untilStatus(
      id,
      "failed, with its workspace ready",
      (s) => s.state === "ERROR" && s.executor_status === "ready",
    );
    const page = await system.person();
    await system.open(page, id);
    const shell = await TerminalOnPage.shell(page);
    await shell.types("echo here:$(pwd):", "w-broken:");
    expect(await system.client.sessions.git(id)).toMatchObject({
      kind: "status",
      status: { branch: "main", files: [] },
    });
    await page.keyboard.type("exit 7\n");
    await page.getByText("The shell ended with exit code 7.").waitFor();
    await page.getByRole("button", { name: "New shell" }).click();
    await shell.types("echo again-$((1+1))", "again-2");
  });

  it("S4: a machine whose owner turned the shell off says so, and serves files and git all the same", async () => {
    const { profile } = await scriptedAgent(system, "plain");
    const { session_id: id } = await create(profile.id, repository(system, "w-off"));
    await system.untilYourTurn(id);
    writeFileSync(join(system.state.node, "config.json"), JSON.stringify({ shell: "off" }));
    await system.node.kill9();
    await system.startNode();
    const page = await system.person();
    await system.open(page, id);
    await tab(page, "Shell").click();
    await page.getByText(/turned the shell off/).waitFor();
    await tab(page, "Files").click();
    await page.getByRole("button", { name: /^a\.txt/ }).waitFor();
  });
});
