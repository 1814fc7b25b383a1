import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Bench, openBench } from "./testing.ts";

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());

describe("a host and its agent", () => {
  it("P1: a prompt is answered, its events numbered without gaps and written before they are told", async () => {
    const host = bench.session();
    await host.start();
    const execution = await host.run(host.launch());
    const end = await host.turn(execution, "echo hello there");
    expect(end.outcome).toBe("done");
    expect(host.text()).toContain("hello there");
    expect(host.events.map((one) => one.seq)).toEqual(host.events.map((_, i) => i + 1));
    expect(host.events.map((one) => one.body.type).slice(0, 3)).toEqual([
      "execution.opened",
      "agent.spawned",
      "agent.initialized",
    ]);
    expect(host.bad).toEqual([]);
  });
});
