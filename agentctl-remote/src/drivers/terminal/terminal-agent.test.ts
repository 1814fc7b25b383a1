import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Bench, openBench, until } from "../../host/testing.ts";
import { alive, TerminalBench } from "./testing.ts";

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench?.close());

const types = (t: TerminalBench) => t.host.events.map(({ body }) => body.type);

describe("a terminal agent's start", () => {
  it.each(["/bin/bash", "/bin/sh"])(
    "L1, P1: under %s it runs only once it is on disk, with its first prompt's turn",
    async (shell) => {
      const t = await new TerminalBench(bench, { shell }).start();
      const prompt = t.prompt("it's a 'first' prompt");
      const execution_id = await t.run({ prompt });
      await t.host.body("turn.ended");
      // When its title shows is the terminal's matter.
      expect(types(t).filter((type) => type !== "agent.title")).toEqual([
        "execution.opened",
        "agent.spawned",
        "turn.started",
        "agent.initialized",
        "agent.ready",
        "turn.ended",
      ]);
      expect(await t.host.body("agent.title")).toEqual({ type: "agent.title", title: "The agent's title" });
      expect(await t.host.body("turn.started")).toMatchObject({ turn_id: prompt.turn_id, prompt_id: prompt.prompt_id });
      expect(await t.host.body("agent.ready")).toMatchObject({ token: `conversation-${t.agent()}`, how: "new" });
      expect(t.starts()).toEqual([{ pid: t.agent(), argv: expect.arrayContaining(["it's a 'first' prompt"]) }]);
      expect(execution_id).toBe(t.host.events[0]?.execution_id);
    },
  );
});

/** It runs, somebody looks, and it has had a turn. */
async function working(limits: Record<string, number> = {}): Promise<TerminalBench> {
  const t = await new TerminalBench(bench, { limits }).start();
  await t.run({ prompt: t.prompt("hello") });
  await t.host.body("turn.ended");
  await t.attached();
  return t;
}

const ended = (t: TerminalBench) => t.host.body("execution.ended");

describe("R7: a terminal agent's end", () => {
  it("killed (-9) alone: interrupted, at once, and the shell stays", async () => {
    const t = await working();
    const agent = t.agent();
    const before = Date.now();
    process.kill(agent, "SIGKILL");
    expect(await ended(t)).toMatchObject({
      end_reason: "interrupted",
      failure: { code: "agent_died" },
      exit_code: 137,
      signal: "SIGKILL",
      died: "agent",
      found: "live",
    });
    expect(Date.now() - before).toBeLessThan(2_000);
    expect(alive(await t.shell())).toBe(true);
  });

  it("killed (-9) with its shell: interrupted, and the pane hears that its terminal ended", async () => {
    const t = await working();
    const shell = (await until("the shell", () => t.host.state()?.terminals?.alive)) && t.shellPid();
    for (const pid of [shell, t.agent()]) process.kill(pid, "SIGKILL");
    expect(await ended(t)).toMatchObject({ end_reason: "interrupted", died: "agent" });
    await t.host.frame("terminal.ended");
  });

  it("its wrapper killed (-9): interrupted, and the agent that it left is ended", async () => {
    const t = await working();
    const agent = t.agent();
    process.kill(t.host.agentPid(), "SIGKILL");
    expect(await ended(t)).toMatchObject({ end_reason: "interrupted", exit_code: null, signal: null });
    expect(alive(agent)).toBe(false);
    expect(alive(await t.shell())).toBe(true);
  });

  it("SIGHUP with its death gasp: the goodbye is kept, the end is interrupted", async () => {
    const t = await working();
    process.kill(t.agent(), "SIGHUP");
    expect(await ended(t)).toMatchObject({ end_reason: "interrupted", exit_code: 129, signal: "SIGHUP" });
    expect(types(t).slice(-2)).toEqual(["agent.goodbye", "execution.ended"]);
    expect(await t.host.body("agent.goodbye")).toEqual({ type: "agent.goodbye", reason: "other", explicit: false });
  });

  it("its terminal dies under it: the same, by whichever way it hears of that", async () => {
    const t = await working();
    process.kill(t.shellPid(), "SIGKILL");
    expect(await ended(t)).toMatchObject({ end_reason: "interrupted", exit_code: 129 });
  });

  it("/exit: it ended by itself, and the shell stays", async () => {
    const t = await working();
    t.type("/exit\r");
    expect(await ended(t)).toMatchObject({ end_reason: "agent_exit", failure: null, exit_code: 0, died: "nobody" });
    expect(alive(await t.shell())).toBe(true);
  });

  it.each([
    ["exit 0", "agent_exit", null],
    ["exit 3", "agent_exit", null],
    ["exit 130", "interrupted", null],
    ["hang\rexit 0", "interrupted", "interrupted"],
    ["hang\r/exit", "agent_exit", "cancelled"],
  ])("`%s` without a word: %s", async (line, end_reason, turn) => {
    const t = await working();
    t.type(`${line}\r`);
    expect(await ended(t)).toMatchObject({ end_reason });
    const last = t.host.events.map(({ body }) => body).findLast((body) => body.type === "turn.ended");
    expect(last?.outcome).toBe(turn ?? "done");
  });

  it("stopped by a person in the middle of a turn: all that it started goes, the shell stays", async () => {
    const t = await working();
    const from = t.host.frames.length;
    t.type("hang, child\r");
    const child = Number((await t.shows(/child (\d+);/, from))[1]);
    await until("its turn", () => types(t).filter((type) => type === "turn.started").length === 2);
    const execution_id = t.host.events[0]?.execution_id ?? "";
    t.host.send({ type: "stop", command_id: "cmd_stop", execution_id, end_reason: "stopped" });
    expect(await ended(t)).toMatchObject({ end_reason: "stopped", failure: null });
    await t.host.frame("command.done", (frame) => frame.command_id === "cmd_stop");
    expect([t.agent(), child].map(alive)).toEqual([false, false]);
    expect(alive(await t.shell())).toBe(true);
  });
});

