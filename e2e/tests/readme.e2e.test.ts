import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, it } from "vitest";
import { type Model, realAgent, System, screenshot, startModel, wantsRealAgents } from "../src/index.ts";

/** The README's picture is made here. With REPRISE_UPDATE_IMAGES=1 it replaces the one in docs/. */
const IMAGES = process.env.REPRISE_UPDATE_IMAGES === "1" ? "../../docs/images" : "../results/readme";
const folder = fileURLToPath(new URL(IMAGES, import.meta.url));

describe.skipIf(!wantsRealAgents())("the README's picture", () => {
  let system: System;
  let model: Model;
  beforeAll(async () => {
    model = await startModel();
    system = await System.start();
  });
  afterAll(async () => {
    await system?.end();
    await model?.close();
    rmSync(join(tmpdir(), "shop"), { recursive: true, force: true });
  });

  it("a session of Claude Code that was killed says so and offers Resume, beside one that works", async () => {
    // A short path, for the picture's sake.
    const cwd = join(tmpdir(), "shop");
    mkdirSync(join(cwd, "src"), { recursive: true });
    writeFileSync(join(cwd, "src", "login.ts"), "export const timeout = 100;\n");
    const claude = await realAgent(system, model, "claude");
    const create = async (title: string, prompt: string) => {
      const made = await system.client.sessions.create({
        node_id: system.node.nodeId,
        agent_profile_id: claude.profile.id,
        cwd,
        title,
        prompt,
      });
      return made.session_id;
    };
    const killed = await create("Fix flaky login test", "run: grep -n timeout src/login.ts");
    await system.untilStatus(killed, "asked or done", (s) => s.pending_approvals > 0 || s.turn?.outcome === "done");
    if ((await system.status(killed)).pending_approvals > 0) {
      const page = await system.person();
      await system.open(page, killed);
      await page
        .getByRole("region", { name: /^Approval/ })
        .getByRole("button")
        .first()
        .click();
    }
    await system.untilYourTurn(killed);
    const works = await create("Write the release notes", "stream 900 words every 200 ms");
    await system.untilStatus(works, "working", (s) => s.state === "RUNNING");
    await system.client.sessions.prompt(killed, "second-turn-01", [
      { type: "text", text: "stream 60 words every 150 ms" },
    ]);
    await system.untilStatus(killed, "working again", (s) => s.state === "RUNNING");
    const page = await system.person();
    await system.open(page, killed);
    await page.getByText(/\bw12\b/).waitFor();
    await system.killAgent(killed);
    await page.getByRole("button", { name: "Resume", exact: true }).waitFor();
    await screenshot(page, join(folder, "session.png"));
  });
});
