import { describe, expect, it } from "vitest";
import { hasDocker } from "../../../../scripts/docker/test-docker.ts";
import { type DockerBench, withDocker } from "./testing.ts";

let bench: DockerBench;
withDocker((fresh) => {
  bench = fresh;
});

const AWAY = { status: "error", failure: { code: "runtime_unavailable" }, retry_at: expect.any(Number) };
const away = (session: string) =>
  bench.node.until("the engine's absence", () => {
    const { executor } = bench.entry(session) ?? {};
    return executor?.failure?.code === "runtime_unavailable" && executor.retry_at !== null;
  });
/** An answer is told at once, the inventory a little later: many changes go as one. */
const quiet = (session: string) =>
  bench.node.until("no next try", () => bench.entry(session)?.executor.retry_at === null);
const ask = (command_id: string, session_id: string) => ({
  type: "ensure_host" as const,
  command_id,
  session_id,
  workspace: { cwd: bench.node.workspace, worktree: null },
  runtime: "docker" as const,
});

describe.skipIf(!hasDocker())("an engine that goes and comes back", { timeout: 120_000 }, () => {
  it("X2, T3, T4: meanwhile nothing is known dead and the next try is said; then it goes on by itself, as after a reboot", async () => {
    await bench.open();
    const { session_id, command_id } = await bench.working();
    await bench.docker.stopEngine();
    await away(session_id);
    expect(bench.entry(session_id)).toMatchObject({
      host: { state: "unknown" },
      executor: AWAY,
      execution: { execution_id: command_id, state: "unknown" },
    });
    await bench.node.until("the machine's word", () =>
      bench.node.plane.ups.some((up) => up.type === "runtimes.changed" && up.runtimes[1]?.status === "unavailable"),
    );
    const first = bench.entry(session_id)?.executor.retry_at ?? 0;
    await bench.node.until("a later try", () => (bench.entry(session_id)?.executor.retry_at ?? 0) > first + 1_500);
    await bench.docker.startEngine();
    const ended = await bench.node.event(session_id, "execution.ended");
    expect(ended.body).toMatchObject({ end_reason: "interrupted", died: "machine", found: "scan" });
    await bench.node.until("the workspace", () => bench.entry(session_id)?.executor.status === "ready");
    expect(bench.entry(session_id)).toMatchObject({
      host: { state: "alive" },
      executor: { failure: null, retry_at: null },
    });
    await bench.node.until("the machine's word", () => {
      const told = bench.node.plane.ups.flatMap((up) => (up.type === "runtimes.changed" ? [up.runtimes] : []));
      return told.at(-1)?.every((one) => one.status === "ready");
    });
  });

  it("T4: Cancel ends the tries, Try now asks at once, in vain or not", async () => {
    await bench.open();
    const { session_id } = await bench.running();
    await bench.docker.stopEngine();
    await away(session_id);
    bench.node.plane.command({ type: "stop_trying", command_id: "cmd_cancel", session_id });
    await bench.done("cmd_cancel");
    await quiet(session_id);
    expect(bench.entry(session_id)?.executor).toMatchObject({
      status: "error",
      failure: { code: "runtime_unavailable" },
    });
    bench.node.plane.command(ask("cmd_vain", session_id));
    const vain = await bench.node.until("an answer", () => bench.failures().at(-1));
    expect(vain).toMatchObject({ command_id: "cmd_vain", failure: { code: "runtime_unavailable" } });
    await away(session_id);
    bench.node.plane.command({ type: "stop_trying", command_id: "cmd_again", session_id });
    await bench.done("cmd_again");
    await quiet(session_id);
    await bench.docker.startEngine();
    // Nobody asks by itself any more.
    expect(bench.entry(session_id)?.executor).toMatchObject({ status: "error", retry_at: null });
    bench.node.plane.command(ask("cmd_now", session_id));
    await bench.done("cmd_now");
    expect((await bench.node.event(session_id, "execution.ended")).body).toMatchObject({ died: "machine" });
    await bench.node.until("the workspace", () => bench.entry(session_id)?.executor.status === "ready");
  });

  it("T4: a person's start meanwhile fails at once with the reason, an automatic one waits", async () => {
    await bench.open();
    const other = await bench.running();
    await bench.docker.stopEngine();
    await away(other.session_id);
    const mine = bench.node.dockerLaunch();
    bench.node.plane.command(mine);
    expect(await bench.node.until("a refusal", () => bench.failures().at(-1))).toMatchObject({
      command_id: mine.command_id,
      failure: { code: "runtime_unavailable" },
    });
    await bench.docker.startEngine();
    await bench.node.event(other.session_id, "execution.ended");
    const again = bench.node.dockerLaunch(mine.session_id);
    bench.node.plane.command(again);
    await bench.node.event(again.session_id, "agent.ready", again.command_id);
  });

  it("X2: found away at the daemon's start: nothing is called dead, a teardown waits for it and then removes all", async () => {
    await bench.open();
    const { session_id } = await bench.running();
    await bench.node.killDaemon();
    await bench.docker.stopEngine();
    await bench.node.connected();
    expect(bench.node.plane.hello?.inventory.entries[0]).toMatchObject({
      host: { state: "unknown" },
      executor: AWAY,
      execution: { state: "unknown" },
    });
    bench.node.plane.command({ type: "teardown", command_id: "cmd_end", session_id, remove_worktree: false });
    await bench.node.until("its receipt", () => bench.node.plane.ups.some((up) => up.type === "command.received"));
    expect(bench.failures()).toEqual([]);
    await bench.docker.startEngine();
    await bench.done("cmd_end");
    expect(await bench.docker.containers.list(session_id)).toEqual([]);
  });
});
