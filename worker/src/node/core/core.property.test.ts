import fc from "fast-check";
import { expect, it } from "vitest";
import type { NodeEvent } from "./event.ts";
import { entryOf, launch, rig } from "./rig.ts";

const session = fc.constantFrom("ses_aaaa", "ses_bbbb", "ses_cccc");
const conn = fc.constantFrom("con_1", "con_2", "con_3");
const command = fc.integer({ min: 1, max: 4 }).map(launch);
const failure = { code: "host_start_failed" as const, message: "no" };

const event: fc.Arbitrary<NodeEvent> = fc.oneof(
  fc.record({ type: fc.constant("closed" as const), conn_id: conn }),
  fc.record({ type: fc.constant("enqueue" as const), command }),
  command.map((c) => ({ type: "dequeue" as const, command_id: c.command_id })),
  fc.record({ conn_id: conn, command }).map((a) => ({
    type: "frame" as const,
    conn_id: a.conn_id,
    frame: { type: "command.received" as const, command_id: a.command.command_id },
  })),
  fc.record({ conn_id: conn, command, session_id: session }).map((a) => ({
    type: "frame" as const,
    conn_id: a.conn_id,
    frame: {
      type: "command.failed" as const,
      command_id: a.command.command_id,
      session_id: a.session_id,
      failure,
      retry_at: null,
    },
  })),
  fc.record({ conn_id: conn, session_id: session, seq: fc.integer({ min: 0, max: 9 }) }).map((a) => ({
    type: "frame" as const,
    conn_id: a.conn_id,
    frame: {
      type: "inventory.changed" as const,
      entry: entryOf(a.session_id, { spool: { spool_id: "spl_aaaa", last_seq: a.seq } }),
      last_command_seq: 0,
    },
  })),
  fc.record({ session_id: session, version: fc.nat(9), settled: fc.boolean(), acked: fc.nat(9) }).map((push) => ({
    type: "push" as const,
    push: { ...push, spool_id: "spl_aaaa", attached: false },
  })),
  fc.record({ type: fc.constant("forget" as const), session_id: session }),
  session.map((session_id) => ({
    type: "claim_token" as const,
    agent_kind: "codex",
    token: "t",
    session_id,
    from: null,
  })),
  fc.constant({ type: "alarm" as const }),
);
const act = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("event" as const), event }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("hello" as const), conn, entries: fc.uniqueArray(session) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("pass" as const), ms: fc.constantFrom(1, 30_000, 120_000) }) },
  { weight: 1, arbitrary: fc.constant({ kind: "settle" as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: "crash" as const }) },
);

it("N1, N2, R3, T6: whatever happens in whatever order, nothing that matters is lost or said twice", () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 60 }), (acts) => {
      const r = rig();
      const numbers = new Map<string, number>();
      for (const a of acts) {
        const before = r.state;
        if (a.kind === "pass") r.pass(a.ms);
        if (a.kind === "settle") r.settle();
        if (a.kind === "crash") r.crash();
        if (a.kind === "hello") {
          const effects = r.hello(
            a.conn,
            { nonce: r.state.nonce.current },
            a.entries.map((id) => entryOf(id)),
          );
          const welcome = effects.find((e) => e.type === "send");
          // Every command that waits is handed out, in order.
          const waiting = [...before.commands.values()].filter((c) => c.command !== null).map((c) => c.seq);
          expect(welcome?.frame).toMatchObject({ commands: waiting.sort((x, y) => x - y).map((seq) => ({ seq })) });
          // Every session that isn't over is told.
          for (const push of r.state.pushes.values()) {
            if (!push.settled) expect(r.state.outbox).toHaveProperty([`e:${push.session_id}`]);
          }
          expect(r.report().node.presence).toBe("online");
        }
        if (a.kind === "event") {
          const answer = r.answer(a.event);
          if (a.event.type === "enqueue" && typeof answer === "number") {
            const { command_id } = a.event.command;
            // One id, one number, for as long as it is remembered.
            if (before.commands.has(command_id)) expect(answer).toBe(numbers.get(command_id));
            else expect(answer).toBeGreaterThan(Math.max(0, ...numbers.values()));
            numbers.set(command_id, answer);
          }
        }
        // Reading never changes anything, and never says online without a link.
        const seen = r.state;
        if (r.report().node.presence === "online") expect(r.state.link).not.toBeNull();
        expect(r.state).toBe(seen);
      }
    }),
    { numRuns: 300 },
  );
});
