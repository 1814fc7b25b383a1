import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { inOrder, type LogCopy } from "@reprise/protocol";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { call } from "../../test/client.ts";
import { fold, type HostSocket, LiveSession, SOON, text, type Viewer } from "../../test/session.ts";
import { MAX_CATCHUP_ROWS } from "./log.ts";
import { VIEWER_TAG } from "./viewers.ts";

async function attached(session: LiveSession, copy?: LogCopy): Promise<{ viewer: Viewer; copy: LogCopy }> {
  const viewer = await session.viewer(copy);
  const first = await (copy ? viewer.next("session.catchup") : viewer.next("session.snapshot"));
  const now = fold(copy ?? null, [first]);
  if (now === null) throw new Error("nothing came");
  return { viewer, copy: now };
}

/** Until a viewer has all that was stored. */
async function upTo(viewer: Viewer, from: LogCopy | null, cursor: number): Promise<LogCopy> {
  return vi.waitFor(() => {
    const copy = fold(from, viewer.got);
    expect(copy?.cursor).toBe(cursor);
    if (copy === null) throw new Error("no copy");
    return copy;
  }, SOON);
}

const preview = (session: LiveSession, offset: number, value: string, item_id = "i1") =>
  ({
    type: "preview",
    execution_id: session.execution_id,
    turn_id: null,
    item_id,
    kind: "text",
    offset,
    text: value,
  }) as const;

