import type { SpoolEventBody } from "@reprise/protocol";
import { describe, expect, it } from "vitest";
import { foldFacts, NO_FACTS, SpoolFacts } from "./facts.ts";

const EXE = "exe_aaaa0001";

function factsOf(...bodies: SpoolEventBody[]): SpoolFacts["execution"] {
  return bodies.reduce(
    (facts, body, i) => foldFacts(facts, { seq: i + 1, at: i + 1, execution_id: EXE, body }),
    NO_FACTS,
  ).execution;
}

const OPENED: SpoolEventBody = { type: "execution.opened", how: "new", automatic: false };
const READY: SpoolEventBody = { type: "agent.ready", token: "a", how: "new", replayed: 0, verified: true };
const BYE: SpoolEventBody = { type: "agent.goodbye", reason: "other", explicit: true };

it("facts that an older host stored are read: what it did not know counts as nothing said", () => {
  const execution = { execution_id: EXE, open: true, agent: null, token: "a", open_turn: null, pending_approvals: [] };
  expect(SpoolFacts.parse({ execution }).execution).toEqual({ ...execution, ready: true, goodbye: null });
});

describe("R7: what a host that comes later knows of the agent's goodbye", () => {
  it.each<[string, SpoolEventBody[], { explicit: boolean; at: number } | null]>([
    ["none", [OPENED, READY], null],
    ["said", [OPENED, READY, BYE], { explicit: true, at: 3 }],
    [
      "taken back by a turn",
      [OPENED, READY, BYE, { type: "turn.started", turn_id: "trn_aaaa0001", prompt_id: null }],
      null,
    ],
    ["taken back by another conversation", [OPENED, READY, BYE, { type: "agent.token", token: "b" }], null],
    ["of the execution before", [OPENED, READY, BYE, OPENED], null],
  ])("%s", (_what, bodies, want) => {
    expect(factsOf(...bodies)?.goodbye).toEqual(want);
  });

  it("whether it was ready, and of which conversation", () => {
    expect(factsOf(OPENED)).toMatchObject({ ready: false });
    expect(factsOf(OPENED, READY, { type: "agent.token", token: "b" })).toMatchObject({ ready: true, token: "b" });
  });
});