describe("R3: an agent that is given up before its shell has started it", () => {
  it("never runs, however late the shell gets there", async () => {
    const t = new TerminalBench(bench);
    t.profile("until [ -e enough ]; do sleep 0.05; done; touch late");
    await t.start();
    const command = t.launch();
    t.host.send({ type: "launch", command });
    await t.host.frame("permit.request");
    t.host.send({ type: "permit.granted", execution_id: command.command_id });
    await until("its shell", () => t.host.state()?.terminals?.alive === 1);
    t.host.send({ type: "stop", command_id: "cmd_stop", execution_id: command.command_id, end_reason: "stopped" });
    expect(await ended(t)).toMatchObject({ end_reason: "stopped" });
    await t.attached();
    t.workspaceFile("enough");
    await until("its shell is up", () => t.hasWorkspaceFile("late"));
    expect(alive(await t.shell())).toBe(true);
    expect(t.starts()).toEqual([]);
  });
});

describe("R1: resume", () => {
  it("in the same terminal: the pane gets the new life's screen, and is typed into it", async () => {
    const t = await working();
    const token = `conversation-${t.agent()}`;
    process.kill(t.agent(), "SIGKILL");
    await ended(t);
    const old = t.shellPid();
    const from = t.host.frames.length;
    await t.resume(token);
    const ready = t.host.events.map(({ body }) => body).findLast((body) => body.type === "agent.ready");
    expect(ready).toMatchObject({ token, how: "resume", verified: true });
    expect(t.starts().at(-1)?.argv.slice(-2)).toEqual(["--resume", token]);
    const screen = await t.newScreen(from);
    expect(screen).toMatchObject({ why: "other_stream", cols: 100, rows: 30 });
    await t.shows(new RegExp(`agent ${t.agent()} serves ${token};`), from);
    t.type("again\r");
    await t.shows(/done with again/, from);
    await until("the old shell's end", () => !alive(old));
  });

  it("R3: of a conversation that the agent says is gone", async () => {
    const t = await new TerminalBench(bench).start();
    await t.resume("gone");
    expect(await ended(t)).toMatchObject({
      end_reason: "failed",
      failure: { code: "conversation_gone", message: expect.stringContaining("No conversation found") },
      exit_code: 1,
    });
  });

  it("R1: without resume args it is refused before anything runs", async () => {
    const t = await new TerminalBench(bench).start();
    await t.run({ how: { type: "resume", token: "a", had_turns: true } }, { resume_args: null });
    expect(await ended(t)).toMatchObject({ end_reason: "failed", failure: { code: "not_resumable" } });
    expect(t.starts()).toEqual([]);
  });

  it("a command that isn't there says so", async () => {
    const t = await new TerminalBench(bench).start();
    await t.run({}, { command: "no-such-agent" });
    expect(await ended(t)).toMatchObject({ end_reason: "failed", failure: { code: "agent_not_found" } });
  });
});

describe("L1, R7: a host that dies", () => {
  it("in the middle of a turn: interrupted, and nothing of it is left", async () => {
    const t = await working();
    const from = t.host.frames.length;
    t.type("hang, child\r");
    const child = Number((await t.shows(/child (\d+);/, from))[1]);
    await until("its turn", () => types(t).filter((type) => type === "turn.started").length === 2);
    const agent = t.agent();
    await t.killHost();
    expect(await ended(t)).toMatchObject({ end_reason: "interrupted", died: "host", failure: { code: "host_died" } });
    expect([agent, child].map(alive)).toEqual([false, false]);
  });

  it("and its agent's death gasp, said to nobody: the next host hears it", async () => {
    const t = await working();
    const agent = t.agent();
    await t.host.killHost();
    await until("the agent's own end", () => !alive(agent));
    await t.start("scan");
    expect(await ended(t)).toMatchObject({ end_reason: "interrupted", died: "host", found: "scan", exit_code: 129 });
    expect(types(t).slice(-2)).toEqual(["agent.goodbye", "execution.ended"]);
  });

  it("whose agent took the end of its terminal for its own: interrupted all the same", async () => {
    const t = await new TerminalBench(bench, { limits: { AGENT_SETTLE_MS: 100 } }).start();
    const spec = t.launch().spec;
    await t.run({}, { args: [...spec.args, "--quiet", "--eof"] });
    await until("the agent", () => t.starts().length === 1);
    const agent = t.agent();
    await t.host.killHost();
    await until("the agent's own end", () => !alive(agent));
    await t.start("scan");
    expect(await ended(t)).toMatchObject({ end_reason: "interrupted", died: "host" });
  });

  it("right after the agent's clean exit: it ended by itself all the same", async () => {
    const t = await working();
    const host = t.host.host?.pid ?? 0;
    process.kill(host, "SIGSTOP");
    const wrapper = t.host.agentPid();
    // Of an agent that was told nothing of its host's state: it leaves by itself.
    process.kill(t.agent(), "SIGUSR2");
    await until("its end", () => !alive(wrapper));
    await t.killHost("scan");
    expect(await ended(t)).toMatchObject({ end_reason: "agent_exit", exit_code: 0, died: "nobody", found: "scan" });
  });
});