describe("L2: attaching", () => {
  it("L2: without a cursor: a snapshot, `first`", async () => {
    const { session } = await LiveSession.running();
    const viewer = await session.viewer();
    const { log_id, cursor, rows } = await session.log();
    expect(await viewer.next("session.snapshot")).toMatchObject({ why: "first", log_id, cursor, rows, from_pos: 0 });
  });

  it("L2, C20: with a cursor: exactly what changed above it, also a row that changed after its place", async () => {
    const { session, host } = await LiveSession.running();
    await session.tell(host, text("i1", "begun", "open"), text("i2", "done"));
    const { viewer, copy } = await attached(session);
    viewer.close();
    await session.tell(host, text("i1", "finished"), text("i3", "new"));
    const again = await session.viewer(copy);
    const told = await again.next("session.catchup");
    expect(told).toMatchObject({ live: true, log_id: copy.log_id });
    expect(told.rows.map((row) => row.id.split(":").at(-1))).toEqual(["i1", "i3"]);
    expect(told.rows[0]?.pos).toBeLessThan(copy.rows.size);
    expect(told.cursor).toBe((await session.log()).cursor);
  });

  it("L2, C21: another log's cursor, or one from the future: a snapshot, `other_log`", async () => {
    const { session } = await LiveSession.running();
    const { copy } = await attached(session);
    for (const wrong of [
      { ...copy, log_id: "log_other" },
      { ...copy, cursor: copy.cursor + 1 },
    ])
      expect(await (await session.viewer(wrong)).next("session.snapshot")).toMatchObject({ why: "other_log" });
  });

  it("L2: a long catch-up comes in several frames, the last one live; a longer one is a snapshot, `too_old`", async () => {
    const { session, host } = await LiveSession.running();
    const { copy } = await attached(session);
    for (let n = 0; n < 3; n += 1)
      await session.tell(host, ...Array.from({ length: 150 }, (_, i) => text(`n${n}-${i}`, "x")));
    const viewer = await session.viewer(copy);
    const parts = [await viewer.next("session.catchup")];
    while (parts.at(-1)?.live === false) parts.push(await viewer.next("session.catchup"));
    expect(parts.map((part) => part.live)).toEqual([false, false, true]);
    expect(parts.map((part) => part.rows.length)).toEqual([200, 200, 50]);
    expect(fold(copy, parts)?.rows.size).toBe(copy.rows.size + 450);
    // An item that changes often is many changes, but one row: only rows count.
    for (let n = 0; n * 200 < MAX_CATCHUP_ROWS; n += 1)
      await session.tell(host, ...Array.from({ length: 200 }, (_, i) => text(`m${n}-${i}`, "x")));
    const late = await session.viewer(copy);
    const whole = await late.next("session.snapshot");
    expect(whole).toMatchObject({ why: "too_old", cursor: (await session.log()).cursor });
    expect(whole.from_pos).toBe(whole.rows[0]?.pos);
  });

  it("L2, S4: rows too large for one frame: a snapshot has the newest, the rest is paged; so has a catch-up", async () => {
    const { session, host } = await LiveSession.running();
    const { copy } = await attached(session);
    for (let n = 0; n < 8; n += 1) await session.tell(host, text(`i${n}`, `${n}`.repeat(200_000)));
    const log = await session.log();
    expect(log.rows.filter((row) => row.body.kind === "message")).toHaveLength(8);
    // A frame that were too large would not be read here.
    const snapshot = await (await session.viewer()).next("session.snapshot");
    expect(snapshot).toMatchObject({ cursor: log.cursor, from_pos: snapshot.rows[0]?.pos });
    expect(snapshot.rows).toEqual(log.rows.slice(-2));
    const viewer = await session.viewer(copy);
    const first = await viewer.next("session.catchup");
    expect(first).toMatchObject({ live: false, cursor: first.rows.at(-1)?.seq });
    viewer.send({ type: "seen", cursor: first.cursor, bytes: viewer.bytes });
    expect(await viewer.next("session.snapshot")).toMatchObject({ why: "slow", rows: log.rows.slice(-2) });
  });

  it("C20: nothing falls between attach and live", async () => {
    const { session, host } = await LiveSession.running();
    const { copy } = await attached(session);
    const opening: Promise<Viewer>[] = [];
    for (let n = 0; n < 12; n += 1) {
      host.send(session.frame(session.events(text(`i${n}`, `${n}`), text("same", `${n}`))));
      opening.push(session.viewer(n % 2 ? copy : undefined));
    }
    const viewers = await Promise.all(opening);
    while ((await host.next("ack")).seq < session.seq);
    const log = await session.log();
    for (const [n, viewer] of viewers.entries())
      expect(inOrder(await upTo(viewer, n % 2 ? copy : null, log.cursor))).toEqual(log.rows);
  });

  it("L2: a viewer's copy is the whole log, whatever comes between: events, detaches, evictions", async () => {
    const step = fc.oneof(
      { weight: 5, arbitrary: fc.record({ do: fc.constant("event" as const), item: fc.integer({ min: 0, max: 4 }) }) },
      { weight: 2, arbitrary: fc.record({ do: fc.constantFrom("detach" as const, "attach" as const) }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constantFrom("hibernate" as const, "evict" as const) }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        const { session, ...first } = await LiveSession.running();
        let { host }: { host: HostSocket } = first;
        let copy: LogCopy | null = null;
        let viewer: Viewer | null = null;
        for (const [n, one] of steps.entries()) {
          if (one.do === "event") await session.tell(host, text(`i${one.item}`, `${n}`, n % 3 ? "open" : "done"));
          if (one.do === "attach" && viewer === null) viewer = await session.viewer(copy ?? undefined);
          if (one.do === "detach" && viewer !== null) {
            viewer.close();
            copy = fold(copy, viewer.got);
            viewer = null;
          }
          // Only what runs can be evicted.
          if (one.do === "hibernate" || one.do === "evict") await session.facts();
          if (one.do === "hibernate") await evictDurableObject(session.stub, { webSockets: "hibernate" });
          if (one.do === "evict") {
            await evictDurableObject(session.stub, { webSockets: "close" });
            if (viewer !== null) copy = fold(copy, viewer.got);
            viewer = null;
            host = await session.host();
          }
        }
        const log = await session.log();
        viewer ??= await session.viewer(copy ?? undefined);
        expect(inOrder(await upTo(viewer, copy, log.cursor))).toEqual(log.rows);
      }),
      { numRuns: 8 },
    );
  }, 30_000);
});

