import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { System, scriptedAgent, until } from "../src/index.ts";

describe("launch fence", () => {
  let system: System;
  beforeEach(async () => {
    system = await System.start();
  });
  afterEach(() => system?.end());

  for (const point of ["after_received", "before_spawn", "after_spawn", "before_handed", "after_handed"]) {
    it(`R3: the daemon, killed at ${point} of a launch, starts one agent in all`, async () => {
      const { profile, starts } = await scriptedAgent(system, `fence-${point}`);
      await system.node.stop();
      await system.startNode({ REPRISE_TEST_CRASH_AT: point });
      const { session_id: id } = await system.client.sessions.create({
        node_id: system.node.nodeId,
        agent_profile_id: profile.id,
        cwd: system.folder("w"),
        prompt: "echo once",
      });
      await system.node.ended;
      await system.startNode();
      await system.untilYourTurn(id);
      expect(starts()).toHaveLength(1);
    });
  }

  it("R3: a claim that was cancelled while the node was away never starts anything", async () => {
    const { profile, starts } = await scriptedAgent(system, "cancelled");
    await system.node.stop();
    const { session_id: id } = await system.client.sessions.create({
      node_id: system.node.nodeId,
      agent_profile_id: profile.id,
      cwd: system.folder("w"),
      prompt: "echo never",
    });
    await system.client.sessions.stop(id);
    expect(await system.status(id)).toMatchObject({
      state: "CANCELLED",
      end_reason: "stopped",
      is_agent_running: false,
    });
    const { profile: other, starts: others } = await scriptedAgent(system, "other");
    const after = await system.client.sessions.create({
      node_id: system.node.nodeId,
      agent_profile_id: other.id,
      cwd: system.folder("w"),
      prompt: "echo later",
    });
    await system.startNode();
    // The later session's launch was delivered after the cancelled one's place in the order.
    await system.untilYourTurn(after.session_id);
    expect(others()).toHaveLength(1);
    expect(starts()).toHaveLength(0);
    expect(await system.status(id)).toMatchObject({ state: "CANCELLED", resume_reason: "deliberate_stop" });
  });

  it("C15: two sessions in one folder come back each with its own conversation", async () => {
    const { profile } = await scriptedAgent(system, "siblings", [], "never");
    const make = async (word: string) => {
      const made = await system.client.sessions.create({
        node_id: system.node.nodeId,
        agent_profile_id: profile.id,
        cwd: system.folder("shared"),
        prompt: `remember ${word}`,
      });
      await system.untilYourTurn(made.session_id);
      return made.session_id;
    };
    const [a, b] = [await make("CODEWORD-A"), await make("CODEWORD-B")];
    await system.killAgent(a);
    await system.killAgent(b);
    for (const id of [b, a]) {
      await system.untilStatus(id, "interrupted", (s) => s.needs_resume);
      await system.client.sessions.resume(id, { mode: "resume", prompt: "recall" });
    }
    for (const [id, mine, not] of [
      [a, "CODEWORD-A", "CODEWORD-B"],
      [b, "CODEWORD-B", "CODEWORD-A"],
    ] as const) {
      await until(async () => (await system.said(id)).split(mine).length === 3, {
        ms: 30_000,
        what: `${mine} to be recalled`,
      });
      expect(await system.said(id)).not.toContain(not);
    }
  });
});
