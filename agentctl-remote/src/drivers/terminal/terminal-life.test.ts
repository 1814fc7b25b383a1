import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Bench, openBench, until } from "../../host/testing.ts";
import { alive, TerminalBench } from "./testing.ts";

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench?.close());

const opened = (t: TerminalBench) =>
  t.host.events.flatMap(({ body, execution_id }) =>
    body.type === "execution.opened" ? [{ how: body.how, execution_id }] : [],
  );
const count = (t: TerminalBench, type: string) => t.host.events.filter(({ body }) => body.type === type).length;

/** It ran and left its shell by `/exit`; somebody looks. */
async function left(): Promise<TerminalBench> {
  const t = await new TerminalBench(bench).start();
  await t.run();
  await t.attached();
  t.type("/exit\r");
  await t.host.body("execution.ended");
  return t;
}

describe("R7: what is said in a terminal whose agent has ended", () => {
  it("a second agent typed into the shell is a new execution, with turns, a token and an end of its own", async () => {
    const t = await left();
    t.type(`${t.command()} 'by hand'\r`);
    await until("a found execution", () => opened(t).length === 2);
    const found = opened(t)[1];
    expect(found?.how).toBe("found");
    const ready = await until("its word", () =>
      t.host.events.find((one) => one.execution_id === found?.execution_id && one.body.type === "agent.ready"),
    );
    expect(ready.body).toMatchObject({ token: `conversation-${t.agent()}`, how: "new" });
    await until("its turn's end", () => count(t, "turn.ended") === 1);
    expect(t.host.state()?.execution).toMatchObject({ execution_id: found?.execution_id, state: "alive" });
    t.type("/exit\r");
    await until("its end", () => count(t, "execution.ended") === 2);
    const end = t.host.events.at(-1);
    expect(end).toMatchObject({ execution_id: found?.execution_id, body: { end_reason: "agent_exit", failure: null } });
    expect(alive(await t.shell())).toBe(true);
  });

  it("a found one is killed, stopped and resumed like any other", async () => {
    const t = await left();
    t.type(`${t.command()}\r`);
    await until("its word", () => count(t, "agent.ready") === 2);
    process.kill(t.agent(), "SIGKILL");
    await until("its end", () => count(t, "execution.ended") === 2);
    expect(t.host.events.at(-1)?.body).toMatchObject({ end_reason: "interrupted", died: "agent" });
    t.type(`${t.command()}\r`);
    await until("the next one's word", () => count(t, "agent.ready") === 3);
    const agent = t.agent();
    const execution_id = opened(t)[2]?.execution_id ?? "";
    t.host.send({ type: "stop", command_id: "cmd_stop", execution_id, end_reason: "stopped" });
    await until("its stop", () => count(t, "execution.ended") === 3);
    expect(t.host.events.at(-1)?.body).toMatchObject({ end_reason: "stopped" });
    expect(alive(agent)).toBe(false);
    await t.resume(`conversation-${agent}`);
    await t.host.body("agent.ready", ({ how, token }) => how === "resume" && token === `conversation-${agent}`);
  });

  it("a straggler's hook revives nothing; nor does another agent's", async () => {
    const t = await left();
    const token = `conversation-${t.starts()[0]?.pid}`;
    const before = t.host.events.length;
    t.straggle("claude-code", { session_id: token, hook_event_name: "SessionStart", source: "startup" });
    t.straggle("claude-code", { session_id: token, hook_event_name: "SessionEnd", reason: "other" });
    t.straggle("gemini", { session_id: "other", hook_event_name: "SessionStart" });
    await until("all of them taken", () => t.reports().length === 0);
    expect(t.host.events.slice(before)).toEqual([]);
    expect(count(t, "execution.opened")).toBe(1);
  });

  it("R2: `/clear` goes to another conversation in the same execution", async () => {
    const t = await new TerminalBench(bench).start();
    await t.run();
    await t.attached();
    t.type("/clear\r");
    await t.host.body("agent.token", ({ token }) => token === `conversation-${t.agent()}-cleared`);
    t.type("/exit\r");
    expect(await t.host.body("execution.ended")).toMatchObject({ end_reason: "agent_exit" });
    expect(count(t, "execution.opened")).toBe(1);
  });

  it("what it asks needs its person, until that types something", async () => {
    const t = await new TerminalBench(bench).start();
    await t.run();
    await t.attached();
    t.type("ask\r");
    await t.host.body("agent.attention", ({ text }) => text === "May I?");
    t.type("\x1b[I");
    t.type("y");
    await t.host.body("agent.attention", ({ text }) => text === null);
  });
});

