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
async function running() {
  const { spec, ...command } = node.launch();
  const launch = {
    ...command,
    spec: { ...spec, agent_kind: "claude-code", driver: "terminal" as const, args: [AGENT], resume_args: ["--resume"] },
  };
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

  it("S4: is refused where the machine's owner allows no shell", async () => {
    await node.open();
    writeFileSync(join(node.state, "config.json"), JSON.stringify({ shell: "off" }));
    await node.connected({ SHELL: "/bin/sh", HOME: node.folder });
    const { session_id } = await running();
    expect(await input(session_id, "agent", "hello\r")).toMatchObject({ ok: false, code: "forbidden" });
  });
});
