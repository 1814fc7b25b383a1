import { describe, expect, it } from "vitest";
import { type Sight, type Verdict, verdict } from "./verdict.ts";

const at = (status: string): Sight => ({ status });

describe("what a silent socket means (X2)", () => {
  it.each<[Sight, boolean, Verdict]>([
    [null, false, "none"],
    // Its conversation was in it: never a fresh one in its place (R4).
    [null, true, "gone"],
    [at("created"), false, "stopped"],
    [at("created"), true, "stopped"],
    [at("exited"), true, "stopped"],
    [at("dead"), true, "stopped"],
    // Unknown is not dead (T3).
    [at("running"), true, "silent"],
    [at("paused"), true, "silent"],
    [at("restarting"), true, "silent"],
    [at("removing"), true, "silent"],
    [at("a state of a later engine"), true, "silent"],
  ])("%j, had one: %s -> %s", (sight, had, expected) => {
    expect(verdict(sight, had, false)).toBe(expected);
  });

  it("X7: whoever holds the spool lives, whatever the engine says", () => {
    for (const sight of [null, at("exited"), at("running")])
      for (const had of [true, false]) expect(verdict(sight, had, true)).toBe("silent");
  });
});
