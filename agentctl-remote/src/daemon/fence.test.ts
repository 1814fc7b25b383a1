import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sessionPaths } from "../host/paths.ts";
import type { NodeBench } from "./testing.ts";
import { withNode } from "./testing-node.ts";

let node: NodeBench;
withNode((fresh) => {
  node = fresh;
});

/** Live hosts of a session, by what they were started with. */
function hosts(session: string): string[] {
  const dir = sessionPaths(join(node.state, "sessions", session)).dir;
  const all = execFileSync("ps", ["-A", "-o", "pid=,stat=,args="], { encoding: "utf8" }).split("\n");
  return all.filter((line) => line.includes("host.mjs") && line.includes(dir) && !/^\s*\d+\s+Z/.test(line));
}

describe("launch fence", { timeout: 90_000 }, () => {
  it.each(["after_received", "before_spawn", "after_spawn", "before_handed", "after_handed"])(
    "R3: daemon killed at %s: one host, one agent, and the session runs",
    async (point) => {
      await node.open();
      const child = node.up({ REPRISE_TEST_CRASH_AT: point });
      await node.until("a hello", () => node.plane.hello);
      const command = node.launch();
      node.plane.command(command);
      await node.exited(child);
      // Delivered again, as an unconfirmed command is.
      if (!node.plane.waiting.some((one) => one.command === command))
        node.plane.waiting.push({ seq: node.plane.seq, command });
      await node.connected();
      await node.event(command.session_id, "agent.ready");
      node.plane.down({ type: "command", numbered: { seq: node.plane.seq, command } });
      await node.prompt(command, "echo alive");
      await node.event(command.session_id, "turn.ended");
      await node.until("one host", () => hosts(command.session_id).length === 1);
      expect(node.starts()).toBe(1);
    },
  );

  it("R3: a launch delivered three times is one agent; its number counts once it began", async () => {
    await node.open();
    await node.connected();
    const command = node.launch();
    node.plane.command(command);
    const again = { type: "command" as const, numbered: { seq: 1, command } };
    node.plane.down(again);
    await node.event(command.session_id, "agent.ready");
    node.plane.down(again);
    await node.until(
      "three receipts",
      () => node.plane.ups.filter((up) => up.type === "command.received").length === 3,
    );
    expect(node.starts()).toBe(1);
    await node.until("its number", () =>
      node.plane.ups.some((up) => up.type === "inventory.changed" && up.last_command_seq === 1),
    );
  });

  it("R3: without a permit no agent starts, also not after the host or the daemon was killed; granted later, one does", async () => {
    await node.open();
    node.plane.grant = "none";
    await node.connected();
    const command = node.launch();
    node.plane.command(command);
    const asked = () =>
      node.plane.side(command.session_id).frames.filter((frame) => frame.type === "permit.request").length;
    await node.until("a permit's request", () => asked() === 1);
    process.kill(node.host(command.session_id)?.pid ?? 0, "SIGKILL");
    await node.until("a second request", () => asked() >= 2);
    await node.killDaemon();
    const before = asked();
    await node.connected();
    await node.until("a third request", () => asked() > before);
    expect(node.plane.hello?.inventory.last_command_seq).toBe(0);
    expect(node.starts()).toBe(0);
    node.plane.grant = "all";
    node.plane.tell(command.session_id, { type: "permit.granted", execution_id: command.command_id });
    await node.event(command.session_id, "agent.ready");
    expect(node.starts()).toBe(1);
  });

  it("R3: a refused permit ends the launch; nothing asks again, and the socket closes", async () => {
    await node.open();
    node.plane.grant = "refuse";
    await node.connected();
    const command = node.launch();
    node.plane.command(command);
    const side = node.plane.side(command.session_id);
    await node.until("the socket's end", () => side.closes > 0 && side.socket === null);
    await node.killDaemon();
    await node.connected();
    expect(side.frames.filter((frame) => frame.type === "permit.request")).toHaveLength(1);
    expect(node.plane.hello?.inventory.last_command_seq).toBe(1);
    expect(node.starts()).toBe(0);
  });

  it("R3: a newer launch of the session makes an older one void that never began, also after a restart", async () => {
    await node.open();
    node.plane.grant = "none";
    await node.connected();
    const older = node.launch();
    const newer = node.launch(older.session_id);
    const { session_id } = older;
    const asked = (id: string) =>
      node.plane.side(session_id).frames.some((f) => f.type === "permit.request" && f.execution_id === id);
    node.plane.command(older);
    await node.until("the older's request", () => asked(older.command_id));
    node.plane.command(newer);
    await node.until("the newer's request", () => asked(newer.command_id));
    await node.killDaemon();
    node.plane.grant = "all";
    await node.connected();
    await node.event(session_id, "agent.ready", newer.command_id);
    await node.until("their numbers", () =>
      node.plane.ups.some((up) => up.type === "inventory.changed" && up.last_command_seq === 2),
    );
    expect(node.starts()).toBe(1);
  });

  it("R3: a stop that arrives before the permit takes the launch back", async () => {
    await node.open();
    node.plane.grant = "none";
    await node.connected();
    const command = node.launch();
    const { session_id, command_id: execution_id } = command;
    node.plane.command(command);
    await node.until("a permit's request", () =>
      node.plane.side(session_id).frames.some((f) => f.type === "permit.request"),
    );
    node.plane.command({ type: "stop", command_id: "cmd_stop", session_id, execution_id, end_reason: "stopped" });
    await node.until("done", () =>
      node.plane.ups.some((up) => up.type === "command.done" && up.command_id === "cmd_stop"),
    );
    // The permit may have been given already: without a word of it, the session would wait for this start for ever.
    await node.until("the start's end", () =>
      node.plane.ups.some(
        (up) => up.type === "command.failed" && up.command_id === execution_id && up.failure.code === "claim_revoked",
      ),
    );
    node.plane.tell(session_id, { type: "permit.granted", execution_id });
    await node.until("the socket's end", () => node.plane.side(session_id).socket === null);
    expect(node.starts()).toBe(0);
  });
});
