import { describe, expect, it } from "vitest";
import { parseOptions } from "./options.ts";
import { summary } from "./summary.ts";
import { countsOf } from "./vitest.ts";

const unit = { name: "unit", passed: 12, failed: 0, skipped: 0, ms: 4200 };

describe("the closing lines of npm test", () => {
  it("ends with the count alone on its line", () => {
    expect(summary([unit], []).at(-1)).toBe("12 passed, 0 failed");
  });

  it("adds skipped tests only if there are some", () => {
    expect(summary([unit, { ...unit, name: "e2e", skipped: 2 }], []).at(-1)).toBe("24 passed, 0 failed, 2 skipped");
  });

  it("says right before it what was left out", () => {
    expect(summary([unit], ["the real agents."]).at(-2)).toBe("Left out: the real agents.");
  });

  it("shows a step that could not run, and why", () => {
    const lines = summary([unit, { ...unit, name: "e2e", passed: 0, failed: 1, notRun: "the build failed" }], []);
    expect(lines.find((line) => line.startsWith("e2e"))).toContain("not run: the build failed");
    expect(lines.at(-1)).toBe("12 passed, 1 failed");
  });
});

describe("counts of a Vitest run", () => {
  const report = { numPassedTests: 3, numFailedTests: 0, numPendingTests: 1, numTodoTests: 0 };

  it("come from its report", () => {
    expect(countsOf(report, 0)).toEqual({ passed: 3, failed: 0, skipped: 1 });
  });

  it("hold a failure where a file could not be loaded, and no test failed", () => {
    expect(countsOf(report, 1)).toEqual({ passed: 3, failed: 1, skipped: 1 });
  });

  it("hold a failure where it could not start at all", () => {
    expect(countsOf(null, 1)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });
});

describe("options", () => {
  it("takes its own flag out and hands the rest to Vitest", () => {
    expect(parseOptions(["-t", "R3", "--without-real-agents"], undefined)).toEqual({
      realAgents: false,
      filters: ["-t", "R3"],
    });
  });

  it("heeds REPRISE_REAL_AGENTS=0", () => {
    expect(parseOptions([], "0").realAgents).toBe(false);
    expect(parseOptions([], undefined).realAgents).toBe(true);
  });
});
