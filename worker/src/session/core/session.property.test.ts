import type { SpoolEventBody } from "@reprise/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SessionEvent } from "./event.ts";
import { DEATH, Rig, TERMINAL } from "./rig.ts";
import { nextDue } from "./timers.ts";

/** What may happen next, in any order, whether it makes sense or not. */
type Move =
  | { do: "event"; event: SessionEvent }
  | { do: "permit" | "launch" | "find" | "accept" | "say" | "tick" | "pay" | "hello" | "restart" }
  | { do: "host"; body: SpoolEventBody }
  | { do: "offline" | "online" };

const outcome = fc.constantFrom("done", "cancelled", "failed", "timed_out", "interrupted" as const);
const move: fc.Arbitrary<Move> = fc.oneof(
  // The ordinary way is walked often, so that the strange happens in the middle of it.
  { weight: 10, arbitrary: fc.constantFrom<Move>({ do: "launch" }, { do: "accept" }, { do: "say" }) },
  {
    weight: 6,
    arbitrary: fc.constantFrom<Move>(
      { do: "permit" },
      { do: "launch" },
      { do: "find" },
      { do: "accept" },
      { do: "tick" },
      { do: "pay" },
      { do: "hello" },
      { do: "restart" },
      { do: "offline" },
      { do: "online" },
    ),
  },
  {
    weight: 4,
    arbitrary: fc
      .oneof(
        fc.constantFrom<SessionEvent>(
          { type: "resume", body: { mode: "resume", strategy: "native" } },
          { type: "resume", body: { mode: "retry", strategy: "native" } },
          { type: "stop", end_reason: "stopped" },
          { type: "stop", end_reason: "completed" },
          { type: "stop.undo" },
          { type: "cancel" },
          { type: "answer", request_id: "r1", execution_id: "exe_000003", option_id: "y" },
          { type: "recovery", action: "try_now" },
          { type: "recovery", action: "cancel" },
          { type: "recovery", action: "start_again" },
          { type: "recovery", action: "declare_lost" },
          { type: "recovery", action: "continue" },
          { type: "recovery", action: "release" },
          { type: "remove", remove_worktree: false },
        ),
        fc.integer({ min: 1, max: 5 }).map(
          (n): SessionEvent => ({
            type: "prompt",
            prompt_id: `prompt-100${n}`,
            blocks: [{ type: "text", text: "x" }],
          }),
        ),
        fc
          .integer({ min: 1, max: 5 })
          .map((n): SessionEvent => ({ type: "prompt.remove", prompt_id: `prompt-100${n}` })),
      )
      .map((event): Move => ({ do: "event", event })),
  },
  {
    weight: 4,
    arbitrary: fc
      .oneof(
        outcome.map((o): SpoolEventBody => ({ type: "turn.ended", turn_id: "trn_now", outcome: o, message: null })),
        fc.constant<SpoolEventBody>({
          type: "approval.asked",
          ask: {
            request_id: "r1",
            turn_id: "trn_now",
            tool_call_id: null,
            title: "t",
            options: [{ option_id: "y", name: "Y", kind: "allow_once" }],
            content: [],
            input: null,
          },
        }),
        fc.constant<SpoolEventBody>({
          type: "approval.settled",
          request_id: "r1",
          outcome: "selected",
          option_id: "y",
        }),
        fc
          .constantFrom("interrupted", "failed", "agent_exit", "stopped" as const)
          .map((end_reason): SpoolEventBody => ({ type: "execution.ended", ...DEATH, end_reason })),
        fc.constant<SpoolEventBody>({ type: "execution.ended", ...DEATH, died: "machine", found: "scan" }),
      )
      .map((body): Move => ({ do: "host", body })),
  },
);

