import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { AGENT } from "../drivers/terminal/testing.ts";
import { id, type NodeBench } from "./testing.ts";
import { withNode } from "./testing-node.ts";

let node: NodeBench;
withNode((fresh) => {
  node = fresh;
});

async function input(session_id: string, terminal_id: string, text: string) {
  const request_id = id("command");
  const data = Buffer.from(text).toString("base64");
  node.plane.down({ type: "request", request_id, request: { op: "terminal_input", session_id, terminal_id, data } });
  return await node.until("an answer", () =>
    node.plane.ups.flatMap((one) => (one.type === "answer" && one.request_id === request_id ? [one.result] : [])).at(0),
  );
}

/** A terminal agent that nobody looks at. */
function terminalAgent() {
  const { spec, ...command } = node.launch();
  const driver = "terminal" as const;
  return { ...command, spec: { ...spec, agent_kind: "claude-code", driver, args: [AGENT], resume_args: ["--resume"] } };
}

async function running() {
  const launch = terminalAgent();
  node.plane.command(launch);
  await node.event(launch.session_id, "agent.ready");
  return launch;
}

describe("B1: input to a terminal that nobody has attached", () => {
  it("is delivered while it lives; else it says why not", async () => {
    await node.open();
    await node.connected({ SHELL: "/bin/sh", HOME: node.folder });
    const { session_id } = await running();
    expect(await input(session_id, "agent", "hello\r")).toEqual({ ok: true, answer: { op: "terminal_input" } });
    await node.event(session_id, "turn.ended");
    expect(await input(session_id, "other", "x")).toMatchObject({ ok: false, code: "terminal_not_found" });
    expect(await input(id("session"), "agent", "x")).toMatchObject({ ok: false, code: "terminal_not_found" });
    process.kill(node.host(session_id)?.pid ?? 0, "SIGKILL");
    await node.event(session_id, "execution.ended");
    expect(await input(session_id, "agent", "x")).toMatchObject({ ok: false, code: "terminal_ended" });
  });

  it("S4: is refused where the machine's owner allows no shell, and so is an agent that would run in one", async () => {
    await node.open();
    writeFileSync(join(node.state, "config.json"), JSON.stringify({ shell: "off" }));
    await node.connected({ SHELL: "/bin/sh", HOME: node.folder });
    const launch = node.launch();
    node.plane.command(launch);
    await node.event(launch.session_id, "agent.ready");
    expect(await input(launch.session_id, "agent", "hello\r")).toMatchObject({ ok: false, code: "forbidden" });
    const refused = terminalAgent();
    node.plane.command(refused);
    const failed = await node.until("its refusal", () => node.plane.ups.find((up) => up.type === "command.failed"));
    expect(failed).toMatchObject({
      command_id: refused.command_id,
      failure: { code: "agent_start_failed", message: expect.stringContaining("turned the shell off") },
    });
  });
});
