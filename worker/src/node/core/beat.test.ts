import type { NodeHello } from "@reprise/protocol";
import { describe, expect, it } from "vitest";
import { LIMITS_DEFAULT } from "../../limits.ts";
import { launch, rig } from "./rig.ts";

const posted = (r: ReturnType<typeof rig>, conn_id: string, change: Partial<NodeHello> = {}) =>
  r.hello(conn_id, change, [], true, "http");
const types = (effects: ReturnType<ReturnType<typeof rig>["step"]>) =>
  effects.map((effect) => (effect.type === "send" ? effect.frame.type : effect.type));

describe("N3: a node over plain HTTP", () => {
  it("N3: its POSTs fetch commands until it has them, and wants", () => {
    const r = rig();
    posted(r, "c1");
    r.step({ type: "enqueue", command: launch(1) });
    r.step({ type: "want", session_id: "ses_aaaa", reason: "viewer", expires_at: r.now + 60_000 });
    for (const _twice of [1, 2]) expect(types(r.step({ type: "beat", conn_id: "c1" }))).toEqual(["command", "wants"]);
    r.frame("c1", { type: "command.received", command_id: "cmd_1" });
    expect(types(r.step({ type: "beat", conn_id: "c1" }))).toEqual(["wants"]);
  });

  it("N2, N3: its last POST is its heartbeat, stored a few times a lease and not with each", () => {
    const r = rig();
    posted(r, "c1");
    const before = r.state;
    r.pass(1_000);
    r.step({ type: "beat", conn_id: "c1" });
    expect(r.state).toBe(before);
    for (let i = 0; i < 10; i++) {
      r.pass(LIMITS_DEFAULT.lease_ms / 2);
      r.step({ type: "beat", conn_id: "c1" });
      expect(r.report().node.presence).toBe("online");
    }
    r.pass(LIMITS_DEFAULT.lease_ms);
    expect(r.report().node.presence).toBe("reconnecting");
  });

  it("N5, N6: a connection that another has followed is told so; one that was given up says hello again", () => {
    const r = rig();
    posted(r, "c1");
    posted(r, "c2", { nonce: "n1" });
    expect(r.step({ type: "beat", conn_id: "c1" })).toEqual([{ type: "close", conn_id: "c1", why: "replaced" }]);
    r.pass(LIMITS_DEFAULT.lease_check_ms);
    r.step({ type: "alarm" });
    expect(r.step({ type: "beat", conn_id: "c2" })).toEqual([{ type: "close", conn_id: "c2", why: "stale" }]);
  });

  it("N3: a socket that works again takes over", () => {
    const r = rig();
    posted(r, "c1");
    r.hello("c2", { nonce: "n1" });
    expect(r.state.link).toMatchObject({ conn_id: "c2", via: "socket" });
    expect(types(r.step({ type: "beat", conn_id: "c1" }))).toEqual(["close"]);
  });
});

describe("T4: a daemon that ends on purpose", () => {
  it.each(["socket", "http"] as const)("T4: says so over %s, and isn't waited for", (via) => {
    const r = rig();
    r.push("ses_aaaa", {});
    r.hello("c1", {}, [], true, via);
    r.settle();
    r.frame("c1", { type: "goodbye" });
    expect(r.report().node).toMatchObject({
      presence: "offline",
      since: r.now,
      reason: expect.stringMatching(/stopped/),
    });
    expect(r.due().map(([key]) => key)).toContain("p:ses_aaaa");
    r.step({ type: "closed", conn_id: "c1" });
    expect(r.report().node.presence).toBe("offline");
  });
});
