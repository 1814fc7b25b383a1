import { describe, expect, it } from "vitest";
import { recordMatches } from "./install.mjs";

const a = { version: "1.0.0", integrity: "sha512-a" };
const lock = {
  packages: {
    "": { name: "root" },
    worker: { name: "@reprise/worker" },
    "node_modules/a": a,
    "node_modules/other-system": { version: "1.0.0", optional: true },
  },
};
const record = (packages: Record<string, object>) => ({ packages });

describe("whether node_modules is what the lock file asks for", () => {
  it("it is, with the packages of other systems absent", () => {
    expect(recordMatches(lock, record({ "node_modules/a": a }))).toBe(true);
  });

  it.each([
    ["nothing was installed", null],
    ["a package is missing", record({})],
    ["one has another version", record({ "node_modules/a": { ...a, version: "1.0.1" } })],
    ["one has other contents", record({ "node_modules/a": { ...a, integrity: "sha512-b" } })],
    ["one is left from another lock file", record({ "node_modules/a": a, "node_modules/b": a })],
  ])("it is not where %s", (_, there) => {
    expect(recordMatches(lock, there)).toBe(false);
  });
});
