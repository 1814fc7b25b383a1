import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DaemonStatus } from "../daemon/door.ts";
import type { NodeBench } from "../daemon/testing.ts";
import { withNode } from "../daemon/testing-node.ts";
import { bootId, isAlive, startTimeOf } from "../host/process.ts";
import { servicePlan } from "./service.ts";

let node: NodeBench;
withNode((fresh) => {
  node = fresh;
});

const alive = (pid: number) => isAlive({ pid, start_time: null, boot_id: bootId() }, bootId());

describe("agentctl", { timeout: 90_000 }, () => {
  it("S2: join keeps the credential for its user alone; without a join nothing starts", async () => {
    expect(await node.cli("up")).toMatchObject({ code: 3, text: expect.stringContaining("agentctl join URL TOKEN") });
    expect(await node.cli("status")).toMatchObject({ code: 3 });
    expect(await node.cli("join", "nonsense", "t")).toMatchObject({ code: 2 });
    expect(await node.cli("join", "http://127.0.0.1:9", "t")).toMatchObject({ code: 1 });
    await node.open();
    const file = join(node.state, "identity.json");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ joined: { name: "testbox" }, nonce: null });
    expect(await node.cli("status")).toMatchObject({ code: 4, text: expect.stringContaining("agentctl up") });
    writeFileSync(file, "{");
    expect(await node.cli("status")).toMatchObject({ code: 1, text: expect.stringContaining("--replace") });
  });

  it("N6: one daemon a state folder: up in the background, a second one refused, a stale lock taken over, down", async () => {
    await node.open();
    const stale = { pid: process.pid, start_time: "1", boot_id: bootId() };
    writeFileSync(join(node.state, "daemon.lock"), JSON.stringify(stale));
    const up = await node.cli("up");
    expect(up).toMatchObject({ code: 0, text: expect.stringContaining("Connected to") });
    expect((await node.cli("up")).code).toBe(4);
    const { pid } = DaemonStatus.parse(JSON.parse((await node.cli("status", "--json")).text));
    const held = JSON.parse(readFileSync(join(node.state, "daemon.lock"), "utf8"));
    expect(held).toMatchObject({ pid, start_time: startTimeOf(pid) });
    // Even without the file the journal's lock lets no second one in.
    rmSync(join(node.state, "daemon.lock"));
    const second = node.up();
    await node.exited(second);
    expect(second.exitCode).toBe(4);
    writeFileSync(join(node.state, "daemon.lock"), JSON.stringify(held));
    expect(await node.cli("down")).toMatchObject({ code: 0 });
    expect(alive(pid)).toBe(false);
    expect((await node.cli("down")).code).toBe(4);
  });

  it("X6: down leaves hosts and agents; stop-hosts ends them in order and says which", async () => {
    await node.open();
    await node.connected();
    const command = await node.running();
    const host = node.host(command.session_id)?.pid ?? 0;
    const agent = node.agentPid(command.session_id);
    expect(await node.cli("stop-hosts")).toMatchObject({ code: 4 });
    expect((await node.cli("status")).text).toContain(`${command.session_id}  host alive, agent waiting`);
    expect((await node.cli("down")).text).toContain("1 session host(s) go on");
    expect(alive(host) && alive(agent)).toBe(true);
    expect(await node.cli("stop-hosts")).toMatchObject({
      code: 0,
      text: expect.stringMatching(new RegExp(`${command.session_id} .*: ended`)),
    });
    expect(alive(host) || alive(agent)).toBe(false);
    expect(await node.cli("stop-hosts")).toMatchObject({ code: 0, text: expect.stringContaining("No host runs") });
    // What was said at the end is carried up by the next daemon.
    await node.connected();
    await node.event(command.session_id, "execution.ended");
  });

  it("T4: doctor says what is missing and how to get it", async () => {
    await node.open();
    const { code, text } = await node.cli("doctor");
    expect(code).toBe(7);
    expect(text).toContain("No daemon runs. Start it with: agentctl up");
    expect(text).toContain("npm install -g opencode-ai");
  });

  it("platform: the service file kills the daemon alone, and is written where the system looks", async () => {
    await node.open();
    const { code, text } = await node.cli("service", "install");
    expect(code).toBe(0);
    const path = join(node.folder, ".config/systemd/user/agentctl.service");
    expect(existsSync(path)).toBe(true);
    expect(text).toContain(path);
    expect(readFileSync(path, "utf8")).toContain("KillMode=process");
    mkdirSync(join(node.folder, "x"), { recursive: true });
    const odd = { node: "/n", script: "/s p/a.mjs", state: "/100% $HOME", path: "/bin" };
    expect(servicePlan("linux", "/h", odd)?.text).toContain(
      '"/s p/a.mjs" "up" "--foreground" "--state" "/100%% $$HOME"',
    );
    expect(servicePlan("darwin", "/h", { ...odd, state: "/a&b" })?.text).toContain("<string>/a&amp;b</string>");
    expect(servicePlan("win32", "/h", odd)).toBeNull();
  });
});
