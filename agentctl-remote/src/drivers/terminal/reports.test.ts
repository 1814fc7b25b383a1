import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { until } from "../../host/testing.ts";
import { listReports, Reports, type Taken } from "./reports.ts";

let folder = "";
let open: Reports | null = null;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "reports-"));
});
afterEach(() => {
  open?.close();
  rmSync(folder, { recursive: true, force: true });
});

function drop(name: string, text: string, atMs: number): void {
  const path = join(folder, name);
  writeFileSync(`${path}.tmp`, text);
  utimesSync(`${path}.tmp`, atMs / 1_000, atMs / 1_000);
  renameSync(`${path}.tmp`, `${path}.report`);
}
const exit = (status: number) => `exit exe_aaaa0001 ${status} -\n`;
const HOOK = 'hook claude-code 1\n{"n":1}';

function reader(answer: (status: number) => Taken) {
  const taken: string[] = [];
  const reports = new Reports({
    folder,
    log: () => undefined,
    take: (report) => {
      if (report.type !== "exit") {
        taken.push(report.type);
        return "taken";
      }
      const now = answer(report.status);
      if (now !== "later") taken.push(`exit ${report.status}`);
      return now;
    },
  });
  open = reports;
  return { reports, taken };
}

describe("the reports' folder", () => {
  it("is read in the order of time; of one moment, an agent's words come before its end", () => {
    drop("a", exit(2), 2_000);
    drop("b", exit(1), 1_000);
    drop("c", HOOK, 2_000);
    expect(listReports(folder).map(({ report, at }) => [report.type, at])).toEqual([
      ["exit", 1_000],
      ["hook", 2_000],
      ["exit", 2_000],
    ]);
  });

  it("S4, S6: what is no report, or too long for one, is thrown away", () => {
    drop("a", "rubbish\n", 1_000);
    drop("b", `${HOOK}${" ".repeat(300_000)}`, 1_000);
    expect(listReports(folder)).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("S6: what an agent puts there instead of a file holds up nobody, and no report beside it", () => {
    execFileSync("mkfifo", [join(folder, "a.report")]);
    mkdirSync(join(folder, "b.report", "in"), { recursive: true });
    symlinkSync("/dev/zero", join(folder, "c.report"));
    symlinkSync(join(folder, "nowhere"), join(folder, "d.report"));
    drop("e", exit(1), 1_000);
    expect(listReports(folder).map(({ name }) => name)).toEqual(["e.report"]);
    expect(readdirSync(folder)).toEqual(["e.report"]);
    expect(listReports(join(folder, "e.report"))).toEqual([]);
  });

  it("each is taken as it comes, once, and is gone", async () => {
    const { reports, taken } = reader(() => "taken");
    drop("a", HOOK, 1_000);
    await until("it", () => taken.length === 1);
    drop("b", exit(1), 2_000);
    await until("the next", () => taken.length === 2);
    reports.look();
    expect(taken).toEqual(["hook", "exit 1"]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("P5: what is not on disk yet stays until it is, and is not taken twice", () => {
    const { reports, taken } = reader(() => "held");
    drop("a", exit(1), 1_000);
    reports.look();
    reports.look();
    expect([taken, readdirSync(folder)]).toEqual([["exit 1"], ["a.report"]]);
    reports.release();
    expect([taken, readdirSync(folder)]).toEqual([["exit 1"], []]);
  });

  it("P5: what can't be taken now stays, and all that came after it", () => {
    let full = true;
    const { reports, taken } = reader(() => (full ? "later" : "taken"));
    drop("a", exit(1), 1_000);
    drop("b", HOOK, 2_000);
    reports.look();
    expect(taken).toEqual([]);
    full = false;
    reports.look();
    expect(taken).toEqual(["exit 1", "hook"]);
  });

  it("a session's folder that is gone holds none", () => {
    expect(listReports(join(folder, "gone"))).toEqual([]);
  });
});
