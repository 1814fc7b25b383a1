import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectHost } from "./client.ts";
import { socketPath } from "./paths.ts";
import { groupMembers } from "./process.ts";
import { EXIT_SPOOL_IN_USE } from "./spawn.ts";
import { type Bench, type HostBench, id, openBench, until } from "./testing.ts";

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
}, 60_000);
afterAll(() => bench.close(), 60_000);

const starts = (file: string) => readFileSync(file, "utf8").trim().split("\n").length;

function expectNoGaps(host: HostBench): void {
  expect(host.events.map((one) => one.seq)).toEqual(host.events.map((_, i) => i + 1));
}

describe("prompts", { timeout: 60_000 }, () => {
  it("P1: a prompt is answered, its events numbered without gaps", async () => {
    const host = bench.session();
    await host.start();
    const execution = await host.run(host.launch());
    expect((await host.turn(execution, "echo hello there")).outcome).toBe("done");
    expect(host.text()).toContain("hello there");
    expectNoGaps(host);
    expect(host.events.map((one) => one.body.type).slice(0, 3)).toEqual([
      "execution.opened",
      "agent.spawned",
      "agent.initialized",
    ]);
    expect(host.bad).toEqual([]);
  });

  it("P1: the same id is one prompt; P2: a busy agent's host refuses and says so; limits of memory hold", async () => {
    const host = bench.session();
    await host.start();
    const execution = await host.run(host.launch());
    const { prompt_id } = host.prompt(execution, "sleep");
    const started = await host.body("turn.started");
    host.prompt(execution, "sleep", prompt_id);
    const other = host.prompt(execution, "echo other");
    const refused = await host.frame("prompt.refused");
    expect(refused).toMatchObject({ prompt_id: other.prompt_id, code: "busy" });
    const status = readFileSync(`/proc/${host.host?.pid}/status`, "utf8");
    const resident = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
    expect(resident).toBeLessThan(90);
    host.send({ type: "cancel", execution_id: execution, turn_id: started.turn_id });
    expect((await host.body("turn.ended")).outcome).toBe("cancelled");
    host.prompt(execution, "echo again", prompt_id);
    await host.turn(execution, "echo last");
    expect(host.events.filter((one) => one.body.type === "turn.started")).toHaveLength(2);
  });

  it("L3: tool calls, plan and thoughts become items; unknown updates are ignored; previews join without a hole", async () => {
    const host = bench.session();
    await host.start();
    const execution = await host.run(host.launch());
    host.send({ type: "watch", on: true });
    await host.turn(execution, "think; tool; plan; unknown-update; stream 30 every 10");
    const items = new Map(
      host.events.flatMap(({ body }) => (body.type === "item" ? [[body.item.item_id, body.item]] : [])),
    );
    expect([...items.values()].map(({ kind, status }) => `${kind} ${status}`).sort()).toEqual([
      "plan done",
      "text done",
      "thought done",
      "tool_call done",
    ]);
    const previews = host.frames.flatMap((one) => (one.type === "preview" && one.kind === "text" ? [one] : []));
    let whole = "";
    for (const { offset, text } of previews) {
      expect(offset).toBe(whole.length);
      whole += text;
    }
    expect(host.text()).toMatch(/w30$/);
    expect(host.text().startsWith(whole)).toBe(true);
    expect(previews.length).toBeLessThanOrEqual(12);
  });

  it("S6: bad frames get an error with a code, and all goes on", async () => {
    const host = bench.session();
    await host.start();
    const execution = await host.run(host.launch());
    const raw: unknown = JSON.parse('{"type":"prompt","execution_id":5}');
    // @ts-expect-error: a frame that no daemon of ours would send
    host.send(raw);
    expect(await host.frame("error")).toMatchObject({ code: "invalid_field", field: "execution_id" });
    expect((await host.turn(execution, "echo fine")).outcome).toBe("done");
  });
});

