import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { NodeRequest } from "@reprise/protocol";
import { describe, expect, it } from "vitest";
import { bootId, isAlive } from "../host/process.ts";
import { id, type NodeBench } from "./testing.ts";
import { withNode } from "./testing-node.ts";

let node: NodeBench;
withNode((fresh) => {
  node = fresh;
});

const failureOf = (command_id: string) =>
  node.until(`command.failed of ${command_id}`, () =>
    node.plane.ups
      .flatMap((up) => (up.type === "command.failed" && up.command_id === command_id ? [up.failure] : []))
      .at(0),
  );
const done = (command_id: string) =>
  node.until(`command.done of ${command_id}`, () =>
    node.plane.ups.some((up) => up.type === "command.done" && up.command_id === command_id),
  );

/** A repository of one commit. */
function repository() {
  const repo = join(node.folder, "repo");
  mkdirSync(repo);
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], { cwd: repo, stdio: "pipe" });
  git("init", "-q", "-b", "main");
  git("commit", "-q", "--allow-empty", "-m", "one");
  return { repo, git };
}

async function ask(request: NodeRequest) {
  const request_id = id("command");
  node.plane.down({ type: "request", request_id, request });
  const up = await node.until(`an answer to ${request.op}`, () =>
    node.plane.ups.flatMap((one) => (one.type === "answer" && one.request_id === request_id ? [one.result] : [])).at(0),
  );
  return up;
}

