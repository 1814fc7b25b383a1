import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { methods, type SessionUpdate } from "@agentclientprotocol/sdk";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type AcpAgent, choose, initialize, type PermissionPolicy, startAcpAgent } from "../acp/client.ts";
import { readTap, tapped } from "../acp/tap.ts";
import { NODE_BIN } from "../agents/install.ts";
import { alive, until } from "../processes.ts";
import { scriptedAgentCommand } from "./command.ts";
import { readStarts } from "./start-log.ts";

let folder: string;
let running: AcpAgent[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "reprise-scripted-"));
  running = [];
});
afterEach(async () => {
  for (const one of running) if (alive(one.group.pid)) await one.group.kill();
  rmSync(folder, { recursive: true, force: true });
});

async function start(flags: string[] = [], onPermission?: PermissionPolicy): Promise<AcpAgent> {
  const { command, args } = scriptedAgentCommand(join(folder, "state"), ...flags);
  const one = await startAcpAgent({ command, args, cwd: folder, env: { PATH: process.env.PATH ?? "" } }, onPermission);
  running.push(one);
  return one;
}

async function session(flags: string[] = [], onPermission?: PermissionPolicy) {
  const one = await start(flags, onPermission);
  await initialize(one.agent);
  const { sessionId } = await one.agent.request(methods.agent.session.new, { cwd: folder, mcpServers: [] });
  const prompt = (text: string) =>
    one.agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: "text", text }] });
  const cancel = () => one.agent.notify(methods.agent.session.cancel, { sessionId });
  return { ...one, sessionId, prompt, cancel };
}

const kinds = (updates: readonly { update: SessionUpdate }[]) => updates.map(({ update }) => update.sessionUpdate);

describe("restoring", () => {
  it.each(["load", "resume"] as const)("session/%s after kill -9 brings the codeword back", async (how) => {
    const first = await session();
    await first.prompt("remember CODEWORD-ALPHA");
    await first.group.kill();
    const second = await start();
    await initialize(second.agent);
    const request = { sessionId: first.sessionId, cwd: folder, mcpServers: [] };
    await second.agent.request(methods.agent.session[how], request);
    expect(kinds(second.updates)).toEqual(how === "load" ? ["user_message_chunk", "agent_message_chunk"] : []);
    const before = second.updates.length;
    await second.agent.request(methods.agent.session.prompt, {
      sessionId: first.sessionId,
      prompt: [{ type: "text", text: "recall" }],
    });
    expect(second.textSince(before)).toBe("CODEWORD-ALPHA");
  });

  const restore = async (flags: string[], how: "load" | "resume") => {
    const first = await session();
    await first.prompt("echo hello");
    await first.group.kill();
    const second = await start(flags);
    const { agentCapabilities } = await initialize(second.agent);
    const request = { sessionId: first.sessionId, cwd: folder, mcpServers: [] };
    const answer = second.agent.request<unknown>(methods.agent.session[how], request);
    return { ...second, agentCapabilities, answer };
  };

  it.each([
    ["--gone", "load", -32002, /Resource not found/],
    ["--gone", "resume", -32002, /Resource not found/],
    ["--load-fails=no disk", "load", -32603, /no disk/],
    ["--no-load", "load", -32601, /session\/load/],
    ["--no-resume", "resume", -32601, /session\/resume/],
  ] as const)("%s: session/%s answers %i", async (flag, how, code, message) => {
    const { answer } = await restore([flag], how);
    await expect(answer).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  });

  it("advertises what the flags leave", async () => {
    const { agentCapabilities, answer } = await restore(["--no-resume"], "load");
    expect(agentCapabilities).toMatchObject({ loadSession: true, sessionCapabilities: { list: {} } });
    expect(agentCapabilities?.sessionCapabilities?.resume).toBeUndefined();
    await answer;
  });

  it("replays on resume, not on load, or late, as told", async () => {
    const resumed = await restore(["--replay-on-resume"], "resume");
    await resumed.answer;
    expect(kinds(resumed.updates)).toEqual(["user_message_chunk", "agent_message_chunk"]);
    const loaded = await restore(["--no-replay-on-load", "--late-replay"], "load");
    await loaded.answer;
    expect(loaded.updates).toEqual([]);
    await until(() => loaded.updates.length === 1, { what: "the late replay" });
  });

  it("--load-hangs never answers", async () => {
    const { answer, group } = await restore(["--load-hangs"], "load");
    const settled = answer.then(
      () => "answered",
      () => "connection ended",
    );
    await group.kill();
    expect(await settled).toBe("connection ended");
  });
});

