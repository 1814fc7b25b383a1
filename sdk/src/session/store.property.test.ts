import type { LogRow, ViewerDown } from "@reprise/protocol";
import fc from "fast-check";
import { expect, it } from "vitest";
import { ModelLog, preview, rowFrame, SESSION } from "../testing/model.ts";
import { emptySession, type SessionCopy, type SessionEvent } from "./state.ts";
import { stepSession } from "./store.ts";
import { conversation } from "./view.ts";

type Action =
  | { do: "write"; items: number[]; done: boolean; early: boolean }
  | { do: "deliver"; count: number }
  | { do: "lose" }
  | { do: "connect"; piece: number; newest: number }
  | { do: "slow"; newest: number }
  | { do: "other_log" }
  | { do: "stretch"; item: number; offset: number }
  | { do: "ask_older"; limit: number }
  | { do: "older_arrives" };

const small = (min: number, max: number) => fc.integer({ min, max });
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("write" as const),
      items: fc.array(small(0, 9), { minLength: 1, maxLength: 6 }),
      done: fc.boolean(),
      early: fc.boolean(),
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant("deliver" as const), count: small(1, 6) }) },
  { weight: 5, arbitrary: fc.constant({ do: "lose" as const }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant("connect" as const), piece: small(1, 4), newest: small(1, 12) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("slow" as const), newest: small(1, 12) }) },
  { weight: 1, arbitrary: fc.constant({ do: "other_log" as const }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("stretch" as const), item: small(0, 9), offset: small(0, 8) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("ask_older" as const), limit: small(1, 5) }) },
  { weight: 2, arbitrary: fc.constant({ do: "older_arrives" as const }) },
);

/** A server, the frames on their way, and a viewer that may lose its socket at any frame. */
class World {
  log = new ModelLog();
  /** Every change ever made, to fold them afresh up to any cursor. */
  changes = new Map<string, LogRow[]>([[this.log.log_id, []]]);
  wire: ViewerDown[] | null = null;
  pages: SessionEvent[] = [];
  viewer: SessionCopy = emptySession(SESSION, 0);

  on(event: SessionEvent): void {
    const { state, effects } = stepSession(this.viewer, event, 0);
    this.viewer = state;
    if (effects.some(({ type }) => type === "restart")) this.lose();
  }

  lose(): void {
    this.wire = null;
    this.on({ type: "lost" });
  }

  write(item: number, a: { done: boolean; early: boolean }): void {
    const { row, added } = this.log.write(item, a.done);
    this.changes.get(this.log.log_id)?.push(row);
    const next = this.wire?.[0];
    // A server that goes on telling while its catch-up is under way.
    if (a.early && next?.type === "session.catchup" && !next.live) this.wire?.unshift(rowFrame(row, added));
    else this.wire?.push(rowFrame(row, added));
  }

  run(a: Action): void {
    switch (a.do) {
      case "write":
        for (const item of a.items) this.write(item, a);
        return;
      case "deliver":
        for (let i = 0; i < a.count; i++) {
          const frame = this.wire?.shift();
          if (frame) this.on({ type: "frame", frame });
        }
        return;
      case "lose":
        this.lose();
        return;
      case "connect": {
        if (this.wire) return;
        const known = this.viewer.log;
        const same = known?.log_id === this.log.log_id;
        this.wire = same ? this.log.catchup(known.cursor, a.piece) : [this.log.snapshot("first", a.newest)];
        return;
      }
      case "slow":
        // What was on its way stays; what would have followed is one snapshot.
        this.wire?.push(this.log.snapshot("slow", a.newest));
        return;
      case "other_log":
        this.log = new ModelLog();
        this.log.log_id = `log_${this.changes.size + 1}000`;
        this.changes.set(this.log.log_id, []);
        this.lose();
        return;
      case "stretch":
        this.wire?.push(preview(`itm_${a.item}`, a.offset, "..."));
        return;
      case "ask_older": {
        const from = this.viewer.log?.from_pos ?? 0;
        if (from > 0 && this.viewer.log?.log_id === this.log.log_id)
          this.pages.push({ type: "older", before: from, page: this.log.older(from, a.limit) });
        return;
      }
      case "older_arrives": {
        const page = this.pages.shift();
        if (page) this.on(page);
        return;
      }
    }
  }

  /** The rows that the copy shows must be those of the fold up to its cursor, or newer where it was told so. */
  check(): void {
    const { log } = this.viewer;
    if (!log) return;
    const fold = new Map<string, LogRow>();
    for (const row of this.changes.get(log.log_id) ?? []) if (row.seq <= log.cursor) fold.set(row.id, row);
    const shown = conversation(this.viewer).rows;
    expect(new Set(shown.map(({ id }) => id)).size).toBe(shown.length);
    expect(shown.map(({ pos }) => pos)).toEqual(shown.map(({ pos }) => pos).sort((a, b) => a - b));
    const byId = new Map(shown.map((row) => [row.id, row]));
    for (const row of fold.values()) {
      if (row.pos < log.from_pos) continue;
      // In the middle of a catch-up, a row that changed again above the cursor comes in a later piece.
      const newest = (this.changes.get(log.log_id) ?? []).findLast(({ id }) => id === row.id);
      if (this.viewer.connection.kind !== "live" && (newest?.seq ?? 0) > log.cursor) continue;
      expect(byId.get(row.id)?.seq ?? 0).toBeGreaterThanOrEqual(row.seq);
    }
    for (const row of shown) {
      const all = this.changes.get(log.log_id) ?? [];
      expect(all.some((told) => told.id === row.id && told.seq === row.seq)).toBe(true);
    }
  }
}

it("L2: a viewer's copy is the fold of all changes up to its cursor, whatever happens to its sockets", () => {
  fc.assert(
    fc.property(fc.array(action, { minLength: 5, maxLength: 120 }), (actions) => {
      const world = new World();
      for (const a of actions) {
        world.run(a);
        world.check();
      }
      // In the end it connects and takes in all: then it is exactly the server's log, from its oldest place on.
      world.lose();
      world.run({ do: "connect", piece: 3, newest: 5 });
      world.run({ do: "deliver", count: 1_000 });
      world.check();
      const { log, connection } = world.viewer;
      expect(connection).toEqual({ kind: "live" });
      expect(log?.cursor).toBe(world.log.seq);
      const want = [...world.log.rows.values()].filter((row) => row.pos >= (log?.from_pos ?? 0));
      const have = [...(log?.rows.values() ?? [])].filter((row) => row.pos >= (log?.from_pos ?? 0));
      expect(have.sort((a, b) => a.pos - b.pos)).toEqual(want.sort((a, b) => a.pos - b.pos));
    }),
    { numRuns: 400 },
  );
});
