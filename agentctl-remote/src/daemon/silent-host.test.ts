import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bootId, isAlive } from "../host/process.ts";
import type { NodeBench } from "./testing.ts";
import { withNode } from "./testing-node.ts";

let node: NodeBench;
withNode((fresh) => {
  node = fresh;
});

const lives = (pid: number) => isAlive({ pid, start_time: null, boot_id: bootId() }, bootId());
const settled = () => node.plane.ups.filter((up) => up.type === "command.done" || up.type === "command.failed");

describe("a host that is there but silent", { timeout: 90_000 }, () => {
  it.each(["stop", "teardown"] as const)(
    "T3, T5, X6: a %s waits for it, and is carried out when it answers",
    async (type) => {
      await node.open({ HOST_HELLO_MS: 200 });
      await node.connected();
      const { session_id, command_id: execution_id } = await node.running();
      const agent = node.agentPid(session_id);
      const host = node.host(session_id)?.pid;
      if (host === undefined) throw new Error("no host");
      await node.killDaemon();
      process.kill(host, "SIGSTOP");
      try {
        await node.connected();
        expect(node.plane.entry(session_id)?.host.state).toBe("unknown");
        const command = { command_id: "cmd_end", session_id };
        if (type === "stop") node.plane.command({ ...command, type, execution_id, end_reason: "stopped" });
        else node.plane.command({ ...command, type, remove_worktree: false });
        await node.until("its receipt", () => node.plane.ups.some((up) => up.type === "command.received"));
        // Whoever restarts the daemon now loses no order.
        await node.killDaemon();
        await node.connected();
        expect(settled()).toEqual([]);
        expect(lives(agent)).toBe(true);
      } finally {
        process.kill(host, "SIGCONT");
      }
      await node.until("its end", () => settled().at(-1));
      expect(settled().at(-1)).toEqual({ type: "command.done", command_id: "cmd_end" });
      await node.until("the agent's end", () => !lives(agent));
      if (type === "teardown") {
        await node.until("the host's end", () => !lives(host));
        expect(existsSync(join(node.state, "sessions", session_id))).toBe(false);
      } else expect((await node.event(session_id, "execution.ended")).body).toMatchObject({ end_reason: "stopped" });
    },
  );
});
