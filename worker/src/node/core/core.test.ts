import type { Command, NodeHello } from "@reprise/protocol";
import { describe, expect, it } from "vitest";
import { entryOf, identity, launch, rig } from "./rig.ts";

const stale = 90_000;

describe("hello", () => {
  it("N1: is answered with the node's name, a nonce, waiting commands and wants", () => {
    const r = rig();
    r.step({ type: "enqueue", command: launch(1) });
    r.step({ type: "want", session_id: "ses_aaaa", reason: "viewer", expires_at: r.now + 1000 });
    const welcome = r.hello("con_1").find((e) => e.type === "send");
    expect(welcome?.frame).toMatchObject({
      type: "welcome",
      nonce: "n1",
      commands: [{ seq: 1, command: { command_id: launch(1).command_id } }],
      wants: [{ session_id: "ses_aaaa", reasons: ["viewer"] }],
    });
    expect(r.report().node.presence).toBe("online");
  });

  it("N5: a protocol nobody speaks any more is closed with 4426", () => {
    const r = rig();
    expect(r.hello("con_1", { protocol_version: 0 })).toContainEqual({
      type: "close",
      conn_id: "con_1",
      why: "protocol_too_old",
    });
    expect(r.report().node.presence).not.toBe("online");
  });

  const clones: [string, Partial<NodeHello>][] = [
    ["a nonce of long ago", { nonce: "old" }],
    ["no nonce, long after the first hello", { nonce: null }],
    ["another machine", { machine_id: "other", nonce: "n2" }],
    ["another state folder", { state_id: "other", nonce: "n2" }],
  ];
  it.each(clones)("T3: a clone is told by %s, refused, and disturbs nobody", (_name, change) => {
    const r = rig();
    r.hello("con_1");
    r.hello("con_2", { nonce: "n1" });
    const effects = r.hello("con_3", change);
    expect(effects[0]).toMatchObject({ type: "send", frame: { type: "error", code: "cloned_identity" } });
    expect(effects[1]).toEqual({ type: "close", conn_id: "con_3", why: "forbidden" });
    expect(r.state.link?.conn_id).toBe("con_2");
    expect(r.state.cloned_at).toBe(r.now);
  });

  it("T3: the nonce before is taken too: the answer may have been lost", () => {
    const r = rig();
    r.hello("con_1");
    r.hello("con_2", { nonce: null });
    expect(r.state.link?.conn_id).toBe("con_2");
    r.hello("con_3", { nonce: "n2" });
    r.hello("con_4", { nonce: "n2" });
    expect(r.state.link?.conn_id).toBe("con_4");
  });

  it("N6: the newest valid connection wins, the other is closed with 4409", () => {
    const r = rig();
    r.hello("con_1");
    expect(r.hello("con_2", { nonce: "n1" })[0]).toEqual({ type: "close", conn_id: "con_1", why: "replaced" });
  });

  it("N6: a daemon that yielded takes the place only when nobody live holds it", () => {
    const r = rig();
    r.hello("con_1");
    expect(r.hello("con_2", { nonce: "n1", after_yield: true })).toEqual([
      { type: "close", conn_id: "con_2", why: "replaced" },
    ]);
    r.pass(stale + 1);
    r.hello("con_3", { nonce: "n1", after_yield: true });
    expect(r.state.link?.conn_id).toBe("con_3");
  });

  it("K2: a removed node is refused for good", () => {
    const r = rig();
    r.step({ type: "revoke" });
    expect(r.hello("con_1")).toContainEqual({ type: "close", conn_id: "con_1", why: "credential_expired" });
  });

  it("T3: a node that joined again in its place starts with a new nonce, and its old folder's word is forgotten", () => {
    const r = rig();
    r.hello("con_1", {}, [entryOf("ses_aaaa")]);
    r.step({ type: "replace", machine_id: "m", state_id: "s2" });
    expect(r.report().entries).toEqual({});
    r.hello("con_2", { state_id: "s2", nonce: null });
    expect(r.report().node.presence).toBe("online");
  });
});