function play(rig: Rig, m: Move) {
  const e = rig.state.execution;
  switch (m.do) {
    case "event":
      return rig.do(m.event);
    case "permit":
      return rig.do({
        type: "link.permit_request",
        execution_id: e?.execution_id ?? "exe_none",
        spool_id: rig.spool,
        head_seq: rig.seq,
      });
    case "launch":
      return e?.phase === "claimed" ? rig.launch() : undefined;
    case "find":
      return rig.find();
    case "accept":
      return rig.state.prompts.some((p) => p.state === "sent") ? rig.accept() : undefined;
    case "say":
      return rig.say("half", "open");
    case "tick":
      return rig.wait();
    case "pay":
      return rig.payOutbox();
    case "hello":
      return rig.do({ type: "link.hello", spool_id: rig.spool });
    case "restart":
      rig.state = JSON.parse(JSON.stringify(rig.state));
      return;
    case "host": {
      const turn_id = rig.state.turn?.turn_id ?? "trn_none";
      const body = "turn_id" in m.body ? { ...m.body, turn_id } : m.body;
      return rig.host(body);
    }
    case "offline":
    case "online":
      return rig.do({
        type: "node.presence",
        node: {
          id: "nod_000001",
          name: "mini",
          kind: "local",
          presence: m.do,
          since: rig.now,
          reason: null,
          heard_at: 0,
        },
      });
  }
}

describe("A session under any order of events", () => {
  it("R3, P1, P2, P3, T5: no order breaks the invariants", () => {
    fc.assert(
      fc.property(
        fc.array(move, { maxLength: 60 }),
        fc.constantFrom("interrupted", "never", "always" as const),
        fc.boolean(),
        (moves, auto_resume, inTerminal) => {
          const rig = new Rig({ auto_resume, ...(inTerminal ? TERMINAL : {}) });
          const asked = new Set(["prompt-0001"]);
          let deliberate: string | null = null;
          for (const m of moves) {
            const before = rig.state;
            if (m.do === "event" && m.event.type === "prompt" && rig.do(m.event).ok) asked.add(m.event.prompt_id);
            play(rig, m);
            const s = rig.state;

            expect(s.version).toBeGreaterThanOrEqual(before.version);
            // One agent at a time: a new execution only where the last one has ended.
            if (before.execution && s.execution && before.execution.execution_id !== s.execution.execution_id) {
              expect(
                rig.effects.some((x) => x.type === "execution" && x.ended !== null) ||
                  before.execution.phase === "claimed",
              ).toBe(true);
            }
            expect(s.prompts.filter((p) => p.state === "sent" || p.state === "accepted").length).toBeLessThanOrEqual(1);
            // What was on its way to an agent that is gone is on its way no more (P1).
            for (const p of s.prompts) {
              if (p.state === "sent" || p.state === "accepted") expect(p.execution_id).toBe(s.execution?.execution_id);
            }
            if (s.end_reason === "stopped" || s.end_reason === "completed") expect(s.recovery).toBeNull();
            // No approval outlives its execution.
            for (const a of s.approvals) expect(a.execution_id).toBe(s.execution?.execution_id);
            if (s.execution === null) {
              expect(s.turn === null || s.turn.end !== null).toBe(true);
              expect(s.open_items).toEqual([]);
              expect(["RUNNING", "WAITING_FOR_INPUT", "STARTING"]).not.toContain(s.state);
            }
            if (s.state === "RUNNING") expect(s.turn?.end).toBeNull();
            // A stop that was confirmed stays until a person resumes it, or starts another agent there by hand.
            if (deliberate !== null && m.do !== "event" && m.do !== "find") expect(s.end_reason).toBe(deliberate);
            deliberate =
              s.execution === null && (s.end_reason === "stopped" || s.end_reason === "completed")
                ? s.end_reason
                : null;
            // A way forward: an agent that tells, a timer, or a state that a person acts on.
            if (s.state === "STARTING")
              expect(
                s.execution !== null && (s.execution.phase !== "claimed" || nextDue(s, rig.ctx().limits) !== null),
              ).toBe(true);
          }
          // No prompt vanishes: it waits, is on its way, or its row says how it ended.
          const told = new Set(
            rig.history.flatMap((e) =>
              e.type === "row.prompt" && (e.state === "done" || e.state === "cancelled") ? [e.prompt_id] : [],
            ),
          );
          for (const id of asked) expect(told.has(id) || rig.state.prompts.some((p) => p.prompt_id === id)).toBe(true);
        },
      ),
      { numRuns: 1_500 },
    );
  });
});
