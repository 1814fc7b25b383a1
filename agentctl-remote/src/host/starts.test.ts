import { rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Launch } from "./core/types.ts";
import { type Bench, type HostBench, openBench } from "./testing.ts";

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
}, 60_000);
afterAll(() => bench.close(), 60_000);

/** A session whose agent knows a codeword and was killed; its token. */
async function killedSession(limits: Record<string, number> = {}): Promise<{ host: HostBench; token: string }> {
  const host = bench.session(limits);
  await host.start();
  const execution_id = await host.run(host.launch());
  const { token } = await host.body("agent.ready");
  if (token === null) throw new Error("no token");
  await host.turn(execution_id, "remember CODEWORD-HERON");
  process.kill(host.agentPid(), "SIGKILL");
  await host.body("execution.ended");
  host.events.length = 0;
  return { host, token };
}

const resume = (token: string): Partial<Launch> => ({ how: { type: "resume", token, had_turns: true } });

describe("resume", { timeout: 90_000 }, () => {
  it.each([
    ["R1: session/resume is preferred", [], "resume", 0],
    ["R1: else session/load, whose replay is counted", ["--no-resume"], "load", 2],
    ["R5: an agent that replays on resume changes nothing", ["--replay-on-resume"], "resume", 2],
    ["R5: a tail that comes after the answer stays out", ["--no-resume", "--late-replay"], "load", 2],
  ] as const)("%s; C18: history enters no second time, and the codeword is known", async (_, flags, how, replayed) => {
    const { host, token } = await killedSession();
    const execution_id = await host.run(host.launch(resume(token), flags));
    const ready = await host.body("agent.ready");
    expect(ready).toMatchObject({ token, how, verified: true });
    expect(ready.replayed).toBeGreaterThanOrEqual(replayed);
    expect((await host.turn(execution_id, "recall")).outcome).toBe("done");
    expect(host.text()).toBe("CODEWORD-HERON");
    expect(host.events.filter((one) => one.body.type === "item").length).toBeLessThanOrEqual(1);
  });

  it("R4: a load that replays nothing of a conversation with turns is unverified", async () => {
    const { host, token } = await killedSession();
    await host.run(host.launch(resume(token), ["--no-resume", "--no-replay-on-load"]));
    expect(await host.body("agent.ready")).toMatchObject({ how: "load", replayed: 0, verified: false });
  });

  it.each([
    ["C11: gone is said as gone", ["--gone"], "conversation_gone"],
    ["C11: Codex's words", ["--load-fails", "no rollout found for that id"], "conversation_gone"],
    [
      "C11: Gemini's words",
      ["--no-resume", "--load-fails", "No previous sessions found for this project."],
      "conversation_gone",
    ],
    ["R3: another error is `not now`", ["--load-fails", "the model is overloaded"], "resume_failed"],
    ["R3: silence is `not now`", ["--load-hangs"], "resume_failed"],
    ["R1: an agent that can't is not asked", ["--no-load", "--no-resume"], "not_resumable"],
  ] as const)("%s", async (_, flags, code) => {
    const { host, token } = await killedSession({ AGENT_SESSION_MS: 3_000 });
    await host.run(host.launch(resume(token), flags));
    expect(await host.body("execution.ended")).toMatchObject({ end_reason: "failed", failure: { code } });
    expect(host.events.some((one) => one.body.type === "item")).toBe(false);
  });
});

describe("starts", { timeout: 90_000 }, () => {
  it("C02: an agent that exits at once is `failed`, with its last words", async () => {
    const host = bench.session();
    await host.start();
    await host.run(host.launch({}, ["--exit-on-start", "7"]));
    const end = await host.body("execution.ended");
    expect(end).toMatchObject({ end_reason: "failed", exit_code: 7, failure: { code: "agent_exited" } });
    expect(end.failure?.message).toContain("exits at once with 7");
    await host.run(host.launch());
    await host.body("agent.ready");
  });

  it("an agent that never answers initialize is ended after its time", async () => {
    const host = bench.session({ AGENT_INIT_MS: 500 });
    await host.start();
    await host.run(host.launch({}, ["--init-hangs"]));
    expect(await host.body("execution.ended")).toMatchObject({
      end_reason: "failed",
      failure: { code: "agent_init_timeout" },
    });
  });

  it("a command that isn't there is said as that", async () => {
    const host = bench.session();
    await host.start();
    const command = host.launch();
    await host.run({ ...command, spec: { ...command.spec, command: "no-such-agent-anywhere" } });
    expect(await host.body("execution.ended")).toMatchObject({
      end_reason: "failed",
      // The session may run in a container: what the machine has is not what it sees.
      failure: {
        code: "agent_not_found",
        message: "The command no-such-agent-anywhere isn't on this session's PATH.",
      },
    });
  });

  it("arguments that no process can have fail the start, and the host lives on", async () => {
    const host = bench.session();
    await host.start();
    await host.run(host.launch({}, ["with a \0 in it"]));
    expect(await host.body("execution.ended")).toMatchObject({ failure: { code: "agent_start_failed" } });
    host.events.length = 0;
    await host.run(host.launch());
    await host.body("agent.ready");
  });

  it("a folder removed between launch and permit fails the start, and the host lives on", async () => {
    const host = bench.session();
    await host.start();
    const command = host.launch();
    host.send({ type: "launch", command });
    await host.frame("permit.request");
    rmSync(host.workspace, { recursive: true });
    host.send({ type: "permit.granted", execution_id: command.command_id });
    expect(await host.body("execution.ended")).toMatchObject({
      end_reason: "failed",
      failure: { code: "workspace_missing" },
    });
  });

  it("R2: the profile's mode and model are set before the agent is ready, and what it doesn't know is said", async () => {
    const host = bench.session();
    await host.start();
    const command = host.launch();
    const execution_id = await host.run({ ...command, spec: { ...command.spec, mode: "auto", model: "huge" } });
    expect((await host.body("notice")).code).toBe("model_not_set");
    expect(await host.body("agent.settings")).toMatchObject({
      mode: "auto",
      model: "small",
      models: [{ id: "small" }, { id: "large" }],
    });
    host.send({ type: "set_model", execution_id, model: "large" });
    await host.body("agent.settings", (body) => body.model === "large");
    await host.turn(execution_id, "mode");
    expect(host.text()).toBe("mode: auto, model: large");
  });

  it("a turn over its limit is timed out, and the agent lives on", async () => {
    const host = bench.session();
    await host.start();
    const command = host.launch();
    const execution_id = await host.run({ ...command, spec: { ...command.spec, turn_limit_s: 10 } });
    expect((await host.turn(execution_id, "sleep")).outcome).toBe("timed_out");
    expect((await host.turn(execution_id, "echo on")).outcome).toBe("done");
  });

  it("an agent's own error is a failed turn in its words", async () => {
    const host = bench.session();
    await host.start();
    const execution_id = await host.run(host.launch());
    const end = await host.turn(execution_id, "error the model said no");
    expect(end).toMatchObject({ outcome: "failed" });
    expect(end.message).toContain("the model said no");
  });
});