describe("L3: previews", () => {
  it("L3: pass to viewers with offsets; an attach in the middle gets the whole so far; the finished item settles it", async () => {
    const { session, host } = await LiveSession.running();
    const { viewer } = await attached(session);
    host.send(preview(session, 0, "Hel"));
    host.send(preview(session, 3, "lo"));
    expect(await viewer.next("session.preview")).toMatchObject({ offset: 0, text: "Hel" });
    expect(await viewer.next("session.preview")).toMatchObject({ offset: 3, text: "lo" });
    const { viewer: late } = await attached(session);
    expect(await late.next("session.preview")).toMatchObject({ offset: 0, text: "Hello" });
    late.send({ type: "whole", item_id: "i1" });
    expect(await late.next("session.preview")).toMatchObject({ offset: 0, text: "Hello" });
    await session.tell(host, text("i1", "Hello."));
    const { viewer: later } = await attached(session);
    await session.tell(host, text("i2", "more"));
    await later.next("session.message.added");
    expect(later.got.filter((frame) => frame.type === "session.preview")).toEqual([]);
    expect(JSON.stringify(await session.log())).not.toContain('"Hello"');
  });

  it("L3: a gap asks for the whole item, also the one that an eviction leaves", async () => {
    const { session, host } = await LiveSession.running();
    const { viewer } = await attached(session);
    host.send(preview(session, 5, "gap"));
    expect(await host.next("preview.whole")).toEqual({ type: "preview.whole", item_id: "i1" });
    host.send(preview(session, 0, "Hello, "));
    await viewer.next("session.preview");
    await evictDurableObject(session.stub, { webSockets: "hibernate" });
    host.send(preview(session, 7, "you"));
    expect(await host.next("preview.whole")).toEqual({ type: "preview.whole", item_id: "i1" });
    viewer.send({ type: "whole", item_id: "i1" });
    await host.next("preview.whole");
    host.send(preview(session, 0, "Hello, you"));
    expect(await viewer.next("session.preview")).toMatchObject({ offset: 0, text: "Hello, you" });
  });

  it("L3: what streamed of an execution that ended is shown to nobody any more", async () => {
    const { session, host } = await LiveSession.running();
    host.send(preview(session, 0, "unfinished"));
    await session.tell(host, {
      type: "execution.ended",
      end_reason: "interrupted",
      failure: null,
      exit_code: null,
      signal: "SIGKILL",
      died: "agent",
      found: "live",
      group_dead: true,
    });
    const { viewer } = await attached(session);
    await session.tell(host, { type: "notice", level: "info", code: "x", text: "after" });
    await viewer.next("session.log");
    expect(viewer.got.filter((frame) => frame.type === "session.preview")).toEqual([]);
  });

  it("L3: who looks is told to the host: watch on, and off", async () => {
    const { session, host } = await LiveSession.running();
    const { viewer } = await attached(session);
    expect(await host.next("watch")).toEqual({ type: "watch", on: true });
    expect(await session.stub.facts()).toMatchObject({ attached: true });
    viewer.close();
    expect(await host.next("watch")).toEqual({ type: "watch", on: false });
    expect(await session.stub.facts()).toMatchObject({ attached: false });
  });
});

