import { describe, expect, it } from "vitest";
import type { Machine } from "./apt.ts";
import { ensureChromium } from "./chromium.ts";

function machine(there: string[], more: Partial<Machine> = {}): Machine {
  return {
    platform: "linux",
    isRoot: false,
    hasApt: false,
    wished: undefined,
    runs: (command) => there.includes(command),
    install: async () => {
      throw new Error("must not install");
    },
    ...more,
  };
}

const quiet = () => undefined;

describe("a Chromium for the end-to-end tests", () => {
  it("takes the one that CHROMIUM names before all others", async () => {
    const here = machine(["chromium", "/opt/c"], { wished: "/opt/c" });
    expect(await ensureChromium(here, quiet)).toBe("/opt/c");
  });

  it("does not fall back behind a CHROMIUM that does not run", async () => {
    await expect(ensureChromium(machine(["chromium"], { wished: "/opt/c" }), quiet)).rejects.toThrow("/opt/c");
  });

  it.each(["chromium", "chromium-browser", "google-chrome"])("finds %s", async (name) => {
    expect(await ensureChromium(machine([name]), quiet)).toBe(name);
  });

  it("finds Chrome.app on a Mac only", async () => {
    const app = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";
    expect(await ensureChromium(machine([app], { platform: "darwin" }), quiet)).toBe(app);
    await expect(ensureChromium(machine([app]), quiet)).rejects.toThrow("Install Chromium or Google Chrome");
  });

  it("installs by apt-get as root, and tells the size before", async () => {
    const there: string[] = [];
    const said: string[] = [];
    const here = machine(there, {
      isRoot: true,
      hasApt: true,
      install: async () => {
        expect(said.join()).toContain("400 MB");
        return there.push("chromium") > 0;
      },
    });
    expect(await ensureChromium(here, (line) => said.push(line))).toBe("chromium");
  });

  it("says that apt-get's package did not run where it did not", async () => {
    const here = machine([], { isRoot: true, hasApt: true, install: async () => true });
    await expect(ensureChromium(here, quiet)).rejects.toThrow("apt-get gave no Chromium that runs");
  });

  it("says that installing wants root, and the command", async () => {
    await expect(ensureChromium(machine([], { hasApt: true }), quiet)).rejects.toThrow("sudo apt-get install chromium");
  });
});
