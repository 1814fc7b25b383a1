import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { lastLines, openLog } from "./log-file.ts";
import { hashSources, unlessBuilt } from "./sources.ts";
import { keepPort, lastPort, makeStateFolder, setupSecret, stateFolder } from "./state.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "reprise-state-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("the state folder", () => {
  it("S2: keeps one setup secret, for this user alone", () => {
    const state = stateFolder(folder);
    makeStateFolder(state);
    const secret = setupSecret(state);
    expect(secret).toHaveLength(43);
    expect(setupSecret(state)).toBe(secret);
    expect(statSync(state.secret).mode & 0o777).toBe(0o600);
    expect(statSync(state.controlPlane).mode & 0o777).toBe(0o700);
  });

  it("keeps the port, and takes nonsense for none", () => {
    const state = stateFolder(folder);
    expect(lastPort(state)).toBeNull();
    keepPort(state, 9123);
    expect(lastPort(state)).toBe(9123);
    writeFileSync(state.port, "x");
    expect(lastPort(state)).toBeNull();
  });
});

describe("logs", () => {
  it("give their last lines, and say when there are none", () => {
    const file = join(folder, "a.log");
    expect(lastLines(file)).toBe("(it is empty)");
    writeFileSync(file, "1\n2\n3\n");
    expect(lastLines(file, 2)).toBe("2\n3");
  });

  it("are moved aside once they are too large", () => {
    const file = join(folder, "a.log");
    writeFileSync(file, "x".repeat(6 * 1024 * 1024));
    writeFileSync(openLog(file), "new");
    expect(readFileSync(file, "utf8")).toBe("new");
    expect(statSync(`${file}.1`).size).toBe(6 * 1024 * 1024);
  });
});

describe("builds", () => {
  it("run again only for other sources, or without their product", async () => {
    const product = join(folder, "out");
    const source = join(folder, "src.ts");
    const what = { root: folder, stamp: join(folder, "stamp"), sources: ["src.ts"], product };
    const build = () => unlessBuilt(what, async () => writeFileSync(product, ""));
    writeFileSync(source, "1");
    expect(await build()).toBe(true);
    expect(await build()).toBe(false);
    writeFileSync(source, "2");
    expect(await build()).toBe(true);
    rmSync(product);
    expect(await build()).toBe(true);
  });

  it("don't depend on tests", () => {
    writeFileSync(join(folder, "a.ts"), "a");
    const before = hashSources(folder, [""]);
    writeFileSync(join(folder, "a.test.ts"), "b");
    expect(hashSources(folder, [""])).toBe(before);
    writeFileSync(join(folder, "c.ts"), "c");
    expect(hashSources(folder, [""])).not.toBe(before);
  });
});
