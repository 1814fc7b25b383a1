import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { emptyCopy, foldRows, inOrder } from "./fold.ts";
import type { LogRow } from "./row.ts";

const row = (id: number, pos: number, seq: number): LogRow => ({
  id: `n:${id}`,
  pos,
  seq,
  execution_id: null,
  body: { kind: "notice", level: "info", code: "x", text: String(seq), at: 0 },
});

describe("L2: a viewer's copy", () => {
  it("L2: equals the last change of every row, whatever the order and however often it is told", () => {
    const changes = fc
      .array(fc.integer({ min: 1, max: 8 }), { minLength: 1, maxLength: 40 })
      .map((ids) => ids.map((id, i) => row(id, id, i + 1)));
    fc.assert(
      fc.property(
        changes.chain((all) =>
          fc.tuple(fc.constant(all), fc.shuffledSubarray([...all, ...all], { minLength: all.length * 2 })),
        ),
        ([all, told]) => {
          const copy = told.reduce((c, r) => foldRows(c, [r], r.seq), emptyCopy("log_000001"));
          const truth = foldRows(emptyCopy("log_000001"), all, all.length);
          expect(inOrder(copy)).toEqual(inOrder(truth));
          expect(copy.cursor).toBe(all.length);
        },
      ),
    );
  });
});
