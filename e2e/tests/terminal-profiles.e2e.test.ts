import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findBuiltIn } from "@reprise/protocol";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { complaints, System, until } from "../src/index.ts";

const CLAUDE = "Claude Code (terminal)";

describe("Settings, Agents", () => {
  let system: System;
  let page: Page;
  let complained: string[];
  beforeAll(async () => {
    system = await System.start({ withNode: false });
    const bin = system.folder("bin");
    writeFileSync(join(bin, "claude"), "#!/bin/sh\necho 9.8.7\n");
    chmodSync(join(bin, "claude"), 0o755);
    await system.startNode({ PATH: `${bin}:${process.env["PATH"]}` });
    page = await system.person();
    complained = complaints(page);
    await page.goto(`${system.controlPlane.origin}/settings/agents`);
  });
  afterAll(() => system?.end());

  const rowOf = (name: string) => page.getByRole("listitem", { name, exact: true });
  const act = async (name: string, what: string) => {
    await page.getByRole("button", { name: `Actions for ${name}`, exact: true }).click();
    await page.getByRole("menuitem", { name: what }).click();
  };
  const field = (label: string) => page.getByRole("form", { name: "Profile" }).getByLabel(label);
  const press = (name: string) => page.getByRole("dialog").getByRole("button", { name, exact: true }).click();
  const gone = () => page.getByRole("dialog").waitFor({ state: "detached" });
  const stored = async (name: string) => (await system.client.profiles.list()).profiles.find((p) => p.name === name);

  it("create: a terminal agent of one's own, with its command lines shown before it is saved; a mistake stands at its field", async () => {
    await page.getByRole("button", { name: "New profile" }).click();
    await field("Name").fill("My tool");
    await field("How it is run").selectOption({ label: "In a terminal: its own screen is shown" });
    await press("Create profile");
    await page.getByText("Name the command that starts the agent.").waitFor();
    await field("Command").fill("mytool");
    await field("Arguments").fill("--root\n--it's");
    await page.getByText("None: this agent can't resume.").waitFor();
    await field("Resume args").fill("go\non");
    await page.getByText("mytool --root '--it'\\''s' go on ‹id›", { exact: true }).waitFor();
    await page.getByText("mytool --root '--it'\\''s' '‹first prompt›'", { exact: true }).waitFor();
    await field("First prompt").selectOption({ label: "Typed once it is ready" });
    await page.getByText("mytool --root '--it'\\''s'", { exact: true }).waitFor();
    await press("Create profile");
    await gone();
    await rowOf("My tool").getByText("go on", { exact: true }).waitFor();
    expect(await stored("My tool")).toMatchObject({
      agent_kind: "custom:my-tool",
      driver: "terminal",
      command: "mytool",
      args: ["--root", "--it's"],
      resume_args: ["go", "on"],
      prompt_transport: "stdin",
      auto_resume: "interrupted",
      built_in: false,
    });
  });

  it("edit: R1: without resume args it can't resume, and says so", async () => {
    await act("My tool", "Edit");
    await field("Resume args").fill("");
    await field("Environment").fill("A=1");
    await field("Resume by itself").selectOption("never");
    await press("Save");
    await gone();
    await rowOf("My tool").getByText("can't resume: it has no resume args").waitFor();
    expect(await stored("My tool")).toMatchObject({ resume_args: null, env: { A: "1" }, auto_resume: "never" });
  });

  it("duplicate: the copy is of the same agent", async () => {
    await act(CLAUDE, "Duplicate");
    await field("Arguments").fill("--verbose");
    await press("Create profile");
    await gone();
    await rowOf(`${CLAUDE} (copy)`).waitFor();
    expect(await stored(`${CLAUDE} (copy)`)).toMatchObject({ agent_kind: "claude-code", args: ["--verbose"] });
  });

  it("reset: what was changed of a built-in profile is given up, after a question", async () => {
    await rowOf(CLAUDE)
      .getByText(/ 9.8.7$/)
      .waitFor();
    await act(CLAUDE, "Edit");
    await field("Command").fill("/opt/claude");
    await field("Turn limit").fill("5");
    await press("Save");
    await gone();
    await rowOf(CLAUDE).getByText("edited").waitFor();
    await act(CLAUDE, "Reset to default");
    await press("Reset to default");
    await gone();
    await rowOf(CLAUDE).getByText("built in").waitFor();
    const profile = await stored(CLAUDE);
    expect(profile).toMatchObject(findBuiltIn("prf_claudecodetui")?.spec ?? {});
    expect(profile).not.toHaveProperty("turn_limit_s");
  });

  it("delete: one's own goes; a built-in one can be brought back as it came", async () => {
    await act("My tool", "Delete");
    await press("Delete profile");
    await gone();
    await rowOf("My tool").waitFor({ state: "detached" });
    expect(await stored("My tool")).toBeUndefined();
    await act(CLAUDE, "Delete");
    await press("Delete profile");
    await gone();
    await page.getByRole("button", { name: "1 deleted" }).click();
    await page.getByRole("button", { name: `Bring back ${CLAUDE}` }).click();
    await rowOf(CLAUDE).getByText("built in").waitFor();
    await until(async () => (await stored(CLAUDE)) !== undefined, { what: "the profile to be back" });
  });

  it("what no machine has is folded away, with how to get it, and says what nobody has compared", async () => {
    await page.getByRole("button", { name: /more that no machine has yet$/ }).click();
    await rowOf("Goose (terminal)").getByText("unverified").waitFor();
    await rowOf("Codex (terminal)").getByText("npm install -g @openai/codex").waitFor();
    expect(await rowOf("Codex (terminal)").getByText("unverified").count()).toBe(0);
    expect(complained).toEqual([]);
  });
});
