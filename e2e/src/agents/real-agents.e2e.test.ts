import { existsSync, globSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { methods } from "@agentclientprotocol/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AcpAgent, choose, initialize, type PermissionPolicy, startAcpAgent } from "../acp/client.ts";
import { type Model, startModel } from "../model/server.ts";
import { alive, descendants, findByEnv, killPid, until } from "../processes.ts";
import { agentsInstalled, wantsRealAgents } from "./install.ts";
import { type AgentName, agentProfile } from "./profiles.ts";

const wanted = wantsRealAgents();
if (!wanted) console.log("REPRISE_REAL_AGENTS=0: the real agents' own tests are left out.");

/** What is known of each adapter, and what Reprise's driver is built on. */
const RESTORING: readonly AgentName[] = ["claude", "codex", "opencode"];
const ALL: readonly AgentName[] = [...RESTORING, "gemini"];

describe.runIf(wanted)("the real agents against the stand-in", () => {
  let model: Model;
  let folder: string;
  const running: AcpAgent[] = [];
  beforeAll(async () => {
    expect(agentsInstalled(), "run: node e2e/src/agents/install.ts").toBe(true);
    model = await startModel();
    folder = mkdtempSync(join(tmpdir(), "reprise-real-"));
  });
  afterAll(async () => {
    for (const one of running) if (alive(one.group.pid)) await one.group.kill();
    await model.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** A process of the agent, in a home and a workspace that its next process will find again. */
  async function start(
    name: AgentName,
    run: string,
    onPermission: PermissionPolicy = choose("allow_once"),
    marks: Readonly<Record<string, string>> = {},
  ) {
    const cwd = join(folder, `${name}-${run}-workspace`);
    mkdirSync(cwd, { recursive: true });
    const { command, args, env } = agentProfile(name, { home: join(folder, `${name}-${run}`), modelUrl: model.url });
    const one = await startAcpAgent({ command, args, cwd, env: { ...env, ...marks } }, onPermission);
    running.push(one);
    const { agentCapabilities } = await initialize(one.agent);
    const prompt = async (sessionId: string, text: string) => {
      const before = one.updates.length;
      const { stopReason } = await one.agent.request(methods.agent.session.prompt, {
        sessionId,
        prompt: [{ type: "text", text }],
      });
      return { stopReason, text: one.textSince(before) };
    };
    const restore = (how: "load" | "resume", sessionId: string) =>
      one.agent.request<unknown>(methods.agent.session[how], { sessionId, cwd, mcpServers: [] });
    const create = () => one.agent.request(methods.agent.session.new, { cwd, mcpServers: [] });
    return { ...one, cwd, agentCapabilities, prompt, restore, create };
  }

  it.each(RESTORING)("R1, R5: %s killed with -9 restores its conversation, by load and by resume", async (name) => {
    const first = await start(name, "restore");
    expect(first.agentCapabilities).toMatchObject({ loadSession: true, sessionCapabilities: { resume: {} } });
    const { sessionId } = await first.create();
    expect((await first.prompt(sessionId, "remember CODEWORD-ALPHA")).text).toContain("CODEWORD-ALPHA");
    await first.prompt(sessionId, "run: echo hi");
    const family = descendants(first.group.pid);
    await first.group.kill();
    await until(() => family.every((one) => !alive(one.pid)), {
      what: "the agent and all that it keeps running to die",
    });

    const loaded = await start(name, "restore");
    await loaded.restore("load", sessionId);
    const replayed = loaded.updates.map(({ update }) => update.sessionUpdate);
    expect(replayed).toContain("user_message_chunk");
    expect(loaded.textSince(0)).toContain("CODEWORD-ALPHA");
    expect((await loaded.prompt(sessionId, "what do you remember?")).text).toContain("CODEWORD-ALPHA");
    await loaded.group.kill();

    const resumed = await start(name, "restore");
    await resumed.restore("resume", sessionId);
    expect(resumed.textSince(0)).toBe("");
    expect((await resumed.prompt(sessionId, "what do you remember?")).text).toContain("CODEWORD-ALPHA");
    await resumed.group.kill();
  });

  it("C11: gemini advertises load, and says that the conversation is gone when it has lost it", async () => {
    const first = await start("gemini", "gone");
    expect(first.agentCapabilities).toMatchObject({ loadSession: true });
    const { sessionId } = await first.create();
    expect((await first.prompt(sessionId, "remember CODEWORD-ALPHA")).text).toBe("CODEWORD-ALPHA");
    await first.group.kill();
    rmSync(join(folder, "gemini-gone/.gemini/tmp"), { recursive: true });
    const second = await start("gemini", "gone");
    await expect(second.restore("load", sessionId)).rejects.toMatchObject({
      code: -32603,
      data: { details: "No previous sessions found for this project." },
    });
    await second.group.kill();
  });

  it("R5: gemini killed with -9 does load, and its replay may come after its answer", async () => {
    const first = await start("gemini", "late");
    const { sessionId } = await first.create();
    await first.prompt(sessionId, "remember CODEWORD-ALPHA");
    await first.group.kill();
    // Its file is named after the minute in which the conversation began, and a load in that same minute overwrites
    // it and then calls the conversation gone. An older name is what a test has instead of waiting for the next minute.
    for (const file of globSync(join(folder, "gemini-late/.gemini/tmp/*/chats/session-*"))) {
      renameSync(file, file.replace(/session-\d{4}-/, "session-2025-"));
    }
    const second = await start("gemini", "late");
    await second.restore("load", sessionId);
    // Most of the replay comes after the answer, so it is awaited rather than there.
    await until(() => second.textSince(0) === "CODEWORD-ALPHA", { what: "the replay" });
    await second.group.kill();
  });

  it.each(["claude", "opencode"] as const)(
    "X6: a command that %s runs leaves its group and outlives it; its environment still tells",
    async (name) => {
      const marker = join(folder, `${name}-escape`);
      const one = await start(name, "escape", choose("allow_once"), { REPRISE_E2E_MARKER: marker });
      const { sessionId } = await one.create();
      const turn = one.prompt(sessionId, "run: tail -f /dev/null").catch(() => "connection ended");
      const command = () => descendants(one.group.pid).find((info) => info.command.startsWith("tail -f"));
      const tail = await until(command, { what: "the command to run" });
      expect(tail.pgid).not.toBe(one.group.pid);
      await one.group.kill();
      expect(await turn).toBe("connection ended");
      const left = findByEnv("REPRISE_E2E_MARKER", marker);
      expect(left.map((info) => info.pid)).toContain(tail.pid);
      for (const { pid } of left) killPid(pid);
      await until(() => left.every(({ pid }) => !alive(pid)), { what: "what was left to die" });
    },
  );

  it.each(ALL)("P3: %s asks the person before it changes a file, and takes no for an answer", async (name) => {
    const one = await start(name, "approval", choose("reject_once"));
    const { sessionId } = await one.create();
    await one.prompt(sessionId, "ask approval");
    expect(one.permissions).toHaveLength(1);
    const kinds = one.permissions[0]?.options.map((option) => option.kind);
    expect(kinds).toContain("allow_once");
    expect(kinds).toContain("reject_once");
    expect(existsSync(join(one.cwd, "approved.txt"))).toBe(false);
    await one.group.kill();
  });

  it.each(ALL)("P4: %s streams its first prompt, and a cancel ends the turn", async (name) => {
    const one = await start(name, "cancel");
    const { sessionId } = await one.create();
    const turn = one.prompt(sessionId, "stream 2000 words every 20 ms");
    await until(() => /w3\b/.test(one.textSince(0)), { what: "the first words" });
    await one.agent.notify(methods.agent.session.cancel, { sessionId });
    expect((await turn).stopReason).toBe("cancelled");
    await until(() => model.turns().at(-1)?.state === "aborted", { what: "the agent to hang up on the model" });
    await one.group.kill();
  });
});
