import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EXECUTION_VARIABLE } from "./marked.ts";
import { bootId, groupMembers, isAlive, startTimeOf } from "./process.ts";
import { readSpool, Spool } from "./spool.ts";
import { type Bench, type HostBench, id, openBench, until } from "./testing.ts";

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
}, 60_000);
afterAll(() => bench.close(), 60_000);

const alive = (pid: number) => isAlive({ pid, start_time: null, boot_id: bootId() }, bootId());

function expectNoGaps(host: HostBench): void {
  expect(host.events.map((one) => one.seq)).toEqual(host.events.map((_, i) => i + 1));
}

describe("deaths", { timeout: 90_000 }, () => {
  it("R7, X6: an agent killed in mid-turn is `interrupted`, its children are gone, its words are kept", async () => {
    const host = bench.session();
    await host.start();
    const execution_id = await host.run(host.launch());
    await host.turn(execution_id, "child");
    const child = Number(/child (\d+)/.exec(host.text())?.[1]);
    expect(alive(child)).toBe(true);
    host.send({ type: "watch", on: true });
    host.prompt(execution_id, "stream 2000 every 20");
    await host.frame("preview", (frame) => frame.text.includes("w5"));
    const started = Date.now();
    process.kill(host.agentPid(), "SIGKILL");
    const end = await host.body("execution.ended");
    const took = Date.now() - started;
    expect(end).toMatchObject({ end_reason: "interrupted", signal: "SIGKILL", died: "agent", found: "live" });
    expect(end.failure?.code).toBe("agent_died");
    expect(host.events.map((one) => one.body).findLast((body) => body.type === "turn.ended")?.outcome).toBe(
      "interrupted",
    );
    expect(host.text()).toContain("w5");
    expect(alive(child)).toBe(false);
    expect(groupMembers(host.agentPid())).toEqual([]);
    expect(took).toBeLessThan(5_000);
    await until("the state", () => host.state()?.execution?.state === "dead");
  });

  it("P3: a question whose agent died expires", async () => {
    const host = bench.session();
    await host.start();
    const execution_id = await host.run(host.launch());
    host.prompt(execution_id, "approve");
    await host.body("approval.asked");
    process.kill(host.agentPid(), "SIGKILL");
    expect((await host.body("approval.settled")).outcome).toBe("expired");
    await host.body("execution.ended");
  });

  it("L1: a host killed in mid-turn is started again, ends the group, closes the execution, counts on", async () => {
    const host = bench.session();
    await host.start();
    const execution_id = await host.run(host.launch());
    const { prompt_id } = host.prompt(execution_id, "child; ignore-cancel");
    await host.body("turn.started");
    const agent = host.agentPid();
    const spoolId = host.link?.hello.spool_id;
    await host.killHost();
    const left = readSpool(host.paths.spool);
    expect(left).toMatchObject({
      state: "read",
      spool_id: spoolId,
      facts: { execution: { open: true, agent: { pid: agent } } },
    });
    await host.start("live");
    expect(host.link?.hello.spool_id).toBe(spoolId);
    const end = await host.body("execution.ended");
    expect(end).toMatchObject({
      end_reason: "interrupted",
      died: "host",
      found: "live",
      failure: { code: "host_died" },
    });
    expect(groupMembers(agent)).toEqual([]);
    expectNoGaps(host);
    // P1: the prompt reached an agent once; it is never given to another under the same id.
    const next = await host.run(host.launch());
    host.prompt(next, "echo twice", prompt_id);
    await host.turn(next, "echo once");
    expect(host.events.filter((one) => one.body.type === "turn.started")).toHaveLength(2);
    expectNoGaps(host);
  });

  it("a machine that restarted is told from a host that died; nothing of the new boot is killed", async () => {
    const host = bench.session();
    await host.start("live", { REPRISE_BOOT_ID: "boot-one" });
    await host.run(host.launch());
    const agent = host.agentPid();
    await host.killHost();
    await host.start("scan", { REPRISE_BOOT_ID: "boot-two" });
    const end = await host.body("execution.ended");
    expect(end).toMatchObject({ died: "machine", found: "scan", failure: { code: "machine_restarted" } });
    expect(agent).toBeGreaterThan(0);
  });

  it("R3: a host killed between its intent and the agent's spawn leaves no agent behind, recorded or not", async () => {
    const host = bench.session();
    mkdirSync(host.dir, { recursive: true });
    const execution_id = id("execution");
    const spool = new Spool(host.paths.spool, host.paths.reserve);
    spool.append([{ execution_id, body: { type: "execution.opened", how: "new", automatic: false } }], 1);
    spool.close();
    const orphan = spawn("sleep", ["60"], {
      detached: true,
      stdio: "ignore",
      env: { ...process.env, [EXECUTION_VARIABLE]: execution_id },
    });
    const pid = orphan.pid ?? 0;
    expect(startTimeOf(pid)).not.toBeNull();
    await host.start("scan");
    expect(await host.body("execution.ended")).toMatchObject({ end_reason: "interrupted", died: "host" });
    expect(groupMembers(pid)).toEqual([]);
  });

  it("X4: a daemon that dies interrupts no turn; the next one gets the rest, and the newest wins", async () => {
    const host = bench.session();
    const first = await host.start();
    const execution_id = await host.run(host.launch());
    const { turn_id } = host.prompt(execution_id, "stream 40 every 20");
    await host.body("turn.started");
    first.close();
    await first.closed;
    const second = await host.connect();
    second.send({ type: "follow", from_seq: (host.events.at(-1)?.seq ?? 0) + 1 });
    await host.body("turn.ended", (body) => body.turn_id === turn_id);
    expect(host.text()).toMatch(/^w1 .* w40$/);
    expectNoGaps(host);
    const pid = host.agentPid();
    const third = await host.connect();
    await host.frame("replaced");
    await second.closed;
    third.send({ type: "follow", from_seq: host.events.length + 1 });
    expect((await host.turn(execution_id, "echo again")).outcome).toBe("done");
    expect(host.agentPid()).toBe(pid);
  });

  it("X6: SIGTERM is no order; a teardown ends agent and host, in order", async () => {
    const host = bench.session();
    await host.start();
    const execution_id = await host.run(host.launch());
    process.kill(host.host?.pid ?? 0, "SIGTERM");
    expect((await host.turn(execution_id, "echo still here")).outcome).toBe("done");
    host.send({ type: "teardown", command_id: "cmd_teardown" });
    expect(await host.body("execution.ended")).toMatchObject({ end_reason: "disposed", died: "nobody" });
    await host.frame("command.done");
    const { last_seq } = await host.frame("state").then(() => ({ last_seq: host.events.length }));
    host.send({ type: "ack", spool_id: host.link?.hello.spool_id ?? "", seq: last_seq });
    expect(await host.host?.exited).toBe(0);
    expect(readSpool(host.paths.spool)).toMatchObject({ state: "read", last_seq, acked: last_seq });
  });

  it("a shutdown ends all as if the host had died, in order, so that the next start recovers it", async () => {
    const host = bench.session({ FAREWELL_MS: 50 });
    await host.start();
    const execution_id = await host.run(host.launch());
    host.prompt(execution_id, "sleep");
    await host.body("turn.started");
    host.send({ type: "shutdown", command_id: "cmd_shutdown" });
    expect(await host.host?.exited).toBe(0);
    expect(await host.body("execution.ended")).toMatchObject({ end_reason: "interrupted", died: "host" });
    expect(groupMembers(host.agentPid())).toEqual([]);
  });

  it("X6, C26: a workspace-only host that nobody uses ends itself; one with an agent never does, nor what that left running", async () => {
    const idle = bench.session({ WORKSPACE_IDLE_MS: 200, IDLE_CHECK_MS: 50 });
    idle.spawn();
    expect(await idle.host?.exited).toBe(0);
    const limits = { WORKSPACE_IDLE_MS: 4_000, IDLE_CHECK_MS: 50 };
    const busy = bench.session(limits);
    const link = await busy.start();
    const execution_id = await busy.run(busy.launch());
    await busy.turn(execution_id, "child");
    const build = Number(/child (\d+)/.exec(busy.text())?.[1]);
    busy.send({ type: "ack", spool_id: link.hello.spool_id, seq: busy.events.length });
    link.close();
    await link.closed;
    // Started later with the same limit, and over it: the busy one has been, too.
    const later = bench.session(limits);
    later.spawn();
    expect(await later.host?.exited).toBe(0);
    expect(alive(build)).toBe(true);
    await busy.connect();
    busy.send({ type: "follow", from_seq: 1 });
    expect((await busy.turn(execution_id, "echo alive")).outcome).toBe("done");
  });

  it("P5: a spool that takes nothing more refuses prompts, stops the agent's output, and loses nothing", async () => {
    const host = bench.session({ SPOOL_MAX_PAGES: 40, DISK_RETRY_MS: 100, TOOL_UPSERT_MS: 0 });
    const link = await host.start();
    const execution_id = await host.run(host.launch());
    const many = Array.from({ length: 8 }, () => `write f.txt ${"x".repeat(20_000)}`).join("; ");
    const { turn_id } = host.prompt(execution_id, many);
    await until("a full disk", () => host.state()?.disk_full === true);
    const other = host.prompt(execution_id, "echo other");
    expect(await host.frame("prompt.refused")).toMatchObject({ prompt_id: other.prompt_id, code: "disk_full" });
    for (;;) {
      host.send({ type: "ack", spool_id: link.hello.spool_id, seq: host.events.at(-1)?.seq ?? 0 });
      const ended = host.events.some(({ body }) => body.type === "turn.ended" && body.turn_id === turn_id);
      if (ended) break;
      const before = host.events.length;
      await until("more events", () => host.events.length > before);
    }
    expectNoGaps(host);
    const done = host.events.filter(
      ({ body }) => body.type === "item" && body.item.kind === "tool_call" && body.item.tool_status === "completed",
    );
    expect(done).toHaveLength(8);
    await until("room", () => host.state()?.disk_full === false);
    expect((await host.turn(execution_id, "echo fine")).outcome).toBe("done");
  });
});
