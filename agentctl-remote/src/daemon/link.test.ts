import { CLOSE } from "@reprise/protocol";
import { describe, expect, it } from "vitest";
import { DaemonStatus } from "./door.ts";
import { id, type NodeBench } from "./testing.ts";
import { withNode } from "./testing-node.ts";
import { TestPlane } from "./testing-plane.ts";

let node: NodeBench;
withNode((fresh) => {
  node = fresh;
});

async function status(): Promise<DaemonStatus> {
  return DaemonStatus.parse(JSON.parse((await node.cli("status", "--json")).text));
}

describe("the daemon's links", { timeout: 90_000 }, () => {
  it("N4, T3: the control plane dies and comes back: a hello with the last nonce, events whole", async () => {
    await node.open();
    await node.connected();
    const command = await node.running();
    await node.prompt(command, "stream 30 100");
    await node.event(command.session_id, "turn.started");
    const before = node.plane;
    await before.close();
    const after = new TestPlane();
    Object.assign(after, { node_id: before.node_id });
    after.side(command.session_id).events.push(...before.side(command.session_id).events);
    await after.listen(before.port);
    node.plane = after;
    await node.until("a hello", () => after.hello);
    expect(after.hello?.nonce).toMatch(/^[0-9a-f]{32}$/);
    expect(after.hello?.inventory.entries).toHaveLength(1);
    await node.event(command.session_id, "turn.ended");
    const seqs = after.side(command.session_id).events.map((event) => event.seq);
    expect(seqs).toEqual(seqs.map((_, i) => i + 1));
    expect(node.starts()).toBe(1);
  });

  it("N5, N6, C30: replaced: the daemon yields, closes its sessions' sockets, and asks again with after_yield", async () => {
    await node.open({ SOCKET_IDLE_MS: 60_000 });
    await node.connected();
    const command = await node.running();
    const side = node.plane.side(command.session_id);
    node.plane.closeHello = CLOSE.replaced;
    node.plane.control?.close(CLOSE.replaced);
    await node.until("the sessions' sockets' end", () => side.socket === null);
    await node.until("two more hellos", () => node.plane.hellos.length >= 3);
    expect(node.plane.hellos.slice(1).map((hello) => hello.after_yield)).toEqual(
      node.plane.hellos.slice(1).map(() => true),
    );
    expect((await status()).link).toMatchObject({ connected: false, trouble: "replaced" });
    const opened = side.opened;
    node.plane.closeHello = null;
    await node.until("its place back", () => node.plane.pings.length > 0 && node.plane.control);
    node.plane.setWants([{ session_id: command.session_id, reasons: ["viewer"], expires_at: Date.now() + 60_000 }]);
    await node.until("a session socket", () => side.opened > opened);
  });

  it("N5, T4: an expired credential retries slowly and says what helps; a too old daemon stops and says so", async () => {
    await node.open();
    node.plane.refuseConnect = 401;
    const child = node.up();
    await node.until("a refusal", () => node.output.includes("credential isn't valid"));
    expect((await status()).link.message).toContain("agentctl join");
    node.plane.refuseConnect = null;
    node.plane.closeHello = CLOSE.protocol_too_old;
    await node.exited(child);
    expect(child.exitCode).toBe(6);
    expect(node.output).toContain("upgrade");
  });

  it("S6: malformed frames are answered with an error, and everything still works", async () => {
    await node.open({ SOCKET_IDLE_MS: 60_000 });
    await node.connected();
    const command = await node.running();
    const side = node.plane.side(command.session_id);
    const junk = [
      "{",
      "[]",
      '{"type":"nonsense"}',
      '{"type":"command"}',
      '"x"',
      "\u0000",
      '{"type":"wants","wants":5}',
    ];
    for (const text of junk) {
      node.plane.control?.send(text);
      side.socket?.send(text);
    }
    node.plane.control?.send(Buffer.from([1, 2, 3]));
    node.plane.control?.send("x".repeat(1024 * 1024 + 1));
    const errors = () => node.plane.ups.filter((up) => up.type === "error").length;
    await node.until("their answers", () => errors() >= junk.length + 2);
    await node.until(
      "the session's",
      () => side.frames.filter((frame) => frame.type === "error").length >= junk.length,
    );
    await node.prompt(command, "echo fine");
    await node.event(command.session_id, "turn.ended");
    expect(node.plane.controls).toBe(1);
    expect(node.plane.bad).toEqual([]);
  });

  it("K2: a session socket that is refused backs off and never spins", async () => {
    await node.open({ SLOW_RETRY_MS: 60_000 });
    await node.connected();
    node.plane.refuseSession = 404;
    const command = node.launch();
    node.plane.command(command);
    await node.until("a refusal", () => node.output.includes("session socket down"));
    // Changes nudge the socket; a refusal is not hurried by them.
    node.plane.setWants([{ session_id: command.session_id, reasons: ["viewer"], expires_at: Date.now() + 60_000 }]);
    node.plane.setWants([]);
    node.plane.down({ type: "request", request_id: "r1", request: { op: "inspect_path", path: node.workspace } });
    await node.until("an answer", () => node.plane.ups.some((up) => up.type === "answer"));
    expect(node.output.split("session socket down")).toHaveLength(2);
    expect(node.plane.side(command.session_id).opened).toBe(0);
  });

  it("K1: a want opens an idle session's socket, its end closes it; a want without a host starts one", async () => {
    await node.open();
    await node.connected();
    const command = await node.running();
    const side = node.plane.side(command.session_id);
    await node.until("the idle socket's end", () => side.socket === null);
    const want = (reason: "viewer" | "fetch") => ({
      session_id: command.session_id,
      reasons: [reason],
      expires_at: Date.now() + 60_000,
    });
    node.plane.setWants([want("viewer")]);
    await node.until("a socket", () => side.socket);
    node.plane.setWants([]);
    await node.until("its end", () => side.socket === null);
    const { session_id, command_id: execution_id } = command;
    node.plane.command({ type: "stop", command_id: id("command"), session_id, execution_id, end_reason: "stopped" });
    await node.event(session_id, "execution.ended");
    await node.until("the end of the talk", () => side.socket === null);
    // A host that dies with something to fetch is rightly started again: this one has noted that all of it is there.
    await node.acked(session_id);
    process.kill(node.host(session_id)?.pid ?? 0, "SIGKILL");
    await node.until("no host", () => node.plane.entry(session_id)?.host.state === "none");
    node.plane.setWants([want("fetch")]);
    await node.until("a socket", () => side.socket);
    // The session's socket may be there before the control socket tells of its host.
    await node.until("the inventory", () => node.plane.entry(session_id)?.host.state === "alive");
  });

  it("N2: a silent control plane is given up", async () => {
    await node.open({ SILENCE_LIMIT_MS: 500, HELLO_LIMIT_MS: 500 });
    node.plane.mute = true;
    node.up();
    await node.until("a second try", () => node.plane.hellos.length >= 2);
    expect(node.plane.controls).toBeGreaterThanOrEqual(2);
  });
});
