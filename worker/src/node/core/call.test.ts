import { describe, expect, it } from "vitest";
import { LIMITS_DEFAULT } from "../../limits.ts";
import { callDue } from "./call.ts";
import { nodeNow } from "./report.ts";
import { rig } from "./rig.ts";

const url = "https://box.example.com";
const unreachable = { ok: false, code: "call_unreachable", message: "Nothing answers at its address." } as const;
const capabilities = { supports_session_resume: true, supports_workspace_only: true, agents: [] };

/** A machine that registered its address, and lost its connection. */
function lost(approved = true) {
  const r = rig();
  r.hello("c1", { agentctl_url: url });
  if (approved) r.step({ type: "approve", url, approved: true });
  r.step({ type: "closed", conn_id: "c1" });
  const due = () => callDue(r.state, r.ctx);
  const call = () => {
    r.now = due() ?? r.now;
    r.step({ type: "called", url, result: unreachable });
  };
  return { r, due, call };
}

describe("N7: calling a machine at its registered address", () => {
  it("N7: never before the owner has approved that very address, nor while it is online, nor once it was removed", () => {
    const { r, due } = lost(false);
    expect(due()).toBeNull();
    expect(r.answer({ type: "call_now" })).toBe(false);
    expect(r.answer({ type: "approve", url: "https://other.example.com", approved: true })).toBe(false);
    expect(due()).toBeNull();
    r.step({ type: "approve", url, approved: true });
    expect(due()).toBe(r.now + LIMITS_DEFAULT.call_first_ms);
    r.hello("c2", { nonce: "n1", agentctl_url: url });
    expect(due()).toBeNull();
    r.hello("c3", { nonce: "n2", agentctl_url: "https://moved.example.com" });
    r.step({ type: "closed", conn_id: "c3" });
    expect(due()).toBeNull();
    expect(r.state.address).toEqual({ url: "https://moved.example.com", approved_at: null });
    r.step({ type: "approve", url: "https://moved.example.com", approved: true });
    r.step({ type: "revoke" });
    expect(due()).toBeNull();
  });

  it("N7, X5: unreachable: again after 5, 10, 20, 40 and 60 s, jittered, then it is a person's turn", () => {
    const { r, due, call } = lost();
    const waits: number[] = [];
    for (let i = 0; i < 5; i++) {
      call();
      waits.push((due() ?? 0) - r.now);
    }
    const steps = [5_000, 10_000, 20_000, 40_000, 60_000];
    waits.forEach((wait, i) => {
      expect(wait).toBeGreaterThanOrEqual(0.8 * (steps[i] ?? 0));
      expect(wait).toBeLessThanOrEqual(1.2 * (steps[i] ?? 0));
    });
    call();
    expect(due()).toBeNull();
    expect(nodeNow(r.state, r.ctx).call).toEqual({
      attempt: 6,
      retry_at: null,
      code: "call_unreachable",
      message: unreachable.message,
    });
    expect(r.answer({ type: "call_now" })).toBe(true);
    expect(due()).toBe(r.now);
    call();
    expect(r.state.call).toMatchObject({ attempt: 1 });
  });

  it("N7, T4: one that was asked and hasn't come says so; its hello ends the schedule", () => {
    const { r, due } = lost();
    r.step({ type: "called", url, result: { ok: true, capabilities } });
    expect(nodeNow(r.state, r.ctx).call).toMatchObject({ attempt: 1, code: "call_unheard", retry_at: due() });
    expect(r.state.capabilities).toEqual({ as_of: r.now, ...capabilities });
    r.hello("c2", { nonce: "n1", agentctl_url: url });
    expect(r.state.call).toBeNull();
    expect(nodeNow(r.state, r.ctx).call).toBeNull();
  });

  it("N7: a late answer about an old address, or of a machine that is back, changes nothing", () => {
    const { r } = lost();
    const before = r.state;
    r.step({ type: "called", url: "https://old.example.com", result: unreachable });
    expect(r.state).toBe(before);
    r.hello("c2", { nonce: "n1", agentctl_url: url });
    const back = r.state;
    r.step({ type: "called", url, result: unreachable });
    expect(r.state).toBe(back);
  });

  it("T4: one that was stopped there on purpose isn't called by itself, only when a person asks", () => {
    const r = rig();
    r.hello("c1", { agentctl_url: url });
    r.step({ type: "approve", url, approved: true });
    r.frame("c1", { type: "goodbye" });
    expect(callDue(r.state, r.ctx)).toBeNull();
    r.step({ type: "call_now" });
    expect(callDue(r.state, r.ctx)).toBe(r.now);
  });

  it("N7: the sessions of the machine hear of the schedule", () => {
    const { r, call } = lost();
    r.push("ses_aaaa", {});
    r.settle();
    call();
    expect(r.due().map(([key]) => key)).toEqual(["p:ses_aaaa", "row"]);
  });
});
