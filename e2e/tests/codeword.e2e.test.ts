import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Model, realAgent, System, startModel, until, wantsRealAgents } from "../src/index.ts";

const AGENTS = [
  ["claude", "Claude Code"],
  ["opencode", "OpenCode"],
] as const;

describe.skipIf(!wantsRealAgents())("codeword", () => {
  let system: System;
  let model: Model;

  beforeAll(async () => {
    model = await startModel();
    system = await System.start();
  });
  afterAll(async () => {
    await system?.end();
    await model?.close();
  });

  for (const [name, title] of AGENTS) {
    it(`R1, R5, C08, C09: ${title}, killed in the browser's sight, comes back with its conversation`, async () => {
      const codeword = `CODEWORD-${name.toUpperCase()}`;
      const { profile, traffic } = await realAgent(system, model, name);
      const page = await system.person();

      await page.goto(`${system.controlPlane.origin}/new`);
      await page.getByRole("radio", { name: new RegExp(profile.name.replace(/[()]/g, ".")) }).click();
      await page.getByRole("combobox", { name: "Folder" }).fill(system.folder(`w-${name}`));
      await page.getByRole("textbox", { name: "Prompt" }).fill(`remember ${codeword}`);
      await page.getByRole("button", { name: "Start session" }).click();
      await page.waitForURL(/\/sessions\/ses_/);
      const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
      await page.getByText("Your turn").first().waitFor({ timeout: 60_000 });
      await system.untilYourTurn(id);
      await system.untilDatabase(id, { state: "WAITING_FOR_INPUT", end_reason: null });
      const token = system.database.executor(id).resume_token;
      const { capabilities } = await system.client.profiles.get(profile.id);
      expect(capabilities, "R1: what it said of itself is kept for its profile").toMatchObject([
        { node_id: system.node.nodeId, runtime: "standalone", capabilities: { load_session: true } },
      ]);
      expect(token).toBeTruthy();

      await system.killAgent(id);
      const banner = page.getByText(`${title} was interrupted`);
      await banner.waitFor();
      await system.untilDatabase(id, { state: "ERROR", end_reason: "interrupted" });

      const before = traffic().length;
      await page.getByRole("button", { name: "Resume", exact: true }).click();
      await banner.waitFor({ state: "detached" });
      await system.untilStatus(id, "resumed", (s) => s.state === "WAITING_FOR_INPUT" && s.is_agent_running);
      await system.untilDatabase(id, { state: "WAITING_FOR_INPUT", end_reason: null });

      const said = await system.said(id);
      await page.getByRole("textbox", { name: "Prompt" }).fill("what do you remember?");
      await page.keyboard.press("Enter");
      // In what it says from now on: the page shows the word of before, too.
      await until(async () => (await system.said(id)).slice(said.length).includes(codeword), {
        what: "the codeword to be recalled",
      });
      await page.getByText(codeword).last().waitFor();
      await system.untilYourTurn(id);

      // It counts only if the agent restored it itself.
      const sent = traffic()
        .slice(before)
        .filter((line) => line.from === "client");
      const restored = sent.filter((line) => line.method === "session/load" || line.method === "session/resume");
      expect(restored).toHaveLength(1);
      expect(restored[0]?.text).toContain(token);
      expect(sent.map((line) => line.text).join("\n")).not.toContain(codeword);
    });
  }
});
