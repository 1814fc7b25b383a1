import { execFileSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hasDocker } from "../../../../scripts/docker/test-docker.ts";
import { type DockerBench, withDocker } from "./testing.ts";

let bench: DockerBench;
withDocker((fresh) => {
  bench = fresh;
});

const ended = async (session: string) => (await bench.node.event(session, "execution.ended")).body;
/** Whole, in order, once. */
function expectWhole(session: string) {
  const seqs = bench.node.plane.side(session).events.map((event) => event.seq);
  expect(seqs).toEqual(seqs.map((_, i) => i + 1));
}
const readyAgain = (session: string) =>
  bench.node.until("the workspace to be ready", () => {
    const { host, executor, execution } = bench.entry(session) ?? {};
    return host?.state === "alive" && executor?.status === "ready" && execution?.state === "dead";
  });

describe.skipIf(!hasDocker())("sessions in a real Docker engine", { timeout: 120_000 }, () => {
  it("X2, X7: the host is a container's main process under an init, with its spool and socket on the machine", async () => {
    await bench.open();
    const { session_id } = await bench.running();
    const commands = (await bench.docker.containers.processes(session_id)).map((one) => one.command);
    expect(commands[0]).toMatch(/init/);
    expect(commands[1]).toMatch(/host\.mjs \/reprise\/session/);
    expect(commands[2]).toMatch(/scripted-agent/);
    const container = await (await bench.docker.containers.of(session_id)).inspect();
    expect(container.Config.Labels).toMatchObject({
      "reprise.session_id": session_id,
      "reprise.node_id": bench.node.plane.node_id,
      "reprise.state_id": bench.node.plane.hello?.state_id,
    });
    expect(bench.entry(session_id)).toMatchObject({
      runtime: "docker",
      // Numbers of a container's own mean nothing outside it.
      host: { state: "alive", pid: null, container_id: container.Id },
      executor: { status: "ready", failure: null },
      execution: { state: "alive", pid: null },
    });
    expect(existsSync(join(bench.node.state, "sessions", session_id, "spool.db"))).toBe(true);
  });

  it("S4: what the daemon goes by when it removes things is not the container's to write", async () => {
    await bench.open();
    const { session_id } = await bench.running();
    const write = (file: string) =>
      bench.docker.containers.exec(session_id, ["sh", "-c", `echo x 2>/dev/null > /reprise/session/${file}; echo $?`]);
    expect(await write("own/tombstone")).not.toMatch(/^0/m);
    expect(await write("own/workspace.json")).not.toMatch(/^0/m);
    expect(await write("elsewhere")).toMatch(/^0/m);
  });

  it("a worktree is one in its container too: git works there, at the same path", async () => {
    await bench.open();
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: bench.node.workspace });
    git("init", "-q", "-b", "main");
    git("commit", "-qm", "first", "--allow-empty");
    const path = join(bench.node.folder, "tree");
    const worktree = { repo: bench.node.workspace, path, branch: "feat/x", base: null };
    const command = bench.node.dockerLaunch(undefined, { workspace: { cwd: path, worktree } });
    bench.node.plane.command(command);
    await bench.node.event(command.session_id, "agent.ready");
    const said = (...args: string[]) => bench.docker.containers.exec(command.session_id, ["git", "-C", path, ...args]);
    expect(await said("status", "--short", "--branch")).toContain("feat/x");
    expect(
      await said("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-m", "inside", "--allow-empty"),
    ).toContain("inside");
    expect(String(git("log", "--oneline", "feat/x"))).toContain("inside");
  });

  it("X4, X7: daemon killed in mid-turn: the container is adopted, its agent never notices, the turn is whole", async () => {
    await bench.open();
    const command = await bench.running();
    const { session_id } = command;
    const turn = await bench.node.prompt(command, "stream 60 50");
    await bench.node.event(session_id, "turn.started");
    const before = await bench.docker.containers.processes(session_id);
    await bench.node.killDaemon();
    await bench.node.connected();
    expect(bench.node.plane.hello?.inventory.entries[0]).toMatchObject({
      host: { state: "alive" },
      execution: { state: "alive" },
    });
    expect((await bench.node.event(session_id, "turn.ended")).body).toMatchObject({ turn_id: turn, outcome: "done" });
    expect(await bench.docker.containers.processes(session_id)).toEqual(before);
    expectWhole(session_id);
  });

  it("X2: a container whose id was lost is found again by its label, and stays the one", async () => {
    await bench.open();
    const { session_id } = await bench.running();
    const { id } = await bench.docker.containers.of(session_id);
    await bench.node.killDaemon();
    rmSync(join(bench.node.state, "sessions", session_id, "own", "container.json"));
    await bench.docker.containers.stop(session_id);
    await bench.node.connected();
    expect(await ended(session_id)).toMatchObject({ died: "machine", found: "scan" });
    await readyAgain(session_id);
    expect(bench.entry(session_id)?.host.container_id).toBe(id);
    expect((await bench.docker.containers.of(session_id)).id).toBe(id);
  });

  it("R6: a host that dies alone under a living daemon is found live; its agent is gone, its workspace ready", async () => {
    await bench.open();
    const { session_id } = await bench.working();
    await bench.docker.containers.killHost(session_id);
    expect(await ended(session_id)).toMatchObject({ end_reason: "interrupted", died: "host", found: "live" });
    await readyAgain(session_id);
    const commands = (await bench.docker.containers.processes(session_id)).map((one) => one.command);
    expect(commands.filter((command) => command.includes("scripted-agent"))).toEqual([]);
    expectWhole(session_id);
  });

  it.each(["stop", "kill"] as const)(
    "X2: a container that somebody ended (docker %s) is started again, and what ran in it ended as by a reboot",
    async (how) => {
      await bench.open();
      const { session_id } = await bench.working();
      const { id } = await bench.docker.containers.of(session_id);
      await bench.docker.containers[how](session_id);
      expect(await ended(session_id)).toMatchObject({
        end_reason: "interrupted",
        died: "machine",
        found: "scan",
        failure: { code: "machine_restarted", message: expect.stringContaining("container") },
      });
      await readyAgain(session_id);
      const again = bench.node.dockerLaunch(session_id, {
        how: { type: "resume", token: tokenOf(session_id), had_turns: true },
      });
      bench.node.plane.command(again);
      await bench.node.event(session_id, "agent.ready", again.command_id);
      expect((await bench.docker.containers.of(session_id)).id).toBe(id);
      expectWhole(session_id);
    },
  );

  it("X2, R4: a container that was removed is missing for good: what it said is carried up, nothing is started afresh", async () => {
    await bench.open();
    const { session_id } = await bench.working();
    await bench.docker.containers.remove(session_id);
    expect(await ended(session_id)).toMatchObject({
      end_reason: "interrupted",
      failure: { code: "container_missing" },
    });
    expectWhole(session_id);
    const missing = { executor: { status: "error", failure: { code: "container_missing" }, retry_at: null } };
    await bench.node.until("the closing host's end", () => bench.entry(session_id)?.host.state === "none");
    expect(bench.entry(session_id)).toMatchObject({ ...missing, execution: { state: "dead" } });
    bench.node.plane.command(bench.node.dockerLaunch(session_id));
    await bench.node.until("a refusal", () => bench.failures().at(-1));
    expect(bench.failures().at(-1)).toMatchObject({ failure: { code: "container_missing" } });
    expect(await bench.docker.containers.list(session_id)).toEqual([]);
    await bench.node.killDaemon();
    await bench.node.connected();
    expect(bench.node.plane.hello?.inventory.entries[0]).toMatchObject(missing);
    bench.node.plane.command({ type: "teardown", command_id: "cmd_end", session_id, remove_worktree: false });
    await bench.done("cmd_end");
    expect(existsSync(join(bench.node.state, "sessions", session_id))).toBe(false);
  });

  it("X2, R4: also where its id was never noted: what ran in it says that there was one", async () => {
    await bench.open();
    const { session_id } = await bench.running();
    await bench.node.killDaemon();
    rmSync(join(bench.node.state, "sessions", session_id, "own", "container.json"));
    await bench.docker.containers.remove(session_id);
    await bench.node.connected();
    expect(await ended(session_id)).toMatchObject({ failure: { code: "container_missing" } });
    expect(await bench.docker.containers.list(session_id)).toEqual([]);
  });

  it("T3: a container that is paused is unknown, never dead, and is taken up again", async () => {
    await bench.open({ HOST_DEATH_MS: 100, HOST_HELLO_MS: 300 });
    const { session_id } = await bench.running();
    await bench.node.killDaemon();
    await bench.docker.containers.pause(session_id);
    await bench.node.connected();
    expect(bench.node.plane.hello?.inventory.entries[0]).toMatchObject({ host: { state: "unknown" } });
    await bench.docker.containers.unpause(session_id);
    await bench.node.until("its return", () => bench.entry(session_id)?.host.state === "alive");
    expect(bench.entry(session_id)?.execution?.state).toBe("alive");
  });

  it("X2: a folder that is gone ends what ran in its container with its reason, and the container stays as it is", async () => {
    await bench.open();
    const { session_id } = await bench.working();
    await bench.node.killDaemon();
    await bench.docker.containers.stop(session_id);
    rmSync(bench.node.workspace, { recursive: true });
    await bench.node.connected();
    expect(await ended(session_id)).toMatchObject({ failure: { code: "workspace_missing" } });
    await bench.node.until(
      "the executor's error",
      () => bench.entry(session_id)?.executor.failure?.code === "workspace_missing",
    );
    expect(bench.entry(session_id)).toMatchObject({ executor: { status: "error" }, execution: { state: "dead" } });
    expect(await bench.docker.containers.list(session_id)).toMatchObject([{ status: "exited" }]);
  });

  it("X6, T5: a teardown ends the agent and removes the container", async () => {
    await bench.open();
    const { session_id } = await bench.running();
    bench.node.plane.command({ type: "teardown", command_id: "cmd_end", session_id, remove_worktree: false });
    await bench.done("cmd_end");
    expect(await bench.docker.containers.list(session_id)).toEqual([]);
    expect(existsSync(join(bench.node.state, "sessions", session_id))).toBe(false);
  });

  it("stop-hosts ends what runs in containers, in order, and never a process of the machine that has its number", async () => {
    await bench.open();
    const { session_id } = await bench.running();
    await bench.node.killDaemon();
    const { code, text } = await bench.node.cli("stop-hosts");
    expect(text).toContain(`${session_id} (in its container): ended`);
    expect(code).toBe(0);
    // Its init ends a moment after it.
    await (await bench.docker.containers.of(session_id)).wait();
  });

  it("T4: an image that isn't there is named, also before anybody asks for a session", async () => {
    await bench.open({}, "nobody/made-this:1");
    const told = () => [
      ...bench.node.plane.hellos.map((hello) => hello.runtimes),
      ...bench.node.plane.ups.flatMap((up) => (up.type === "runtimes.changed" ? [up.runtimes] : [])),
    ];
    await bench.node.until("the machine's word", () => told().at(-1)?.[1]?.status === "unavailable");
    expect((await bench.node.cli("doctor")).text).toContain(
      "missing  The image nobody/made-this:1 isn't on this machine.",
    );
    bench.node.plane.command(bench.node.dockerLaunch());
    const failed = await bench.node.until("a refusal", () => bench.failures().at(-1));
    expect(failed).toMatchObject({
      failure: { code: "host_start_failed", message: expect.stringContaining("nobody/made-this:1") },
    });
  });

  it("S4: a machine whose owner does not allow Docker refuses", async () => {
    await bench.node.open();
    await bench.node.connected();
    expect(bench.node.plane.hello?.runtimes).toEqual([{ runtime: "standalone", status: "ready", reason: null }]);
    bench.node.plane.command(bench.node.dockerLaunch());
    expect(await bench.node.until("a refusal", () => bench.failures().at(-1))).toMatchObject({
      failure: { code: "runtime_unavailable", message: expect.stringContaining("config.json") },
    });
  });
});

function tokenOf(session: string): string {
  const ready = bench.node.plane
    .side(session)
    .events.flatMap(({ body }) => (body.type === "agent.ready" ? [body] : []));
  return ready.at(-1)?.token ?? "";
}
