import { describe, expect, it } from "vitest";
import type { NodeBench } from "./testing.ts";
import { withNode } from "./testing-node.ts";

let node: NodeBench;
withNode((fresh) => {
  node = fresh;
});

describe("a node's life", { timeout: 90_000 }, () => {
  it("N1, N2, R3: hello, launch, permit, events up, a prompt down, and an idle socket closes by consent", async () => {
    await node.open();
    await node.connected();
    expect(node.plane.hello).toMatchObject({
      nonce: null,
      after_yield: false,
      inventory: { complete: true, entries: [] },
    });
    await node.until("the first ping", () => node.plane.pings.length > 0);
    const command = await node.running();
    await node.prompt(command, "echo hello");
    await node.event(command.session_id, "turn.ended");
    node.plane.setWants([]);
    const side = node.plane.side(command.session_id);
    await node.until("the idle socket's end", () => side.socket === null && side.closes > 0);
    expect(side.frames.filter((frame) => frame.type === "idle").length).toBeGreaterThan(0);
    expect(side.events.map((event) => event.seq)).toEqual(side.events.map((_, i) => i + 1));
    expect(node.plane.bad).toEqual([]);
    expect(node.starts()).toBe(1);
  });
});
