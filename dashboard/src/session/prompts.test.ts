import type { PromptState, RowBody } from "@reprise/protocol";
import { describe, expect, it } from "vitest";
import { interrupted, rowsOf, status } from "../testing/sample.ts";
import { type Outgoing, waitingPrompts, whyItWaits } from "./prompts.ts";

const prompt = (id: string, state: PromptState, note: string | null = null): RowBody => ({
  kind: "prompt",
  prompt_id: id,
  blocks: [{ type: "text", text: id }],
  state,
  outcome: null,
  created_at: 0,
  note,
});
const turnOf = (id: string): RowBody => ({
  kind: "turn",
  turn_id: "trn_000001",
  prompt_id: id,
  blocks: [{ type: "text", text: id }],
  started_at: 0,
});
const outgoing = (id: string, error: string | null = null): Outgoing => ({
  prompt_id: id,
  blocks: [{ type: "text", text: id }],
  error,
});
const ids = (list: readonly { readonly prompt_id: string }[]) => list.map((each) => each.prompt_id);

describe("what was written and is not said yet", () => {
  it("goes where it will stand when the agent can take it; the next one queues", () => {
    const waiting = waitingPrompts(rowsOf(prompt("p1", "sent"), prompt("p2", "queued")), [], status());
    expect([ids(waiting.going), ids(waiting.queue)]).toEqual([["p1"], ["p2"]]);
  });

  it("P2: queues while the agent works, while the machine is away, and while the queue is held", () => {
    const rows = rowsOf(prompt("p1", "queued"));
    const away = status();
    for (const each of [
      status({ state: "RUNNING" }),
      { ...away, node: { ...away.node, presence: "offline" as const } },
      status({ queue_held: true }),
      interrupted(),
    ]) {
      expect(ids(waitingPrompts(rows, [], each).queue)).toEqual(["p1"]);
    }
  });

  it("P1: one that the log has told is not shown twice, and one in its turn is no longer waiting", () => {
    const rows = rowsOf(prompt("p1", "accepted"), turnOf("p1"), prompt("p2", "queued"));
    const waiting = waitingPrompts(rows, [outgoing("p2"), outgoing("p3")], status({ state: "RUNNING" }));
    expect(ids(waiting.queue)).toEqual(["p2", "p3"]);
    expect(waiting.going).toEqual([]);
  });

  it("C19: one that did not arrive stays, with the reason", () => {
    const { queue } = waitingPrompts([], [outgoing("p1", "The control plane can't be reached.")], status());
    expect(queue[0]).toMatchObject({ state: "unsent", note: "The control plane can't be reached." });
  });

  it("P1: an indeterminate one is a person's to decide, and never in the queue", () => {
    const waiting = waitingPrompts(rowsOf(prompt("p1", "indeterminate")), [], interrupted());
    expect([ids(waiting.unsure), ids(waiting.queue)]).toEqual([["p1"], []]);
  });
});

it("P2: the composer says why a prompt waits, and nothing where it does not", () => {
  const away = status();
  expect(whyItWaits(status())).toBeNull();
  expect(whyItWaits({ ...away, node: { ...away.node, presence: "offline" } })).toBe(
    "mini is away. What you write is queued and sent when it is back.",
  );
  for (const state of ["RUNNING", "WAITING_FOR_INPUT"] as const) {
    const unreachable = status({ state, is_agent_running: false, resume_reason: "runtime_unavailable" });
    expect(whyItWaits(unreachable)).toBe(
      "Docker does not answer on mini. What you write is queued until the agent is back.",
    );
  }
  expect(whyItWaits(status({ state: "RUNNING" }))).toBe("Claude Code is working. What you write is queued.");
  expect(whyItWaits(interrupted())).toBe("Claude Code isn't running. What you write is queued until it is resumed.");
  expect(whyItWaits(interrupted({ is_resumable: false, resume_reason: "conversation_gone" }))).toBe(
    "This session can't be resumed as it stands. What you write would only wait here.",
  );
});
