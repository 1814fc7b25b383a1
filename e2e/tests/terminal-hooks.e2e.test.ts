import { existsSync, globSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { agentctl } from "../../scripts/run/node.ts";
import {
  alive,
  findByEnv,
  killPid,
  type Model,
  System,
  shows,
  startModel,
  terminalAgent,
  types,
  until,
  wantsRealAgents,
} from "../src/index.ts";

/** Agents that tell by hooks or a plugin, and the file in their person's home that these stand in. */
const AGENTS = [
  ["gemini", "GEMINI", ".gemini/settings.json"],
  ["opencode", "OPENCODE", ".config/opencode/plugins/reprise.js"],
] as const;

describe.skipIf(!wantsRealAgents()).each(AGENTS)("the real %s in its terminal", (name, word, file) => {
  let system: System;
  let model: Model;
  let agent: Awaited<ReturnType<typeof terminalAgent>>;
  let cwd: string;
  const read = () => (existsSync(join(agent.home, file)) ? readFileSync(join(agent.home, file), "utf8") : null);

  beforeAll(async () => {
    model = await startModel();
    system = await System.start({ nodeEnv: { SHELL: "/bin/bash" } });
    cwd = system.folder("w/project");
    agent = await terminalAgent(system, model, name, cwd, "never");
  });
  afterAll(async () => {
    await system?.end();
    await model?.close();
  });

  /** A request that holds both: the new question, and the word that only the restored conversation knows. */
  const recalled = (codeword: string) =>
    until(
      () =>
        model
          .turns()
          .some(({ body }) => [codeword, "what do you remember"].every((w) => JSON.stringify(body).includes(w))),
      {
        what: `${codeword} to reach the model again`,
      },
    );

  it("R1, R7: tells its conversation and its turns; killed, it comes back by its id; its settings are its person's again", async () => {
    const codeword = `CODEWORD-${word}`;
    const { session_id: id } = await system.client.sessions.create({
      node_id: system.node.nodeId,
      agent_profile_id: agent.profile.id,
      cwd,
      prompt: `remember ${codeword}`,
    });
    await system.untilYourTurn(id);
    const token = await until(() => system.database.executor(id).resume_token, { what: "its conversation's id" });
    // Another folder's, or another agent's, would be told by its own.
    const { conversations } = await system.client.nodes.conversations(system.node.nodeId, {
      agent_profile_id: agent.profile.id,
      cwd,
    });
    expect(conversations).toMatchObject([{ id: token, held_by: { session_id: id } }]);

    const { agent_execution_id } = await system.status(id);
    const processes = findByEnv("REPRISE_EXECUTION_ID", agent_execution_id ?? "");
    for (const { pid } of processes) killPid(pid);
    await until(() => processes.every(({ pid }) => !alive(pid)), { what: "the agent to die" });
    await system.untilStatus(id, "interrupted", (s) => s.needs_resume);
    // Gemini names its file after the minute in which the conversation began, and writes over it if resumed in that.
    for (const chat of globSync(join(agent.home, ".gemini/tmp/*/chats/session-*")))
      renameSync(chat, chat.replace(/session-\d{4}-/, "session-2025-"));
    await system.client.sessions.resume(id, { mode: "resume" });
    await system.untilStatus(id, "back", (s) => s.is_agent_running && s.state === "WAITING_FOR_INPUT");
    const resumed = findByEnv("REPRISE_EXECUTION_ID", (await system.status(id)).agent_execution_id ?? "");
    expect(resumed.map(({ command }) => command).join("\n")).toContain(String(token));
    const first = (await system.status(id)).turn?.id;
    const page = await system.person();
    await system.open(page, id);
    await shows(page, codeword);
    // Without a question mark: Gemini, when it is slow, takes that for the key that shows its shortcuts.
    await types(page, "what do you remember");
    await recalled(codeword);
    await system.untilStatus(id, "its next turn to end", (s) => s.turn?.id !== first && s.turn?.outcome === "done");
    expect(system.database.executor(id).resume_token).toBe(token);

    expect(read()).toContain("REPRISE_REPORT");
    await agentctl(["hooks", "uninstall"], { ...process.env, ...agent.profile.env });
    // Gemini brings its settings up to date by itself: what is left is its person's, in its own new form.
    expect(read() ?? "").not.toMatch(/reprise|hooks/i);
  });
});
