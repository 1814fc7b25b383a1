import { expect, it } from "vitest";
import { LIMITS_DEFAULT } from "../../limits.ts";
import type { NodeEffect } from "./event.ts";
import { rig } from "./rig.ts";

/** A machine with two sessions that aren't over and one that is; its daemon has been heard. */
function known() {
  const r = rig();
  r.hello("c1");
  r.push("ses_aaaa", {});
  r.push("ses_bbbb", {});
  r.push("ses_over", { settled: true });
  r.settle();
  return r;
}

const evidence = (r: ReturnType<typeof rig>) => r.due().filter(([, { what }]) => what.kind === "evidence");

it("T3: where no daemon answers nothing is marked, and one warning names the machine and the count", () => {
  const r = known();
  r.step({ type: "closed", conn_id: "c1" });
  expect(evidence(r)).toEqual([]);
  const warnings: NodeEffect[] = [];
  for (let day = 0; day < 3; day++) {
    r.pass(LIMITS_DEFAULT.offline_after_ms);
    warnings.push(...r.step({ type: "alarm" }).filter((effect) => effect.type === "warn"));
    expect(evidence(r), "silence is no evidence").toEqual([]);
  }
  expect(warnings).toMatchObject([{ details: { node: "box", sessions: 2 } }]);
});

it("T3: with nothing at stake, or a daemon that was ended on purpose, there is nothing to warn of", () => {
  const r = rig();
  r.hello("c1");
  r.push("ses_over", { settled: true });
  r.step({ type: "closed", conn_id: "c1" });
  r.pass(LIMITS_DEFAULT.offline_after_ms);
  expect(r.step({ type: "alarm" }).filter((effect) => effect.type === "warn")).toEqual([]);
});

it("T3: the sweep waits for the daemon's answer: its hello tells each session that isn't over, and no other", () => {
  const r = known();
  r.step({ type: "closed", conn_id: "c1" });
  r.pass(LIMITS_DEFAULT.offline_after_ms);
  r.step({ type: "alarm" });
  r.hello("c2", { nonce: r.state.nonce.current });
  expect(evidence(r).map(([, { what }]) => what.kind !== "row" && what.session_id)).toEqual(["ses_aaaa", "ses_bbbb"]);
});

it("T3: a warning comes again only after the next loss", () => {
  const r = known();
  const lose = (conn_id: string) => {
    r.step({ type: "closed", conn_id });
    r.pass(LIMITS_DEFAULT.offline_after_ms);
    return r.step({ type: "alarm" }).filter((effect) => effect.type === "warn").length;
  };
  expect(lose("c1")).toBe(1);
  r.hello("c2", { nonce: r.state.nonce.current });
  expect(lose("c2")).toBe(1);
});