describe("prompts", () => {
  it("P1: Reprise types them, and their turns end when the agent says so", async () => {
    const t = await new TerminalBench(bench).start();
    const execution_id = await t.run();
    expect(await t.host.turn(execution_id, "one\ntwo")).toMatchObject({ outcome: "done" });
    expect(count(t, "turn.started")).toBe(1);
    await t.attached();
    await t.shows(/done with one two/);
  });

  it("P1: a first one that the profile wants typed comes once the agent is ready", async () => {
    const t = await new TerminalBench(bench).start();
    const prompt = t.prompt("typed");
    await t.run({ prompt }, { prompt_transport: "stdin" });
    expect(await t.host.body("turn.ended")).toMatchObject({ turn_id: prompt.turn_id, outcome: "done" });
    expect(t.starts()[0]?.argv).not.toContain("typed");
    await t.attached();
    await t.shows(/done with typed/);
  });

  it("S5: one that waits for an agent that ends is not typed into the shell behind it, which would run it", async () => {
    const limits = { AGENT_SETTLE_MS: 100, PASTE_WAIT_MS: 10_000, ORPHAN_GRACE_MS: 2_500 };
    const t = await new TerminalBench(bench, { limits }).start();
    // Its shell takes pastes; what it leaves behind takes a while to end.
    const args = ["-c", "(trap '' TERM; exec sleep 1000) & sleep 1"];
    const spec = { agent_kind: "custom:plain", command: "/bin/sh", args, prompt_transport: "stdin" as const };
    await t.run({ prompt: t.prompt("touch typed") }, spec);
    await t.host.body("execution.ended");
    expect(t.hasWorkspaceFile("typed")).toBe(false);
  });

  it("P1: one that no argument can carry is typed", async () => {
    const t = await new TerminalBench(bench, { limits: { MAX_ARGV_PROMPT_BYTES: 10 } }).start();
    await t.run({ prompt: t.prompt("longer than ten") });
    await t.host.body("turn.ended");
    expect(t.starts()[0]?.argv).not.toContain("longer than ten");
  });

  it("R7: where no hook speaks, what is given is over at once, and a submitted line counts as a prompt", async () => {
    const t = await new TerminalBench(bench, { limits: { AGENT_SETTLE_MS: 100 } }).start();
    const execution_id = await t.run({}, { agent_kind: "custom:plain" });
    await t.attached();
    await t.shows(/serves/);
    t.type("by hand");
    expect(await t.host.turn(execution_id, " and by Reprise")).toMatchObject({ outcome: "done" });
    await t.shows(/done with by hand and by Reprise/);
    expect(count(t, "agent.prompted")).toBe(0);
    t.type("hang\r");
    await t.host.body("agent.prompted");
    t.type("exit 0\r");
    expect(await t.host.body("execution.ended")).toMatchObject({ end_reason: "agent_exit" });
  });

  it("P4: a cancel is an Escape; an agent that then shows nothing new has stopped", async () => {
    const t = await new TerminalBench(bench, { limits: { REST_MS: 200 } }).start();
    const execution_id = await t.run();
    const { turn_id } = t.host.prompt(execution_id, "hang");
    await t.host.body("turn.started");
    t.host.send({ type: "cancel", execution_id, turn_id });
    expect(await t.host.body("turn.ended")).toMatchObject({ turn_id, outcome: "cancelled" });
    expect(alive(t.agent())).toBe(true);
  });
});