describe("turns", () => {
  it("streams, thinks, plans and uses tools", async () => {
    const one = await session();
    expect(await one.prompt("stream 3 every 1\nthink; plan; tool")).toEqual({ stopReason: "end_turn" });
    expect(one.textSince(0)).toBe("w1 w2 w3");
    expect(kinds(one.updates).slice(3)).toEqual([
      "agent_thought_chunk",
      "plan",
      "tool_call",
      "tool_call_update",
      "tool_call_update",
    ]);
    expect(one.updates.at(-1)?.update).toMatchObject({ content: [{ type: "diff" }, { type: "content" }] });
  });

  it("sends a burst in order, and an update of a kind that nobody knows", async () => {
    const one = await session();
    await one.prompt("burst 200; unknown-update");
    expect(one.textSince(0)).toBe(Array.from({ length: 200 }, (_, i) => `b${i + 1}`).join(" "));
  });

  it("asks for approvals, one after the other, and says what was chosen", async () => {
    const one = await session([], choose("reject_once"));
    await one.prompt("approve twice");
    expect(one.permissions).toHaveLength(2);
    expect(one.textSince(0)).toBe("permission: rejectpermission: reject");
  });

  it("P4: a cancel ends a sleep, and a pending approval that is answered cancelled", async () => {
    const sleeping = await session();
    const slept = sleeping.prompt("sleep");
    await sleeping.cancel();
    expect(await slept).toEqual({ stopReason: "cancelled" });

    const { promise, resolve } = Promise.withResolvers<void>();
    const asking = await session([], () => promise.then(() => ({ outcome: { outcome: "cancelled" } })));
    const asked = asking.prompt("approve");
    await until(() => asking.permissions.length === 1, { what: "the approval to be asked" });
    await asking.cancel();
    resolve();
    expect(await asked).toEqual({ stopReason: "cancelled" });
    expect(asking.textSince(0)).toBe("permission: cancelled");
  });

  it("P4: ignore-cancel goes on", async () => {
    const one = await session();
    const turn = one.prompt("ignore-cancel").catch(() => "connection ended");
    await until(() => one.updates.length > 0, { what: "its first words" });
    await one.cancel();
    const before = one.updates.length;
    await until(() => one.updates.length > before + 2, { what: "words after the cancel" });
    await one.group.kill();
    expect(await turn).toBe("connection ended");
  });

  it("answers a prompt with an error, and refuses a second prompt in mid-turn", async () => {
    const one = await session();
    await expect(one.prompt("error it broke")).rejects.toMatchObject({ code: -32603, message: "it broke" });
    const sleeping = one.prompt("sleep");
    await expect(one.prompt("echo x")).rejects.toThrow("running already");
    await one.cancel();
    await sleeping;
  });

  it.each([
    ["crash", 3],
    ["exit 0", 0],
  ])("%s ends the process in mid-turn with %i", async (text, code) => {
    const one = await session();
    const turn = one.prompt(`echo before; ${text}`).catch(() => "connection ended");
    expect(await one.group.exited).toEqual({ code, signal: null });
    expect(await turn).toBe("connection ended");
  });

  it("writes files, and keeps a child in its group", async () => {
    const one = await session();
    await one.prompt("write notes/a.txt some text; child");
    expect(readFileSync(join(folder, "notes/a.txt"), "utf8")).toBe("some text\n");
    const child = Number(/child (\d+)/.exec(one.textSince(0))?.[1]);
    expect(alive(child)).toBe(true);
    await one.group.kill();
    await until(() => !alive(child), { what: "the child to die with the group" });
  });

  it("takes modes and config options, and forgets them at its end", async () => {
    const one = await session();
    const { sessionId } = one;
    await one.agent.request(methods.agent.session.setMode, { sessionId, modeId: "auto" });
    await one.agent.request(methods.agent.session.setConfigOption, { sessionId, configId: "model", value: "large" });
    await one.prompt("mode");
    expect(one.textSince(0)).toBe("mode: auto, model: large");
    const bad = one.agent.request(methods.agent.session.setMode, { sessionId, modeId: "nonsense" });
    await expect(bad).rejects.toMatchObject({ code: -32602 });
  });

  it("does not take recovered progress, which quotes earlier prompts, for a script", async () => {
    const one = await session();
    await one.prompt(`The earlier run was interrupted.\n${"crash\n".repeat(20)}`);
    expect(one.textSince(0)).toBe("read 21 lines");
  });
});

describe("starting", () => {
  it("notes every start, also of one that exits at once", async () => {
    const log = join(folder, "starts.log");
    await session(["--start-log", log]);
    const second = await start(["--start-log", log, "--exit-on-start", "7"]);
    expect(await second.group.exited).toEqual({ code: 7, signal: null });
    expect(readStarts(log).map((one) => one.pid)).toEqual(running.map((one) => one.group.pid));
  });

  it("C16: gives the same session id twice, as told, and lists its conversations", async () => {
    const flags = ["--same-session-id", "one-and-only"];
    const first = await session(flags);
    const second = await session(flags);
    expect([first.sessionId, second.sessionId]).toEqual(["one-and-only", "one-and-only"]);
    await second.prompt("echo x");
    const { sessions } = await second.agent.request(methods.agent.session.list, {});
    expect(sessions).toEqual([{ sessionId: "one-and-only", cwd: folder, title: "echo x" }]);
  });

  it("--init-hangs and --init-delay hold initialize back", async () => {
    const slow = await start(["--init-delay", "300"]);
    const before = Date.now();
    await initialize(slow.agent);
    expect(Date.now() - before).toBeGreaterThanOrEqual(290);
    const never = await start(["--init-hangs"]);
    const answer = initialize(never.agent).catch(() => "connection ended");
    await never.group.kill();
    expect(await answer).toBe("connection ended");
  });

  it("a tap records both directions, and passes on the exit code", async () => {
    const log = join(folder, "tap.jsonl");
    const { command, args } = scriptedAgentCommand(join(folder, "state"));
    const [tapCommand, tapArgs] = tapped(NODE_BIN, log, command, args);
    const one = await startAcpAgent({ command: tapCommand, args: tapArgs, cwd: folder, env: {} });
    running.push(one);
    await initialize(one.agent);
    const { sessionId } = await one.agent.request(methods.agent.session.new, { cwd: folder, mcpServers: [] });
    const prompt = { sessionId, prompt: [{ type: "text" as const, text: "echo CODEWORD-T; exit 5" }] };
    one.agent.request(methods.agent.session.prompt, prompt).catch(() => undefined);
    expect(await one.group.exited).toEqual({ code: 5, signal: null });
    const sent = readTap(log).filter((line) => line.from === "client");
    expect(sent.map((line) => line.method)).toEqual(["initialize", "session/new", "session/prompt"]);
    expect(readTap(log).filter((line) => line.from === "agent").length).toBeGreaterThanOrEqual(2);
  });
});