describe("L4: slow viewers", () => {
  it("L4: nothing more after 256 KiB, others go on; once it has caught up, a snapshot, `slow`; all across hibernation", async () => {
    const { session, host } = await LiveSession.running();
    const [{ viewer: slow }, { viewer: good }] = [await attached(session), await attached(session)];
    const chunk = "x".repeat(50_000);
    for (let n = 0; n < 12; n += 1) {
      await session.tell(host, text(`i${n}`, chunk));
      await good.next("session.message.added");
      good.send({ type: "seen", cursor: 0, bytes: good.bytes });
      if (n === 8) await evictDurableObject(session.stub, { webSockets: "hibernate" });
    }
    // It would still fit: but what came before it did not, and a copy with a hole is none.
    await session.tell(host, text("small", "x"));
    const { cursor } = await session.log();
    await upTo(good, null, cursor);
    expect(slow.got.some((frame) => "row" in frame && frame.row.id.endsWith(":small"))).toBe(false);
    expect(slow.bytes).toBeLessThan(256 * 1024);
    expect(slow.bytes).toBeGreaterThan(200 * 1024);
    // Some of it is not enough.
    slow.send({ type: "seen", cursor: 0, bytes: slow.bytes - 100_000 });
    slow.send({ type: "seen", cursor: 0, bytes: slow.bytes });
    const caught = await slow.next("session.snapshot");
    expect(caught).toMatchObject({ why: "slow", cursor });
    slow.send({ type: "seen", cursor, bytes: slow.bytes });
    await session.tell(host, text("last", "live again"));
    const copy = await upTo(slow, null, cursor + 1);
    expect(inOrder(copy)).toEqual((await session.log()).rows.slice(-copy.rows.size));
  });
});

describe("S6: bad frames of a viewer", () => {
  it("S6: each is told by an error frame; the socket, the others and the object live", async () => {
    const { session, host } = await LiveSession.running();
    const [{ viewer }, { viewer: other }] = [await attached(session), await attached(session)];
    const before = await session.log();
    const bad: [string | ArrayBuffer, object][] = [
      ["{", { code: "invalid_json" }],
      ['{"type":"seen","cursor":-1,"bytes":0}', { code: "invalid_field", field: "cursor" }],
      ['{"type":"prompt","text":"by the wrong door"}', { code: "invalid_field", field: "type" }],
      [JSON.stringify({ type: "whole", item_id: "x".repeat(1_100_000) }), { code: "too_large" }],
      [new Uint8Array([0, 1]).buffer, { code: "invalid_json" }],
    ];
    for (const [frame, told] of bad) {
      viewer.raw(frame);
      expect(await viewer.next("error")).toMatchObject({ ...told, retry: "never" });
    }
    // Claims more than it was sent: believed up to that.
    viewer.send({ type: "seen", cursor: 1e9, bytes: 1e12 });
    viewer.send({ type: "whole", item_id: "unknown" });
    expect(await session.log()).toEqual(before);
    await session.tell(host, text("i1", "goes on"));
    await viewer.next("session.message.added");
    await other.next("session.message.added");
  });

  it("S6: a cursor that is none is refused before any object is asked", async () => {
    const session = await LiveSession.create();
    for (const since of ["abc", "-1", "1.5", "1e99"]) {
      const response = await call(`/api/sessions/${session.id}/ws?log=x&since=${since}`, {
        headers: { ...session.person.headers, upgrade: "websocket" },
      });
      expect(response.status, since).toBe(400);
      expect(await response.json()).toMatchObject({ error: { code: "invalid_field", details: { field: "since" } } });
    }
  });

  it("an attachment of an unknown shape (a deploy): that viewer comes back, the others see nothing of it", async () => {
    const { session, host } = await LiveSession.running();
    const [{ viewer }, { viewer: other }] = [await attached(session), await attached(session)];
    await runInDurableObject(session.stub, (_object, ctx) => {
      // Newest first or last, the platform doesn't say: any one.
      ctx.getWebSockets(VIEWER_TAG)[0]?.serializeAttachment({ of: "yesterday" });
    });
    await session.tell(host, text("i1", "one"));
    const gone = await Promise.race([viewer, other].map(async (one) => ({ one, code: await one.closed })));
    expect(gone.code).toBe(4408);
    await (gone.one === viewer ? other : viewer).next("session.message.added");
  });
});