describe("B1: the agent's terminal", () => {
  it("is begun by no pane; one that came early is shown it once it is there", async () => {
    const t = await new TerminalBench(bench).start();
    t.attach();
    expect(await t.host.frame("terminal.refused")).toMatchObject({ code: "agent_not_started" });
    await t.run();
    expect(await t.host.frame("terminal.snapshot")).toMatchObject({ why: "first", cols: 100, rows: 30 });
    await t.shows(/serves/);
  });

  it("has a size before anybody looks, and takes input from nobody's pane", async () => {
    const t = await new TerminalBench(bench).start();
    await t.run();
    const write = (request_id: string, terminal_id: string, text: string) =>
      t.host.send({ type: "terminal.write", request_id, terminal_id, data: Buffer.from(text).toString("base64") });
    write("req_1", "agent", "size\r");
    write("req_2", "other", "x");
    expect(await t.host.frame("terminal.written")).toMatchObject({ request_id: "req_1", outcome: "written" });
    const other = await t.host.frame("terminal.written", ({ request_id }) => request_id === "req_2");
    expect(other.outcome).toBe("not_found");
    await t.host.body("turn.ended");
    await t.attached();
    await t.shows(/size 120x32;/);
    process.kill(t.shellPid(), "SIGKILL");
    await t.host.frame("terminal.ended");
    write("req_3", "agent", "x");
    const late = await t.host.frame("terminal.written", ({ request_id }) => request_id === "req_3");
    expect(late.outcome).toBe("ended");
  });

  it.each(["/bin/bash", "/bin/sh"])(
    "S5: Ctrl-Z leaves the agent in it: %s would kill it, or leave it stopped",
    async (shell) => {
      const t = await new TerminalBench(bench, { shell }).start();
      const execution_id = await t.run();
      await t.attached();
      await t.shows(/serves/);
      for (const turns of [1, 2]) {
        const from = t.host.frames.length;
        t.type("\x1a");
        await t.shows(/\^Z/, from);
        // What Reprise types while it is suspended is not the shell's to run.
        t.host.prompt(execution_id, `touch ran-it-${turns}`);
        await until("its turn's end", () => count(t, "turn.ended") === turns);
        expect(t.hasWorkspaceFile(`ran-it-${turns}`)).toBe(false);
      }
      expect(t.host.state()?.execution).toMatchObject({ execution_id, state: "alive" });
      t.type("/exit\r");
      expect(await t.host.body("execution.ended")).toMatchObject({ end_reason: "agent_exit", exit_code: 0 });
    },
  );

  it.each([
    ["alone", (t: TerminalBench) => process.kill(t.agent(), "SIGKILL")],
    ["with its wrapper", (t: TerminalBench) => process.kill(-t.host.agentPid(), "SIGKILL")],
  ])("S5: what an agent had not read when it was killed %s is not its shell's to run", async (_how, kill) => {
    const t = await new TerminalBench(bench).start();
    const execution_id = await t.run();
    await t.attached();
    await t.shows(/serves/);
    process.kill(t.agent(), "SIGSTOP");
    t.host.prompt(execution_id, "touch ran-it");
    await t.shows(/touch ran-it\r\n/);
    kill(t);
    await t.host.body("execution.ended");
    await t.shell();
    expect(t.hasWorkspaceFile("ran-it")).toBe(false);
  });

  it("S5: a found one that its person suspended in the shell is given nothing: the shell would run it", async () => {
    const t = await left();
    t.type(`${t.command()}\r`);
    await until("its word", () => count(t, "agent.ready") === 2);
    const from = t.host.frames.length;
    t.type("\x1a");
    await t.shows(/Stopped/, from);
    t.host.prompt(opened(t)[1]?.execution_id ?? "", "touch ran-it");
    expect(await t.host.body("turn.ended")).toMatchObject({
      outcome: "failed",
      message: expect.stringContaining("suspended"),
    });
    await t.shell();
    expect(t.hasWorkspaceFile("ran-it")).toBe(false);
  });

  it("keeps a shell in which something still runs, under another name", async () => {
    const t = await left();
    const from = t.host.frames.length;
    t.type("sleep 1000 & echo job:$!:\r");
    const job = Number((await t.shows(/job:(\d+):/, from))[1]);
    await t.resume(`conversation-${t.starts()[0]?.pid}`);
    expect(await t.host.body("notice")).toMatchObject({
      code: "terminal_kept",
      text: expect.stringContaining("agent-2"),
      terminal_id: "agent-2",
    });
    expect(alive(job)).toBe(true);
    const before = t.host.frames.length;
    t.attach({ terminal_id: "agent-2", pane_id: "pane-bbbb" });
    await until("the kept one's screen", () =>
      t.host.frames
        .slice(before)
        .some(
          (frame) =>
            frame.type === "terminal.snapshot" && frame.terminal_id === "agent-2" && frame.screen.includes("job:"),
        ),
    );
    t.host.send({ type: "shutdown", command_id: "cmd_down" });
    await until("the end of all", () => !alive(job));
  });

  it("X6: a teardown ends agent, shell and host", async () => {
    const t = await new TerminalBench(bench, { limits: { FAREWELL_MS: 50 } }).start();
    await t.run();
    const [agent, shell] = [t.agent(), t.shellPid()];
    t.host.send({ type: "teardown", command_id: "cmd_tear" });
    expect(await t.host.body("execution.ended")).toMatchObject({ end_reason: "disposed", died: "nobody" });
    expect(await t.host.host?.exited).toBe(0);
    expect([agent, shell].map(alive)).toEqual([false, false]);
  });
});