describe("presence", () => {
  it("T2: a silence is seen later than it began: what is known of a machine is as of its last sign of life", () => {
    const r = rig();
    r.hello("con_1");
    const heard_at = r.now;
    r.pass(20_000);
    r.crash();
    r.pass(1_000);
    expect(r.report().node).toMatchObject({ presence: "reconnecting", since: r.now - 1_000, heard_at });
    const silent = rig();
    silent.hello("con_1");
    silent.pass(stale + 1);
    expect(silent.report().node).toMatchObject({ presence: "reconnecting", heard_at });
    silent.step({ type: "alarm" });
    expect(silent.report().node).toMatchObject({ presence: "reconnecting", heard_at });
  });

  it("N2: reconnecting at once when the socket closes, offline five minutes later, online at a hello", () => {
    const r = rig();
    r.hello("con_1");
    r.step({ type: "closed", conn_id: "con_1" });
    expect(r.report().node).toMatchObject({ presence: "reconnecting", since: r.now });
    const lost = r.now;
    r.pass(5 * 60_000 - 1);
    expect(r.report().node.presence).toBe("reconnecting");
    r.pass(1);
    expect(r.report().node).toMatchObject({ presence: "offline", since: lost });
    r.hello("con_2", { nonce: "n1" });
    expect(r.report().node).toMatchObject({ presence: "online", reason: null });
  });

  it("N2: a heartbeat keeps the lease; without one it runs out at a read, and reading changes nothing", () => {
    const r = rig();
    r.hello("con_1");
    r.pass(60_000);
    r.answered();
    r.pass(stale - 1);
    expect(r.report().node.presence).toBe("online");
    r.pass(1);
    const before = r.state;
    expect(r.report().node).toMatchObject({ presence: "reconnecting", since: r.now });
    expect(r.state).toBe(before);
  });

  it("N2: the alarm stores the last answer, or gives the silent socket up with 4408", () => {
    const r = rig();
    r.hello("con_1");
    r.pass(100_000);
    r.answered();
    r.pass(5_000);
    expect(r.step({ type: "alarm" })).toEqual([]);
    expect(r.state.link?.last_answer).toBe(r.now - 5_000);
    r.pass(105_000);
    expect(r.step({ type: "alarm" })).toEqual([{ type: "close", conn_id: "con_1", why: "stale" }]);
    expect(r.state.presence.value).toBe("reconnecting");
  });

  it("T2: after the control plane was killed, a link without a socket isn't online", () => {
    const r = rig();
    r.hello("con_1");
    r.crash();
    expect(r.report().node).toMatchObject({ presence: "reconnecting", since: r.now });
    r.step({ type: "alarm" });
    expect(r.state.link).toBeNull();
  });

  it("N5: the close of a replaced socket says nothing about the current one", () => {
    const r = rig();
    r.hello("con_1");
    r.hello("con_2", { nonce: "n1" });
    r.step({ type: "closed", conn_id: "con_1" });
    expect(r.report().node.presence).toBe("online");
  });

  it("N2: changes of presence are told to sessions that aren't over, and to D1", () => {
    const r = rig();
    r.push("ses_aaaa", { settled: false });
    r.push("ses_bbbb", { settled: true });
    r.hello("con_1");
    r.settle();
    r.step({ type: "closed", conn_id: "con_1" });
    expect(Object.keys(r.state.outbox).sort()).toEqual(["p:ses_aaaa", "row"]);
  });
});