describe("commands and questions", { timeout: 90_000 }, () => {
  it("C02, T4: what can't be launched says why, at once, and leaves no agent", async () => {
    await node.open();
    writeFileSync(join(node.state, "config.json"), JSON.stringify({ roots: [node.folder] }));
    await node.connected();
    const missing = node.launch(undefined, { workspace: { cwd: join(node.folder, "gone"), worktree: null } });
    const outside = node.launch(undefined, { workspace: { cwd: "/usr", worktree: null } });
    const docker = node.launch(undefined, { runtime: "docker" });
    for (const command of [missing, outside, docker]) node.plane.command(command);
    expect(await failureOf(missing.command_id)).toMatchObject({ code: "workspace_missing" });
    expect(await failureOf(outside.command_id)).toMatchObject({ code: "path_not_allowed" });
    expect(await failureOf(docker.command_id)).toMatchObject({ code: "runtime_unavailable" });
    // Delivered again, the answer is the same, and nothing is tried twice.
    node.plane.down({ type: "command", numbered: { seq: 1, command: missing } });
    await node.until("the same answer", () => node.plane.ups.filter((up) => up.type === "command.failed").length === 4);
    expect(node.starts()).toBe(0);
  });

  it("T5: stop ends the agent and is confirmed; teardown removes host, worktree and folder", async () => {
    await node.open();
    await node.connected();
    const { repo } = repository();
    const path = join(node.folder, "tree");
    const worktree = { repo, path, branch: "job", base: "main" };
    const command = node.launch(undefined, { workspace: { cwd: path, worktree } });
    const { session_id, command_id: execution_id } = command;
    node.plane.command(command);
    await node.event(session_id, "agent.ready");
    expect(existsSync(path)).toBe(true);
    const agent = node.agentPid(session_id);
    node.plane.command({ type: "stop", command_id: "cmd_stop", session_id, execution_id, end_reason: "completed" });
    await done("cmd_stop");
    const ended = await node.event(session_id, "execution.ended");
    expect(ended.body).toMatchObject({ end_reason: "completed" });
    expect(isAlive({ pid: agent, start_time: null, boot_id: bootId() }, bootId())).toBe(false);
    node.plane.command({ type: "teardown", command_id: "cmd_tear", session_id, remove_worktree: true });
    await done("cmd_tear");
    expect(existsSync(path)).toBe(false);
    expect(existsSync(join(node.state, "sessions", session_id))).toBe(false);
    expect(node.plane.entry(session_id)).toBeNull();
    // A teardown of what was never here is done, too.
    node.plane.command({ type: "teardown", command_id: "cmd_none", session_id: id("session"), remove_worktree: false });
    await done("cmd_none");
  });

  it("T3, R3: a stop of what no host here knows ends whatever carries its mark: it was launched from a folder that is lost", async () => {
    await node.open();
    await node.connected();
    const [session_id, execution_id] = [id("session"), id("execution")];
    const env = { ...process.env, REPRISE_EXECUTION_ID: execution_id };
    const left = spawn("sleep", ["600"], { detached: true, stdio: "ignore", env });
    const ended = new Promise((resolve) => left.once("exit", resolve));
    node.plane.command({ type: "stop", command_id: "cmd_stop", session_id, execution_id, end_reason: "stopped" });
    await done("cmd_stop");
    await ended;
    expect(left.signalCode).toBe("SIGTERM");
  });

  it("T4, T5: a worktree that can't be removed is told with its reason; the session's host ends all the same", async () => {
    await node.open();
    await node.connected();
    const { repo, git } = repository();
    const path = join(node.folder, "tree");
    const worktree = { repo, path, branch: "job", base: "main" };
    const command = node.launch(undefined, { workspace: { cwd: path, worktree } });
    const { session_id } = command;
    node.plane.command(command);
    await node.event(session_id, "agent.ready");
    const agent = node.agentPid(session_id);
    git("worktree", "lock", path);
    node.plane.command({ type: "teardown", command_id: "cmd_tear", session_id, remove_worktree: true });
    expect(await failureOf("cmd_tear")).toMatchObject({
      code: "worktree_failed",
      message: expect.stringContaining("unlock"),
    });
    expect(isAlive({ pid: agent, start_time: null, boot_id: bootId() }, bootId())).toBe(false);
    expect(existsSync(join(node.state, "sessions", session_id))).toBe(false);
    expect(node.plane.entry(session_id)).toBeNull();
    const line = node.output.split("\n").find((one) => one.includes("worktree_failed")) ?? "";
    expect(line).toContain("cmd_tear");
    expect(line).toContain(session_id);
  });

  it("X3: ensure_host makes a workspace-only host, listed as ready", async () => {
    await node.open();
    await node.connected();
    const session_id = id("session");
    node.plane.command({
      type: "ensure_host",
      command_id: "cmd_host",
      session_id,
      workspace: { cwd: node.workspace, worktree: null },
      runtime: "standalone",
    });
    await done("cmd_host");
    await node.until("the inventory", () => node.plane.entry(session_id)?.host.state === "alive");
    expect(node.plane.entry(session_id)).toMatchObject({ executor: { status: "ready" }, execution: null });
  });

  it("N1, R1: questions are answered; agents are found at once and probed behind the hello", async () => {
    await node.open();
    const agent = { ...node.launch().spec, agent_kind: "custom:mine", agent_name: "Mine" };
    writeFileSync(join(node.state, "config.json"), JSON.stringify({ agents: [agent] }));
    await node.connected();
    const mine = (list: { agent_kind: string; status: string }[] = []) =>
      list.find((one) => one.agent_kind === "custom:mine");
    expect(mine(node.plane.hello?.agents)).toMatchObject({ status: "unprobed" });
    await node.until("the probe", () =>
      node.plane.ups.some((up) => up.type === "agents.changed" && mine(up.agents)?.status === "ready"),
    );
    expect(await ask({ op: "complete_path", prefix: `${node.folder}/w` })).toMatchObject({
      answer: { folders: [node.workspace] },
    });
    expect(await ask({ op: "inspect_path", path: node.workspace })).toMatchObject({
      answer: { exists: true, allowed: true, git: null },
    });
    expect(await ask({ op: "probe_agent", spec: { ...agent, command: "no-such-agent" } })).toMatchObject({
      answer: { agent: { status: "missing", hint: expect.stringContaining("PATH") } },
    });
    const crashing = { ...agent, args: [...agent.args, "--exit-on-start", "3"] };
    expect(await ask({ op: "probe_agent", spec: crashing })).toMatchObject({
      answer: { agent: { status: "failed", hint: expect.stringContaining("status 3") } },
    });
    expect(await ask({ op: "rescan_agents" })).toMatchObject({ ok: true });
  });
});
