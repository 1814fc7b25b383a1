import { describe, expect, it } from "vitest";
import { LIMITS_DEFAULT } from "../../limits.ts";
import type { NodeEvent } from "./event.ts";
import { outboxDue } from "./outbox.ts";
import { presenceAt, presenceDue } from "./presence.ts";
import { entryOf, launch, rig } from "./rig.ts";

type R = ReturnType<typeof rig>;
/** Events whose content or time decides what follows; each of these is an event of its own here. */
type Key =
  | Exclude<NodeEvent["type"], "hello" | "closed" | "alarm">
  | "frame goodbye"
  | `hello ${"good" | "http" | "cloned" | "after_yield" | "too_old"}`
  | `closed ${"current" | "other"}`
  | `alarm ${"in_time" | "lease_over" | "long_after"}`;

const lease = LIMITS_DEFAULT.lease_check_ms + 1;
const session_id = "ses_aaaa";
const nonce = (r: R) => ({ nonce: r.state.nonce.current });
const alarmAfter = (ms: number) => (r: R) => {
  r.pass(ms);
  r.step({ type: "alarm" });
};
const event = (e: NodeEvent) => (r: R) => {
  r.step(e);
};

/** Every event of the union, as it comes to a node: a new one does not compile until it stands here. */
const EVENTS = {
  init: event({
    type: "init",
    identity: { node_id: "nod_b", name: "b", kind: "local", machine_id: "m", state_id: "s", created_at: 1 },
  }),
  replace: event({ type: "replace", machine_id: "m", state_id: "s2" }),
  rename: event({ type: "rename", name: "other" }),
  revoke: event({ type: "revoke" }),
  "hello good": (r) => r.hello("con_2", nonce(r), [entryOf(session_id)]),
  "hello http": (r) => r.hello("con_3", nonce(r), [], true, "http"),
  "hello cloned": (r) => r.hello("con_4", { nonce: "stale" }),
  "hello after_yield": (r) => r.hello("con_5", { ...nonce(r), after_yield: true }),
  "hello too_old": (r) => r.hello("con_6", { ...nonce(r), protocol_version: 0 }),
  frame: (r) => r.frame("con_1", { type: "inventory.changed", entry: entryOf(session_id), last_command_seq: 1 }),
  "frame goodbye": (r) => r.frame("con_1", { type: "goodbye" }),
  beat: event({ type: "beat", conn_id: "con_1" }),
  "closed current": event({ type: "closed", conn_id: "con_1" }),
  "closed other": event({ type: "closed", conn_id: "con_0" }),
  push: (r) => r.push(session_id, { version: 9 }),
  forget: event({ type: "forget", session_id }),
  enqueue: event({ type: "enqueue", command: launch(1) }),
  dequeue: event({ type: "dequeue", command_id: "cmd_1" }),
  want: event({ type: "want", session_id, reason: "viewer", expires_at: 9e12 }),
  unwant: event({ type: "unwant", session_id, reason: "viewer" }),
  claim_token: event({ type: "claim_token", agent_kind: "codex", token: "t", session_id, from: null }),
  approve: event({ type: "approve", url: "https://x.example.com", approved: true }),
  call_now: event({ type: "call_now" }),
  called: event({
    type: "called",
    url: "https://x.example.com",
    result: { ok: false, code: "call_timeout", message: "x" },
  }),
  told: (r) => r.settle(),
  "alarm in_time": alarmAfter(1_000),
  "alarm lease_over": alarmAfter(lease),
  "alarm long_after": alarmAfter(LIMITS_DEFAULT.offline_after_ms + lease),
} satisfies Record<Key, (r: R) => unknown>;

type Situation = "NEW" | "SOC" | "HTT" | "REC" | "OFF" | "REV";

/** Joined and never seen; online by socket, or by plain HTTP; reconnecting; offline; removed. Each by events alone. */
const REACH: Readonly<Record<Situation, () => R>> = {
  NEW: () => rig(),
  SOC: () => {
    const r = rig();
    r.push(session_id, {});
    r.hello("con_1", {}, [entryOf(session_id)]);
    r.settle();
    return r;
  },
  HTT: () => {
    const r = rig();
    r.hello("con_1", {}, [], true, "http");
    return r;
  },
  REC: () => {
    const r = REACH.SOC();
    r.step({ type: "closed", conn_id: "con_1" });
    return r;
  },
  OFF: () => {
    const r = REACH.REC();
    r.pass(LIMITS_DEFAULT.offline_after_ms);
    r.step({ type: "alarm" });
    return r;
  },
  REV: () => {
    const r = REACH.SOC();
    r.step({ type: "revoke" });
    return r;
  },
};
const SITUATIONS = Object.keys(REACH).filter((name): name is Situation => name in REACH);