describe("approvals and cancels", { timeout: 60_000 }, () => {
  it("P3: a question is held, answered once, and a second answer is told that it isn't there", async () => {
    const host = bench.session();
    await host.start();
    const execution_id = await host.run(host.launch());
    host.prompt(execution_id, "approve");
    const { ask } = await host.body("approval.asked");
    expect(ask.options.map((one) => one.option_id)).toEqual(["allow", "always", "reject"]);
    await until("the state", () => host.state()?.pending_approvals === 1);
    const { request_id } = ask;
    host.send({ type: "approval.answer", execution_id, request_id, option_id: "nothing offered" });
    await host.frame("approval.unknown");
    host.send({ type: "approval.answer", execution_id, request_id, option_id: "allow" });
    host.send({ type: "approval.answer", execution_id, request_id, option_id: "reject" });
    await host.body("turn.ended");
    expect(host.text()).toContain("permission: allow");
    expect(host.events.filter((one) => one.body.type === "approval.settled")).toHaveLength(1);
    expect(host.frames.filter((one) => one.type === "approval.unknown")).toHaveLength(2);
  });

  it("P4: a cancel answers every question `cancelled` and ends the turn", async () => {
    const host = bench.session();
    await host.start();
    const execution_id = await host.run(host.launch());
    const { turn_id } = host.prompt(execution_id, "approve");
    await host.body("approval.asked");
    host.send({ type: "cancel", execution_id, turn_id });
    expect((await host.body("approval.settled")).outcome).toBe("cancelled");
    expect((await host.body("turn.ended")).outcome).toBe("cancelled");
    expect((await host.turn(execution_id, "echo on")).outcome).toBe("done");
  });

  it("P4: a cancel without effect ends the group: turn cancelled, execution interrupted", async () => {
    const host = bench.session({ CANCEL_MS: 300 });
    await host.start();
    const execution_id = await host.run(host.launch());
    const { turn_id } = host.prompt(execution_id, "ignore-cancel");
    await host.body("turn.started");
    host.send({ type: "cancel", execution_id, turn_id });
    expect((await host.body("turn.ended")).outcome).toBe("cancelled");
    const end = await host.body("execution.ended");
    expect(end).toMatchObject({ end_reason: "interrupted", failure: { code: "cancel_ignored" } });
    expect(groupMembers(host.agentPid())).toEqual([]);
  });
});

describe("one agent", { timeout: 60_000 }, () => {
  it("R3: a launch delivered twice and permitted twice is one agent; another is refused while it runs", async () => {
    const host = bench.session();
    await host.start();
    const log = join(bench.folder, `starts-${host.session_id}`);
    const command = host.launch({}, ["--start-log", log]);
    host.send({ type: "launch", command });
    const execution_id = await host.run(command);
    host.send({ type: "permit.granted", execution_id });
    host.send({ type: "launch", command });
    await host.frame("launch.taken", (frame) => frame.phase === "running");
    const second = host.launch({}, ["--start-log", log]);
    host.send({ type: "launch", command: second });
    const failed = await host.frame("command.failed");
    expect(failed.command_id).toBe(second.command_id);
    await host.turn(execution_id, "echo one");
    host.send({ type: "stop", command_id: id("command"), execution_id, end_reason: "stopped" });
    expect(await host.body("execution.ended")).toMatchObject({ end_reason: "stopped", died: "nobody" });
    await host.frame("command.done");
    host.send({ type: "launch", command });
    await host.frame("launch.taken", (frame) => frame.phase === "over");
    expect(starts(log)).toBe(1);
  });

  it("R3: a refused permit starts nothing; X2: a folder that is gone is said before any permit", async () => {
    const host = bench.session();
    await host.start();
    const command = host.launch();
    host.send({ type: "launch", command });
    await host.frame("permit.request");
    host.send({ type: "permit.refused", execution_id: command.command_id, code: "claim_revoked", message: "" });
    host.send({ type: "permit.granted", execution_id: command.command_id });
    const gone = host.launch({ workspace: { cwd: join(host.workspace, "gone"), worktree: null } });
    host.send({ type: "launch", command: gone });
    expect((await host.frame("command.failed")).failure.code).toBe("workspace_missing");
    expect(host.events).toEqual([]);
  });

  it("X7: a second host on the spool is refused, and a stranger's socket doesn't pass for one", async () => {
    const host = bench.session();
    await host.start();
    const first = host.host;
    const second = host.spawn();
    expect(await second.exited).toBe(EXIT_SPOOL_IN_USE);
    host.host = first;
    const answer = await connectHost({
      socket: socketPath(host.dir),
      nonce: "another",
      role: "daemon",
      onFrame: () => undefined,
      onBadFrame: () => undefined,
    });
    expect(answer).toMatchObject({ ok: false, why: "stranger" });
    const visitor = await host.connect("visitor");
    expect(visitor.hello.session_id).toBe(host.session_id);
  });
});
