import { expect, it } from "vitest";
import { ago, clockTime, fullTime, span, took } from "./time.ts";

it("T4: a span is said in its largest unit", () => {
  expect([0, 8_900, 60_000, 3_599_000, 7_200_000, 200_000_000].map(span)).toEqual([
    "0 s",
    "8 s",
    "1 min",
    "59 min",
    "2 h",
    "2 d",
  ]);
});

it("a clock that runs behind the server's never says a negative time", () => {
  expect(span(-5_000)).toBe("0 s");
  expect(ago(10_000, 5_000)).toBe("now");
});

it("work is measured in tenths only while these matter", () => {
  expect([30, 420, 9_990, 12_400, 60_000, 125_000].map(took)).toEqual([
    "0.1 s",
    "0.4 s",
    "10.0 s",
    "12 s",
    "1 min",
    "2 min 5 s",
  ]);
});

it("a time of today has no day, an older one does", () => {
  const now = new Date(2026, 10, 30, 15, 0).getTime();
  expect(clockTime(new Date(2026, 10, 30, 14, 2).getTime(), now)).toBe("14:02");
  expect(clockTime(new Date(2026, 10, 27, 9, 5).getTime(), now)).toBe("Fri 09:05");
  expect(clockTime(new Date(2026, 9, 3, 9, 5).getTime(), now)).toBe("3 Oct 09:05");
});

it("a moment in full has its seconds", () => {
  expect(fullTime(new Date(2026, 10, 30, 9, 5, 7).getTime())).toBe("30 Nov 2026, 09:05:07");
});
