import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { agentctl } from "../../scripts/run/node.ts";
import { System, scriptedAgent, until } from "../src/index.ts";

describe("machines", () => {
  let system: System;
  beforeAll(async () => {
    system = await System.start();
  });
  afterAll(() => system?.end());

  it("N1, S2: a second machine joins by the one command that the page shows, is greeted, and works; its token works once", async () => {
    const home = system.folder("second-machine");
    const env = { ...process.env, HOME: home, REPRISE_MACHINE_ID: "second-machine", REPRISE_STATE: join(home, "r") };
    const page = await system.person();
    await page.goto(`${system.controlPlane.origin}/machines`);
    await page.getByRole("button", { name: "Join a machine" }).first().click();
    const command = await until(
      () => page.getByRole("dialog").getByRole("code").filter({ hasText: "join.sh" }).textContent(),
      {
        what: "the command to paste",
      },
    );
    expect(command).toContain(`${system.controlPlane.origin}/agentctl/join.sh`);
    try {
      execFileSync("sh", ["-c", command], { env, stdio: "pipe" });
      await page.getByRole("dialog", { name: /has joined$/ }).waitFor();
      const { nodes } = await system.client.nodes.list();
      const second = nodes.find((n) => n.id !== system.node.nodeId);
      expect(second).toMatchObject({ kind: "remote" });
      await until(async () => (await system.client.nodes.get(second?.id ?? "")).presence === "online", {
        what: "the second machine to be online",
      });

      const { profile } = await scriptedAgent(system, "far");
      const made = await system.client.sessions.create({
        node_id: second?.id ?? "",
        agent_profile_id: profile.id,
        cwd: home,
        prompt: "echo from afar",
      });
      const s = await system.untilYourTurn(made.session_id);
      expect(s).toMatchObject({ executor_type: "remote", last_line: "from afar" });

      const again = {
        ...env,
        HOME: system.folder("third"),
        REPRISE_MACHINE_ID: "third",
        REPRISE_STATE: system.folder("third-state"),
      };
      expect(() => execFileSync("sh", ["-c", command], { env: again, stdio: "pipe" })).toThrow(
        /used already or is too old/,
      );
    } finally {
      await agentctl(["down", "--state", env.REPRISE_STATE], env);
      await agentctl(["stop-hosts", "--state", env.REPRISE_STATE], env);
    }
  });

  it("a session in a git worktree of its own disturbs nothing in the repository; deleting it says and does what is lost", async () => {
    const repo = system.folder("repo");
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.email=a@b", "-c", "user.name=a", ...args], { cwd: repo, encoding: "utf8" });
    git("init", "-q", "-b", "main");
    writeFileSync(join(repo, "a.txt"), "a");
    git("add", ".");
    git("commit", "-qm", "a");
    const { profile } = await scriptedAgent(system, "tree");
    const { session_id: id, status } = await system.client.sessions.create({
      node_id: system.node.nodeId,
      agent_profile_id: profile.id,
      cwd: repo,
      worktree: { branch: "feat/tree" },
      prompt: "write b.txt hello",
    });
    await system.untilYourTurn(id);
    const path = status.worktree_path ?? "";
    expect(readFileSync(join(path, "b.txt"), "utf8")).toContain("hello");
    expect(existsSync(join(repo, "b.txt"))).toBe(false);
    expect(git("branch", "--list", "feat/tree")).toContain("feat/tree");

    const pid = await system.agentPid(id);
    await system.client.sessions.remove(id, { remove_worktree: true });
    expect((await system.client.sessions.list({})).sessions.map((s) => s.session_id)).not.toContain(id);
    await expect(system.status(id)).rejects.toMatchObject({ status: 404 });
    await until(() => !existsSync(path) && !existsSync(`/proc/${pid}`), { what: "worktree and agent to be gone" });
    const spool = join(system.state.node, "sessions", id, "spool.db");
    await until(() => !existsSync(spool), { what: "the session's folder to be gone" });
  });
});
