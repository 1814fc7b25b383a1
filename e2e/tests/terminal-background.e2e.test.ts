import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findByEnv, System, shows, until } from "../src/index.ts";

const SESSIONS = 17;

describe("terminal agents that nobody looks at", () => {
  let system: System;
  let profile: string;

  beforeAll(async () => {
    system = await System.start({ nodeEnv: { SHELL: "/bin/bash" } });
    const script = join(system.folder("bin"), "agent.sh");
    writeFileSync(
      script,
      'printf "\\033]0;Talks back\\007"\necho "it runs"\nwhile read -r line; do echo "heard:$line:"; done\n',
    );
    const made = await system.client.profiles.create({
      name: "Talks back",
      agent_kind: "custom:talks-back",
      agent_name: "Talks back",
      driver: "terminal",
      command: "/bin/sh",
      args: [script],
      env: {},
      prompt_transport: "stdin",
      auto_resume: "interrupted",
    });
    profile = made.id;
  });
  afterAll(() => system?.end());

  const agentOf = (execution: string) => findByEnv("REPRISE_EXECUTION_ID", execution).map(({ pid }) => pid);

  it("T1, T2, C04: 17 of them through a restart of control plane and daemon: list and count right at once, pids untouched, nothing changed by asking", async () => {
    const cwd = system.folder("w");
    const ids: string[] = [];
    for (let n = 0; n < SESSIONS; n++) {
      const { session_id } = await system.client.sessions.create({
        node_id: system.node.nodeId,
        agent_profile_id: profile,
        cwd,
      });
      ids.push(session_id);
    }
    const before = new Map<string, { execution: string; pids: number[] }>();
    for (const id of ids) {
      const { agent_execution_id } = await system.untilStatus(id, "ready", (s) => s.state === "WAITING_FOR_INPUT");
      const execution = agent_execution_id ?? "";
      const pids = await until(() => (agentOf(execution).length > 0 ? agentOf(execution) : false), {
        what: "its process",
      });
      before.set(id, { execution, pids });
    }

    await Promise.all([system.node.kill9(), system.controlPlane.kill9()]);
    await system.startControlPlane();
    await system.startNode({}, false);
    const { sessions } = await system.client.sessions.list({});
    const { count } = await system.client.sessions.count({});
    const rows = ids.map((id) => sessions.find((row) => row.session_id === id));
    expect(rows.map((row) => row && { attached: row.attached, title: row.title, state: row.state })).toEqual(
      ids.map(() => ({ attached: false, title: "Talks back", state: "WAITING_FOR_INPUT" })),
    );
    expect(count).toBe(SESSIONS);
    const exclude = ids.slice(0, 2).join(",");
    expect((await system.client.sessions.count({ exclude })).count).toBe(SESSIONS - 2);
    expect((await system.client.sessions.list({ exclude })).sessions).toHaveLength(SESSIONS - 2);
    await system.nodeOnline();
    for (const [id, { execution, pids }] of before) {
      expect(agentOf(execution), id).toEqual(pids);
      await system.untilStatus(id, "running", (s) => s.is_agent_running && s.agent_execution_id === execution);
    }
    const versions = async () => (await system.client.sessions.list({})).sessions.map(({ version }) => version);
    const first = await versions();
    await system.client.sessions.count({});
    expect(await versions()).toEqual(first);
  });

  it("B1: what is typed where nobody looks arrives; opening the session attaches its terminal by itself", async () => {
    const { session_id: id } = await system.client.sessions.create({
      node_id: system.node.nodeId,
      agent_profile_id: profile,
      cwd: system.folder("w"),
    });
    await system.untilStatus(id, "ready", (s) => s.state === "WAITING_FOR_INPUT");
    await system.client.sessions.typeInto(id, "agent", { text: "from-afar\r" });
    expect((await system.status(id)).attached).toBe(false);
    const page = await system.person();
    await system.open(page, id);
    await shows(page, "heard:from-afar:");
    await system.untilStatus(id, "attached", (s) => s.attached);
  });
});
