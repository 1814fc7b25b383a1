import { describe, expect, it } from "vitest";
import { peak, percentile } from "./budget.ts";
import { startsAtATime } from "./judge.ts";

const start = (began_at: number, over_at: number | null, automatic = true, machine = "box-1") => ({
  machine,
  session_id: "ses_000001",
  automatic,
  began_at,
  over_at,
});

describe("what the fleet's measures say", () => {
  it("X5: starts of one machine overlap, others' and people's don't count, old ones are told apart", () => {
    const starts = [
      start(0, 10_000),
      start(0, 1_000),
      start(500, 900),
      start(600, 700, false),
      start(600, 700, true, "b"),
    ];
    expect(startsAtATime(starts, 3_000)).toEqual({ young: 3, all: 3 });
    expect(startsAtATime([start(0, 10_000), start(5_000, null)], 3_000)).toEqual({ young: 1, all: 2 });
    expect(startsAtATime([start(0, 1_000), start(1_000, 2_000)], 3_000)).toEqual({ young: 1, all: 1 });
  });

  it("percentiles and peaks", () => {
    expect(percentile([5, 1, 3, 2, 4], 0.5)).toBe(3);
    expect(percentile([1, 2, 3, 4], 0.95)).toBe(4);
    expect(peak([1, 50, 99, 100, 250], 100)).toBe(3);
  });
});
