import type { NodeHello } from "@reprise/protocol";
import { describe, expect, it } from "vitest";
import { LIMITS_DEFAULT } from "../../limits.ts";
import { holdsPlace } from "./report.ts";
import { rig } from "./rig.ts";

const copy: Partial<NodeHello> = {
  boot_id: "another",
  hostname: "copied",
  daemon: { version: "1", pid: 7, started_at: 7 },
};

/** A node that is online, and what a copy of it says with the nonce that counts. */
function pair(via: "socket" | "http" = "socket") {
  const r = rig();
  r.hello("c1", {}, [], true, via);
  const rival = (conn_id: string, change: Partial<NodeHello> = {}) =>
    r.hello(conn_id, { nonce: "n1", ...copy, ...change });
  return { r, rival };
}
const STALE = (conn_id: string) => ({ type: "close", conn_id, why: "stale" });

describe("T3, N6: two processes with one identity", () => {
  it("T3: the holder is asked, and while nobody knows, the newcomer is told to call again", () => {
    const { r, rival } = pair();
    expect(rival("c2")).toMatchObject([{ type: "send", conn_id: "c1", frame: { type: "request" } }, STALE("c2")]);
    expect(rival("c3")).toEqual([STALE("c3")]);
    expect(r.state.link?.conn_id).toBe("c1");
  });

  it("T3: the holder answers: the copy is refused with 4403, again and again, and the original isn't touched", () => {
    const { r, rival } = pair();
    rival("c2");
    r.frame("c1", { type: "answer", request_id: "alive", result: { ok: false, code: "x", message: "x" } });
    for (const conn of ["c3", "c4"])
      expect(rival(conn)).toMatchObject([
        {
          type: "send",
          frame: { type: "error", code: "cloned_identity", message: expect.stringMatching(/agentctl join/) },
        },
        { type: "close", why: "forbidden" },
      ]);
    expect(r.state).toMatchObject({ cloned_at: r.now, cloned_from: "copied", link: { conn_id: "c1" } });
    expect(r.report().node.presence).toBe("online");
  });

  it("T3: over plain HTTP the holder's next POST is its answer", () => {
    const { r, rival } = pair("http");
    rival("c2");
    r.step({ type: "beat", conn_id: "c1" });
    expect(rival("c3")).toMatchObject([{ type: "send" }, { type: "close", why: "forbidden" }]);
  });

  it("N6: the holder stays silent: the newest wins", () => {
    const { r, rival } = pair();
    rival("c2");
    r.pass(LIMITS_DEFAULT.doubt_answer_ms);
    rival("c3");
    expect(r.state.link?.conn_id).toBe("c3");
    expect(r.state).toMatchObject({ cloned_at: null, doubt: null });
  });

  it("T3: what was proven long ago is asked again", () => {
    const { r, rival } = pair();
    rival("c2");
    r.frame("c1", { type: "goodbye" });
    r.hello("c4", { nonce: "n1" });
    r.pass(LIMITS_DEFAULT.doubt_ms);
    expect(rival("c5", { nonce: "n2" })).toMatchObject([{ type: "send", conn_id: "c4" }, STALE("c5")]);
  });

  it("N6: the same process that calls again, and one after a loss that was seen, wait for nobody", () => {
    const { r, rival } = pair();
    r.hello("c2", { nonce: "n1" });
    expect(r.state.link?.conn_id).toBe("c2");
    r.step({ type: "closed", conn_id: "c2" });
    rival("c3", { nonce: "n2" });
    expect(r.state.link?.conn_id).toBe("c3");
  });

  it("the copy's notice is written now and then, not with each of its calls", () => {
    const { r, rival } = pair();
    const at = r.now;
    rival("c2", { nonce: "gone" });
    r.pass(60_000);
    r.answered();
    rival("c3", { nonce: "gone" });
    expect(r.state.cloned_at).toBe(at);
  });
});

describe("K2, N6: a session's door opens for the daemon that holds the place", () => {
  it("for its connection; for any while nobody holds it; for one that names none only of version 1", () => {
    const r = rig();
    const holds = (conn: string | null) => holdsPlace(r.state, conn, r.ctx);
    expect(holds("anything")).toBe(true);
    r.hello("c1", { protocol_version: 2 });
    expect([holds("c1"), holds("c0"), holds(null)]).toEqual([true, false, false]);
    r.hello("c2", { protocol_version: 1, nonce: "n1" });
    expect([holds("c2"), holds("c1"), holds(null)]).toEqual([true, false, true]);
    r.step({ type: "closed", conn_id: "c2" });
    expect(holds("c1")).toBe(true);
    r.step({ type: "revoke" });
    expect(holds("c2")).toBe(false);
  });
});