function situationOf(r: R): Situation {
  const { state } = r;
  if (state.revoked) return "REV";
  switch (presenceAt(state, r.ctx).value) {
    case "online":
      return state.link?.via === "http" ? "HTT" : "SOC";
    case "reconnecting":
      return "REC";
    case "offline":
      return state.about.boot_id === null ? "NEW" : "OFF";
  }
}

/** `.` it stays where it is; else where it leads. */
const TABLE = `
                    NEW SOC HTT REC OFF REV
init                .   .   .   .   .   .
replace             .   REC REC .   .   .
rename              .   .   .   .   .   .
revoke              REV REV REV REV REV .
hello good          SOC .   SOC SOC SOC .
hello http          HTT HTT .   HTT HTT .
hello cloned        .   .   .   .   .   .
hello after_yield   SOC .   .   SOC SOC .
hello too_old       .   .   .   .   .   .
frame               .   .   .   .   .   .
frame goodbye       .   OFF OFF .   .   .
beat                .   .   .   .   .   .
closed current      .   REC REC .   .   .
closed other        .   .   .   .   .   .
push                .   .   .   .   .   .
forget              .   .   .   .   .   .
enqueue             .   .   .   .   .   .
dequeue             .   .   .   .   .   .
want                .   .   .   .   .   .
unwant              .   .   .   .   .   .
claim_token         .   .   .   .   .   .
approve             .   .   .   .   .   .
call_now            .   .   .   .   .   .
called              .   .   .   .   .   .
told                .   .   .   .   .   .
alarm in_time       .   .   .   .   .   .
alarm lease_over    .   REC REC .   .   .
alarm long_after    .   OFF OFF OFF .   .
`;
const KEY_CHARS = 20;
const [head = "", ...lines] = TABLE.split("\n").slice(1, -1);
const rows = lines.map((line) => ({
  key: line.slice(0, KEY_CHARS).trim(),
  cells: line.slice(KEY_CHARS).split(/ +/),
}));

function next(from: Situation, play: (r: R) => unknown): string {
  const r = REACH[from]();
  play(r);
  const to = situationOf(r);
  return to === from ? "." : to;
}

describe("Every transition of a node's presence (N2, N3, N6, X1)", () => {
  it("each event in each situation stands in the table, once", () => {
    expect(head.trim().split(/ +/)).toEqual(SITUATIONS);
    expect(rows.map((row) => row.key)).toEqual(Object.keys(EVENTS));
    for (const from of SITUATIONS) expect(situationOf(REACH[from]())).toBe(from);
  });

  for (const [key, play] of Object.entries(EVENTS)) {
    it(`N2: ${key}`, () => {
      const row = rows.find((one) => one.key === key);
      expect(SITUATIONS.map((from) => `${from}: ${next(from, play)}`)).toEqual(
        SITUATIONS.map((from, i) => `${from}: ${row?.cells[i]}`),
      );
    });
  }

  it("T4: after every one of them a timer is armed where time alone changes something, and the next hello leads back", () => {
    for (const from of SITUATIONS) {
      for (const [key, play] of Object.entries(EVENTS)) {
        const r = REACH[from]();
        play(r);
        const to = situationOf(r);
        if (to === "SOC" || to === "HTT" || to === "REC")
          expect(presenceDue(r.state, LIMITS_DEFAULT), `${from}, ${key}`).not.toBeNull();
        if (Object.keys(r.state.outbox).length > 0) expect(outboxDue(r.state)).not.toBeNull();
        const { machine_id = "", state_id = "" } = r.state.identity ?? {};
        r.hello("con_9", { ...nonce(r), machine_id, state_id });
        expect(situationOf(r), `${from}, ${key}, hello`).toBe(to === "REV" ? "REV" : "SOC");
      }
    }
  });
});
