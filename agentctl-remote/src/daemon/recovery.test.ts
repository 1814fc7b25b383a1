import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { bootId, isAlive } from "../host/process.ts";
import { buildPrograms, NodeBench, type Programs } from "./testing.ts";

let programs: Programs;
let node: NodeBench;
beforeAll(async () => {
  programs = await buildPrograms();
}, 90_000);
afterAll(() => rmSync(programs.folder, { recursive: true, force: true }));
beforeEach(() => {
  node = new NodeBench(programs);
});
afterEach(() => node.close(), 90_000);

const alive = (pid: number) => isAlive({ pid, start_time: null, boot_id: bootId() }, bootId());

describe("what survives what", { timeout: 90_000 }, () => {
  it("X4, X7: daemon killed in mid-turn: the host is adopted, its agent never notices, the turn is whole", async () => {
    await node.open();
    await node.connected();
    const command = await node.running();
    const turn = await node.prompt(command, "stream 40 50");
    await node.event(command.session_id, "turn.started");
    const pid = node.agentPid(command.session_id);
    const host = node.host(command.session_id)?.pid;
    await node.killDaemon();
    await node.connected();
    const entry = node.plane.hello?.inventory.entries[0];
    expect(entry).toMatchObject({
      session_id: command.session_id,
      host: { state: "alive", pid: host },
      execution: { execution_id: command.command_id, state: "alive", pid },
    });
    const ended = await node.event(command.session_id, "turn.ended");
    expect(ended.body).toMatchObject({ turn_id: turn, outcome: "done" });
    expect(node.agentPid(command.session_id)).toBe(pid);
    expect(node.starts()).toBe(1);
    const seqs = node.plane.side(command.session_id).events.map((event) => event.seq);
    expect(seqs).toEqual(seqs.map((_, i) => i + 1));
  });

  it("R6, X5: host killed under a living daemon: a new one closes the execution at once, found live", async () => {
    await node.open();
    await node.connected();
    const command = await node.running();
    const host = node.host(command.session_id);
    const agent = node.agentPid(command.session_id);
    process.kill(host?.pid ?? 0, "SIGKILL");
    const ended = await node.event(command.session_id, "execution.ended");
    expect(ended.body).toMatchObject({ end_reason: "interrupted", died: "host", found: "live" });
    await node.until("the agent's death", () => !alive(agent));
    await node.until("the inventory", () => {
      const entry = node.plane.entry(command.session_id);
      return entry?.host.state === "alive" && entry.execution?.state === "dead" && entry.executor.status === "ready";
    });
    expect(node.host(command.session_id)?.pid).not.toBe(host?.pid);
  });

  it("T2, R6: daemon, host and agent killed: the hello says what is known, and a new host closes it, found by scan", async () => {
    await node.open();
    await node.connected();
    const command = await node.running();
    await node.until("all acked", () => node.plane.side(command.session_id).socket === null);
    const host = node.host(command.session_id)?.pid ?? 0;
    const agent = node.agentPid(command.session_id);
    await node.killDaemon();
    process.kill(host, "SIGKILL");
    process.kill(-agent, "SIGKILL");
    await node.until("their deaths", () => !alive(host) && !alive(agent));
    await node.connected();
    expect(node.plane.hello?.inventory.entries[0]).toMatchObject({
      host: { state: "dead" },
      executor: { status: "starting" },
      execution: { execution_id: command.command_id, state: "unknown" },
    });
    const ended = await node.event(command.session_id, "execution.ended");
    expect(ended.body).toMatchObject({ end_reason: "interrupted", died: "host", found: "scan" });
  });

  it("T3: a host that doesn't answer is unknown, never dead, and is taken up again when it does", async () => {
    await node.open({ HOST_DEATH_MS: 100, HOST_HELLO_MS: 300 });
    await node.connected();
    const command = await node.running();
    const host = node.host(command.session_id)?.pid ?? 0;
    await node.killDaemon();
    process.kill(host, "SIGSTOP");
    await node.connected();
    expect(node.plane.hello?.inventory.entries[0]).toMatchObject({ host: { state: "unknown" } });
    process.kill(host, "SIGCONT");
    await node.until("its return", () => node.plane.entry(command.session_id)?.host.state === "alive");
    expect(node.plane.entry(command.session_id)?.execution?.state).toBe("alive");
    expect(node.host(command.session_id)?.pid).toBe(host);
  });

  it("T4: a host that can't start says so with its reason, and its launch is undone", async () => {
    await node.open();
    await node.connected({ REPRISE_HOST_BUNDLE: join(node.folder, "nothing.mjs") });
    const command = node.launch();
    node.plane.command(command);
    const failed = await node.until("command.failed", () => node.plane.ups.find((up) => up.type === "command.failed"));
    expect(failed).toMatchObject({ command_id: command.command_id, failure: { code: "host_start_failed" } });
    await node.until("the executor's error", () => node.plane.entry(command.session_id)?.executor.status === "error");
    expect(node.plane.entry(command.session_id)?.executor).toMatchObject({ failure: { code: "host_start_failed" } });
  });

  it("T5: a teardown that a kill cut short is finished at the next start", async () => {
    await node.open();
    await node.connected({ REPRISE_TEST_CRASH_AT: "after_tombstone" });
    const command = await node.running();
    const teardown = {
      type: "teardown" as const,
      command_id: "cmd_teardown",
      session_id: command.session_id,
      remove_worktree: false,
    };
    node.plane.command(teardown);
    await node.exited();
    const agent = node.agentPid(command.session_id);
    expect(alive(agent)).toBe(true);
    await node.connected();
    await node.until("done", () =>
      node.plane.ups.some((up) => up.type === "command.done" && up.command_id === "cmd_teardown"),
    );
    expect(alive(agent)).toBe(false);
    expect(existsSync(join(node.state, "sessions", command.session_id))).toBe(false);
    expect(node.plane.ups).toContainEqual(expect.objectContaining({ type: "inventory.gone" }));
    // What was removed on purpose is not started again.
    const again = node.launch(command.session_id);
    node.plane.command(again);
    await node.until("a refusal", () =>
      node.plane.ups.some((up) => up.type === "command.failed" && up.failure.code === "claim_revoked"),
    );
    expect(existsSync(join(node.state, "sessions", command.session_id))).toBe(false);
  });
});
