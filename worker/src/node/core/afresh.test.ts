import { describe, expect, it } from "vitest";
import { rig } from "./rig.ts";

describe("a node that lost its state folder", () => {
  it("T3: the first hello of a new state folder concerns every session, also those that are over; the next one does not", () => {
    const r = rig();
    r.hello("con_1");
    r.step({
      type: "push",
      push: { session_id: "ses_over", version: 1, settled: true, spool_id: null, acked: 0, attached: false },
    });
    const told = () => Object.values(r.state.outbox).filter(({ what }) => what.kind === "evidence").length;
    expect(told()).toBe(0);
    r.step({ type: "replace", machine_id: "m", state_id: "s2" });
    r.hello("con_2", { state_id: "s2", nonce: null });
    expect(told()).toBe(1);
    r.step({
      type: "told",
      results: Object.entries(r.state.outbox).map(([key, { gen }]) => ({ key, gen, ok: true })),
    });
    r.hello("con_3", { state_id: "s2", nonce: r.state.nonce.current });
    expect(told()).toBe(0);
  });
});
