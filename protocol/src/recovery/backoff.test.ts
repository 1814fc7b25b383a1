import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_RESUME_ATTEMPTS, reconnectDelay, resumeDelay } from "./backoff.ts";

const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe("N4: reconnecting", () => {
  it("N4: the first within 3 s, then full jitter to 5 s, to 30 s after five minutes, for ever", () => {
    fc.assert(
      fc.property(fc.nat(10_000), fc.nat(10_000_000), random, (attempt, since, r) => {
        const cap = attempt === 0 ? 3_000 : since < 300_000 ? 5_000 : 30_000;
        const delay = reconnectDelay(attempt, since, r);
        expect(delay).toBeGreaterThanOrEqual(0);
        expect(delay).toBeLessThanOrEqual(cap);
      }),
    );
    expect(reconnectDelay(1, 0, 0.999)).toBeLessThanOrEqual(1_000);
    expect(reconnectDelay(100, 400_000, 0.999)).toBeGreaterThan(29_000);
  });
});

describe("X5: attempts", () => {
  it("X5: 5, 10, 20, 40, 60 s, jittered by a fifth, then none", () => {
    expect([1, 2, 3, 4, 5].map((n) => resumeDelay(n, 0.5))).toEqual([5_000, 10_000, 20_000, 40_000, 60_000]);
    expect(resumeDelay(MAX_RESUME_ATTEMPTS + 1, 0.5)).toBeNull();
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), random, (n, r) => {
        const middle = resumeDelay(n, 0.5) ?? 0;
        expect(Math.abs((resumeDelay(n, r) ?? 0) - middle)).toBeLessThanOrEqual(middle * 0.2 + 1);
      }),
    );
  });
});