describe("commands", () => {
  it("R3: the same id is the same command, also after it was delivered", () => {
    const r = rig();
    expect(r.answer({ type: "enqueue", command: launch(1) })).toBe(1);
    expect(r.answer({ type: "enqueue", command: launch(2) })).toBe(2);
    r.hello("con_1");
    r.frame("con_1", { type: "command.received", command_id: launch(1).command_id });
    expect(r.answer({ type: "enqueue", command: launch(1) })).toBe(1);
    expect(r.hello("con_2", { nonce: "n1" })).toContainEqual(
      expect.objectContaining({ frame: expect.objectContaining({ commands: [{ seq: 2, command: launch(2) }] }) }),
    );
  });

  it("R3: a command is taken back only while the node can't have it; one that may be there isn't sent again", () => {
    const r = rig();
    r.step({ type: "enqueue", command: launch(1) });
    expect(r.answer({ type: "dequeue", command_id: launch(1).command_id })).toBe(true);
    r.hello("con_1");
    r.step({ type: "enqueue", command: launch(2) });
    expect(r.answer({ type: "dequeue", command_id: launch(2).command_id })).toBe(false);
    const again = r.hello("con_2", { nonce: "n1" }).find((e) => e.type === "send");
    expect(again?.frame).toMatchObject({ type: "welcome", commands: [] });
  });

  it("R3: a failed command is told to its session until it took it", () => {
    const r = rig();
    const command_id = launch(1).command_id;
    r.step({ type: "enqueue", command: launch(1) });
    r.hello("con_1");
    r.settle();
    const failure = { code: "host_start_failed" as const, message: "no" };
    r.frame("con_1", { type: "command.failed", command_id, session_id: "ses_aaaa", failure, retry_at: null });
    const key = `c:${command_id}`;
    r.settle({ ok: false });
    expect(r.state.outbox[key]).toMatchObject({ attempts: 1, due_at: r.now + 1_000 });
    r.settle();
    expect(r.state.outbox[key]).toBeUndefined();
  });
});

describe("evidence", () => {
  const told = (r: ReturnType<typeof rig>) =>
    Object.keys(r.state.outbox)
      .filter((key) => key.startsWith("e:"))
      .sort();

  it("N1: a hello is evidence for what isn't over, here or absent, and for spools that are ahead", () => {
    const r = rig();
    r.push("ses_open1", { settled: false, acked: 1 });
    r.push("ses_gone1", { settled: false });
    r.push("ses_ahead", { settled: true, acked: 0 });
    r.push("ses_done1", { settled: true, acked: 1 });
    r.push("ses_other", { settled: true, spool_id: "spl_zzzz" });
    const ids = ["ses_open1", "ses_ahead", "ses_done1", "ses_other", "ses_orphan"];
    r.hello(
      "con_1",
      {},
      ids.map((id) => entryOf(id)),
    );
    expect(told(r)).toEqual(["e:ses_ahead", "e:ses_gone1", "e:ses_open1", "e:ses_orphan", "e:ses_other"]);
  });

  it("T3: what an incomplete scan didn't see stays as it was", () => {
    const r = rig();
    r.hello("con_1", {}, [entryOf("ses_aaaa"), entryOf("ses_bbbb")]);
    r.hello("con_2", { nonce: "n1" }, [entryOf("ses_aaaa")], false);
    expect(Object.keys(r.report().entries)).toEqual(["ses_aaaa", "ses_bbbb"]);
    r.hello("con_3", { nonce: "n2" }, [entryOf("ses_aaaa")]);
    expect(Object.keys(r.report().entries)).toEqual(["ses_aaaa"]);
  });

  it("T6: a change is evidence; a spool's growth that was fetched already is none", () => {
    const r = rig();
    r.push("ses_aaaa", { settled: false, acked: 9 });
    r.hello("con_1", {}, [entryOf("ses_aaaa")]);
    r.settle();
    const changed = (last_seq: number, host: "alive" | "dead" = "alive") =>
      r.frame("con_1", {
        type: "inventory.changed",
        last_command_seq: 0,
        entry: entryOf("ses_aaaa", {
          spool: { spool_id: "spl_aaaa", last_seq },
          host: { state: host, pid: 2, container_id: null },
        }),
      });
    changed(9);
    expect(told(r)).toEqual([]);
    changed(10);
    expect(told(r)).toEqual(["e:ses_aaaa"]);
    r.settle();
    changed(9, "dead");
    expect(told(r)).toEqual(["e:ses_aaaa"]);
  });

  it("X3: a session that is over hears that its host came back: its workspace is open again", () => {
    const r = rig();
    r.push("ses_aaaa", { settled: true, acked: 9 });
    r.hello("con_1", {}, [entryOf("ses_aaaa", { executor: { status: "starting", failure: null, retry_at: null } })]);
    r.settle();
    const ready = entryOf("ses_aaaa", { executor: { status: "ready", failure: null, retry_at: null } });
    r.frame("con_1", { type: "inventory.changed", last_command_seq: 0, entry: ready });
    expect(told(r)).toEqual(["e:ses_aaaa"]);
    r.settle();
    r.hello("con_2", { nonce: "n1" }, [
      entryOf("ses_aaaa", { executor: { status: "stopped", failure: null, retry_at: null } }),
    ]);
    expect(told(r)).toEqual(["e:ses_aaaa"]);
  });

  it("T6: news that came while the old was being told isn't lost", () => {
    const r = rig();
    r.push("ses_aaaa", { settled: false });
    r.hello("con_1", {}, [entryOf("ses_aaaa")]);
    const before = r.due();
    r.hello("con_2", { nonce: "n1" }, []);
    r.step({ type: "told", results: before.map(([key, { gen }]) => ({ key, gen, ok: true })) });
    expect(told(r)).toEqual(["e:ses_aaaa"]);
  });
});

