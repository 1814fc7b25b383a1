import { TerminalUp } from "@reprise/protocol";
import { expect, it, vi } from "vitest";
import { call, helloOf, NodeSocket } from "../../test/client.ts";
import { type HostSocket, LiveSession, SOON, text, type Viewer } from "../../test/session.ts";

const pane = { terminal_id: "shell", pane_id: "pane-aaaa" };
const CAN = { protocol_version: 2, terminals: { ok: true } } as const;
const SECRET = "only-for-the-other";

/** All that one session can say, said by it: each holds the word that must reach nobody else. */
async function everything(session: LiveSession, host: HostSocket, viewer: Viewer): Promise<void> {
  const { execution_id } = session;
  await session.stub.prompt({ prompt_id: "prompt-secret-1", blocks: [{ type: "text", text: SECRET }] });
  host.send({
    type: "preview",
    execution_id,
    turn_id: null,
    item_id: "p1",
    kind: "text",
    offset: 0,
    text: SECRET,
  });
  await viewer.next("session.preview");
  await session.tell(host, text("i1", SECRET), {
    type: "approval.asked",
    ask: {
      request_id: "r1",
      turn_id: null,
      tool_call_id: null,
      title: SECRET,
      options: [{ option_id: "yes", name: SECRET, kind: "allow_once" }],
      content: [],
      input: null,
    },
  });
  await viewer.next("session.permission.requested");
  viewer.send({ type: "terminal.attach", ...pane, cols: 80, rows: 24, start: true, have: null });
  const { viewer_id } = await host.next("terminal.attach");
  host.send(TerminalUp.parse({ type: "terminal.output", ...pane, viewer_id, offset: 0, data: btoa(SECRET) }));
  await viewer.next("terminal.output");
}

it("§6, S1: several sessions of a task side by side: nothing of one reaches another's socket, and nothing but ids the feed", async () => {
  const one = await LiveSession.running();
  one.host.close();
  const two = await LiveSession.running({ task_id: (await one.session.facts()).task_id });
  two.host.close();
  const [quiet, loud] = [
    await one.session.host(CAN),
    await two.session.host({ ...CAN, execution_id: two.session.execution_id }),
  ];
  const listener = await one.session.viewer();
  await listener.next("session.snapshot");
  // It has a pane of the very same name.
  listener.send({ type: "terminal.attach", ...pane, cols: 80, rows: 24, start: true, have: null });
  await quiet.next("terminal.attach");
  const feed = await call("/api/feed/ws", { headers: { ...one.session.person.headers, upgrade: "websocket" } });
  const told: string[] = [];
  feed.webSocket?.addEventListener("message", ({ data }) => void told.push(String(data)));
  feed.webSocket?.accept();

  const before = listener.got.length;
  const viewer = await two.session.viewer();
  await viewer.next("session.snapshot");
  await everything(two.session, loud, viewer);
  // The other's machine comes and goes.
  const control = await NodeSocket.open(two.session.node);
  control.send(helloOf(two.session.node));
  await control.next("welcome");
  await viewer.next("node.presence");
  control.close();
  await vi.waitFor(() => expect(viewer.got.filter((f) => f.type === "node.presence").length).toBeGreaterThan(1), SOON);
  await vi.waitFor(() => expect(told.some((each) => each.includes(two.session.id))).toBe(true), SOON);

  // What is its own still comes: it was not deaf.
  await one.session.tell(quiet, text("mine", "for me"));
  await listener.next("session.message.added");
  const heard = listener.got.slice(before);
  for (const frame of heard) expect("session_id" in frame ? frame.session_id : one.session.id).toBe(one.session.id);
  expect(JSON.stringify(heard)).not.toContain(SECRET);
  expect(JSON.stringify(heard)).not.toContain(btoa(SECRET));
  expect(heard.some(({ type }) => type === "node.presence" || type === "terminal.output")).toBe(false);
  expect(JSON.stringify(quiet.got)).not.toContain(SECRET);
  expect(told.join()).not.toContain(SECRET);
  expect(JSON.stringify(viewer.got)).toContain(SECRET);
});
