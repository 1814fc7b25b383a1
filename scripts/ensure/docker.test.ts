import { describe, expect, it } from "vitest";
import type { Machine } from "./apt.ts";
import { ensureDockerd } from "./docker.ts";

function machine(there: string[], more: Partial<Machine> = {}): Machine {
  return {
    platform: "linux",
    isRoot: true,
    hasApt: false,
    wished: undefined,
    runs: (command) => there.includes(command),
    install: async () => {
      throw new Error("must not install");
    },
    ...more,
  };
}

async function asked(of: Machine): Promise<{ dockerd: string | null; said: string }> {
  const said: string[] = [];
  const dockerd = await ensureDockerd(of, (line) => said.push(line));
  return { dockerd, said: said.join("\n") };
}

describe("a Docker engine for the end-to-end tests", () => {
  it("takes the one that REPRISE_DOCKERD names, else one that is there", async () => {
    expect(await asked(machine(["dockerd", "/opt/d"], { wished: "/opt/d" }))).toMatchObject({ dockerd: "/opt/d" });
    expect(await asked(machine(["/usr/sbin/dockerd"]))).toMatchObject({ dockerd: "/usr/sbin/dockerd", said: "" });
  });

  it("installs docker.io by apt-get as root, and tells the size before", async () => {
    const there: string[] = [];
    const install = async () => there.push("dockerd") > 0;
    const { dockerd, said } = await asked(machine(there, { hasApt: true, install }));
    expect(dockerd).toBe("dockerd");
    expect(said).toContain("300 MB");
  });

  it.each<[string, Partial<Machine>]>([
    ["REPRISE_DOCKERD is empty", { wished: "" }],
    ["no engine that runs", { wished: "/nowhere" }],
    ["only Linux", { platform: "darwin" }],
    ["needs root", { isRoot: false }],
    ["set REPRISE_DOCKERD", {}],
    ["apt-get gave no dockerd", { hasApt: true, install: async () => false }],
  ])("leaves the Docker tests out, and says why: %s", async (why, more) => {
    const { dockerd, said } = await asked(machine([], more));
    expect(dockerd).toBeNull();
    expect(said).toMatch(
      /^The tests of sessions in Docker are left out:|\nThe tests of sessions in Docker are left out:/,
    );
    expect(said).toContain(why);
  });
});