it("R2: a conversation belongs to one session (C16)", () => {
  const r = rig();
  const claim = (session_id: string) =>
    r.answer({ type: "claim_token", agent_kind: "codex", token: "t", session_id, from: null });
  expect([claim("ses_aaaa"), claim("ses_bbbb"), claim("ses_aaaa")]).toEqual([true, false, true]);
  r.step({ type: "forget", session_id: "ses_aaaa" });
  expect(claim("ses_bbbb")).toBe(true);
});

it("T7: forgetting a session keeps the order to tear it down", () => {
  const r = rig();
  const teardown: Command = { type: "teardown", command_id: "cmd_1", session_id: "ses_aaaa", remove_worktree: false };
  r.step({ type: "enqueue", command: teardown });
  r.step({ type: "forget", session_id: "ses_aaaa" });
  expect(r.state.commands.get("cmd_1")?.command).toEqual(teardown);
});

it("K1: wants are told as the whole set, and end by themselves", () => {
  const r = rig();
  r.hello("con_1");
  const want = (session_id: string, ttl: number) =>
    r.step({ type: "want", session_id, reason: "viewer", expires_at: r.now + ttl });
  want("ses_aaaa", 100);
  expect(want("ses_bbbb", 1_000)).toMatchObject([{ frame: { type: "wants", wants: [{}, {}] } }]);
  r.pass(500);
  expect(want("ses_bbbb", 1_000)).toMatchObject([{ frame: { wants: [{ session_id: "ses_bbbb" }] } }]);
  expect(r.step({ type: "unwant", session_id: "ses_bbbb", reason: "viewer" })).toMatchObject([
    { frame: { type: "wants", wants: [] } },
  ]);
});

it("a node's identity is given once", () => {
  const r = rig();
  r.step({ type: "init", identity: { ...identity, name: "other" } });
  expect(r.state.identity?.name).toBe(identity.name);
});

describe("a session that nobody minded, and is minded again", () => {
  it("T1, T2: hears of what its node did meanwhile, as nobody told it while it was over", () => {
    const r = rig();
    r.hello("con_1", {}, [entryOf("ses_aaaa")]);
    r.push("ses_aaaa", { settled: true });
    r.settle();
    r.step({ type: "closed", conn_id: "con_1" });
    expect(r.due().map(([key]) => key)).not.toContain("p:ses_aaaa");
    r.settle();
    r.push("ses_aaaa", { settled: false });
    expect(r.due().map(([key]) => key)).toEqual(["p:ses_aaaa", "e:ses_aaaa"]);
    r.settle();
    r.push("ses_aaaa", { settled: false, version: 2 });
    expect(r.due()).toEqual([]);
  });
});
