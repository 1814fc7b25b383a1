import { evictDurableObject } from "cloudflare:test";
import { type PaneUp, type TerminalUp, TerminalUp as TerminalUpSchema } from "@reprise/protocol";
import { describe, expect, it, vi } from "vitest";
import { helloOf, NodeSocket } from "../../test/client.ts";
import { type HostSocket, LiveSession, SOON, stubOf, type Viewer } from "../../test/session.ts";

const pane = { terminal_id: "shell", pane_id: "pane-aaaa" };
const attach: PaneUp = { type: "terminal.attach", ...pane, cols: 80, rows: 24, start: true, have: null };
const CAN = { protocol_version: 2, terminals: { ok: true } } as const;

/** A viewer with an open pane, and the name that its host knows it by. */
async function attached(session: LiveSession, host: HostSocket): Promise<{ viewer: Viewer; viewer_id: string }> {
  const viewer = await session.viewer();
  await viewer.next("session.snapshot");
  viewer.send(attach);
  const { viewer_id } = await host.next("terminal.attach");
  return { viewer, viewer_id };
}

const output = (viewer_id: string, data: string): TerminalUp =>
  TerminalUpSchema.parse({ type: "terminal.output", ...pane, viewer_id, offset: 0, data });

describe("B1, B3: terminals are relayed", () => {
  it("B1: each pane gets its own frames, and nobody else's", async () => {
    const session = await LiveSession.create();
    const host = await session.host(CAN);
    const [a, b] = [await attached(session, host), await attached(session, host)];
    expect(a.viewer_id).not.toBe(b.viewer_id);
    host.send(output(b.viewer_id, "YjE="));
    host.send(output(a.viewer_id, "YTE="));
    expect(await a.viewer.next("terminal.output")).toMatchObject({ data: "YTE=", session_id: session.id });
    expect(await b.viewer.next("terminal.output")).toMatchObject({ data: "YjE=" });
    for (const { viewer } of [a, b]) expect(viewer.got.filter((f) => f.type === "terminal.output")).toHaveLength(1);
  });

  it("B1: survives the object's eviction: the way back is in the sockets", async () => {
    const session = await LiveSession.create();
    const host = await session.host(CAN);
    const { viewer, viewer_id } = await attached(session, host);
    await evictDurableObject(stubOf(session.id), { webSockets: "hibernate" });
    viewer.send({ type: "terminal.input", ...pane, n: 1, data: "YQ==" });
    expect(await host.next("terminal.input")).toMatchObject({ viewer_id, data: "YQ==" });
    await evictDurableObject(stubOf(session.id), { webSockets: "hibernate" });
    host.send(output(viewer_id, "YTE="));
    expect(await viewer.next("terminal.output")).toMatchObject({ data: "YTE=" });
  });

  it("B2: a viewer that takes in no log still gets its terminal: they have credits of their own", async () => {
    const { session, host } = await LiveSession.running();
    host.close();
    const again = await session.host({ ...CAN, execution_id: session.execution_id });
    const { viewer, viewer_id } = await attached(session, again);
    for (let i = 0; i < 60; i++) again.send(output(viewer_id, "YTEx".repeat(10_000)));
    await vi.waitFor(() => expect(viewer.got.filter((f) => f.type === "terminal.output")).toHaveLength(60), SOON);
    await session.tell(again, { type: "notice", level: "info", code: "x", text: "after" });
    await viewer.next("session.log");
  });

  it("a viewer that leaves is told to the host, and so is one that is gone already", async () => {
    const session = await LiveSession.create();
    const host = await session.host(CAN);
    const { viewer, viewer_id } = await attached(session, host);
    viewer.close();
    expect(await host.next("terminal.viewer_gone")).toEqual({ type: "terminal.viewer_gone", viewer_id });
    host.send(output("vwr_nobody", "YTE="));
    expect(await host.next("terminal.viewer_gone")).toMatchObject({ viewer_id: "vwr_nobody" });
  });

  it("K1: an open pane keeps the node's socket, a closed one lets it go", async () => {
    const session = await LiveSession.create();
    const host = await session.host(CAN);
    const { viewer } = await attached(session, host);
    host.send({ type: "idle" });
    viewer.send({ type: "terminal.detach", ...pane });
    await host.next("terminal.detach");
    expect(host.got.some(({ type }) => type === "idle.ok")).toBe(false);
    host.send({ type: "idle" });
    await host.next("idle.ok");
  });

  it("K1: without the node's socket it is wished for, and the pane is told when it is there", async () => {
    const session = await LiveSession.create();
    const control = await NodeSocket.open(session.node);
    control.send(helloOf(session.node));
    await control.next("welcome");
    const viewer = await session.viewer();
    viewer.send(attach);
    expect(await viewer.next("terminal.link")).toMatchObject({ up: false });
    await vi.waitFor(async () => {
      const { wants } = await control.next("wants");
      expect(wants).toMatchObject([{ session_id: session.id, reasons: expect.arrayContaining(["fetch"]) }]);
    }, SOON);
    const host = await session.host(CAN);
    expect(await viewer.next("terminal.link")).toMatchObject({ up: true });
    viewer.send(attach);
    await host.next("terminal.attach");
    host.close();
    expect(await viewer.next("terminal.link")).toMatchObject({ up: false });
  });
});

describe("§2: machines that have no shells", () => {
  it("an agentctl of version 1 is never told of terminals: the shell says that it is too old", async () => {
    const session = await LiveSession.create();
    const host = await session.host();
    await host.next("session.welcome");
    const viewer = await session.viewer();
    viewer.send(attach);
    expect(await viewer.next("terminal.refused")).toMatchObject({ ...pane, code: "agentctl_too_old" });
    viewer.close();
    await vi.waitFor(async () => expect((await stubOf(session.id).facts())?.attached).toBe(false), SOON);
    expect(host.got.some(({ type }) => type.startsWith("terminal."))).toBe(false);
  });

  it("S4, T4: one whose owner turned it off, or that can't, says so in its own words", async () => {
    const session = await LiveSession.create();
    const host = await session.host({ ...CAN, terminals: { ok: false, code: "shell_off", message: "Turned off." } });
    await host.next("session.welcome");
    const viewer = await session.viewer();
    viewer.send(attach);
    expect(await viewer.next("terminal.refused")).toMatchObject({ code: "shell_off", message: "Turned off." });
  });
});
