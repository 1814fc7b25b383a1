import { copyFileSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bootId, isAlive } from "../host/process.ts";
import type { NodeBench } from "./testing.ts";
import { withNode } from "./testing-node.ts";

let node: NodeBench;
withNode((fresh) => {
  node = fresh;
});

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

  it.each(["SIGCONT", "SIGKILL"] as const)(
    "R3, T3: a launch whose host is silent after a daemon's restart stays open, and goes on after %s",
    async (signal) => {
      await node.open({ HOST_DEATH_MS: 100, HOST_HELLO_MS: 300 });
      await node.connected();
      node.plane.grant = "none";
      const command = node.launch();
      node.plane.command(command);
      const side = node.plane.side(command.session_id);
      await node.until("the wish for a permit", () => side.frames.some((frame) => frame.type === "permit.request"));
      const host = node.host(command.session_id)?.pid ?? 0;
      await node.killDaemon();
      process.kill(host, "SIGSTOP");
      await node.connected();
      const failures = () => node.plane.ups.filter((up) => up.type === "command.failed");
      await node.until("its wait", () => node.output.includes("host doesn't answer") || failures().length > 0);
      expect(failures()).toEqual([]);
      expect(node.plane.entry(command.session_id)).toMatchObject({ host: { state: "unknown" } });
      node.plane.grant = "all";
      process.kill(host, signal);
      await node.event(command.session_id, "agent.ready");
      expect(failures()).toEqual([]);
      expect(node.starts()).toBe(1);
    },
  );

  it("T5, X6: a teardown that failed is told with its next try, and repeated without a restart", async () => {
    await node.open({ TEARDOWN_RETRY_MS: 200 });
    const bundle = join(node.folder, "later.mjs");
    copyFileSync(join(node.programs.folder, "host.mjs"), bundle);
    await node.connected({ REPRISE_HOST_BUNDLE: bundle });
    const { session_id } = await node.running();
    const agent = node.agentPid(session_id);
    rmSync(bundle);
    process.kill(node.host(session_id)?.pid ?? 0, "SIGKILL");
    node.plane.command({ type: "teardown", command_id: "cmd_end", session_id, remove_worktree: false });
    const failures = () => node.plane.ups.flatMap((up) => (up.type === "command.failed" ? [up] : []));
    await node.until("a second failure", () => failures().length > 1);
    expect(failures()[0]).toMatchObject({ command_id: "cmd_end", retry_at: expect.any(Number) });
    expect(existsSync(join(node.state, "sessions", session_id))).toBe(true);
    copyFileSync(join(node.programs.folder, "host.mjs"), bundle);
    await node.until("done", () =>
      node.plane.ups.some((up) => up.type === "command.done" && up.command_id === "cmd_end"),
    );
    expect(alive(agent)).toBe(false);
    expect(existsSync(join(node.state, "sessions", session_id))).toBe(false);
  });

  it("K1, X5: a host that a want needs is tried again after a failed start", async () => {
    await node.open();
    const bundle = join(node.folder, "later.mjs");
    await node.connected({ REPRISE_HOST_BUNDLE: bundle });
    const command = node.launch();
    const { session_id } = command;
    node.plane.command(command);
    await node.until("command.failed", () => node.plane.ups.some((up) => up.type === "command.failed"));
    node.plane.setWants([{ session_id, reasons: ["fetch"], expires_at: Date.now() + 600_000 }]);
    await node.until("a second failure", () => node.output.split("host did not start").length > 2);
    copyFileSync(join(node.programs.folder, "host.mjs"), bundle);
    await node.until("a host", () => node.plane.entry(session_id)?.host.state === "alive");
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
