import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readConfig } from "../../agents/config.ts";
import { sessionPaths } from "../../host/paths.ts";
import { DockerConfig } from "./config.ts";
import { containerOptions } from "./container.ts";

const dir = mkdtempSync(join(tmpdir(), "docker-config-"));
afterAll(() => rmSync(dir, { recursive: true }));
const owner = { node_id: "nod_1", state_id: "state-1" };
const session = { session_id: "ses_aaaaaaaaaaaaaaaa", runtime: "docker" as const, workspace: "/work/here" };
const options = (config: Record<string, unknown>, spec: Parameters<typeof containerOptions>[0]["spec"] = null) =>
  containerOptions(
    { paths: sessionPaths("/state/sessions/ses_1"), session, spec },
    DockerConfig.parse({ image: "img", ...config }),
    owner,
    { user: "1000:1000", env: { REPRISE_LIMITS: "{}" } },
  );

describe("docker in config.json", () => {
  it("S4: a machine runs nothing but processes unless its owner says so, and names an image", () => {
    const file = join(dir, "config.json");
    expect(readConfig(file).runtimes).toEqual(["standalone"]);
    writeFileSync(file, JSON.stringify({ runtimes: ["docker"] }));
    expect(() => readConfig(file)).toThrow("docker.image");
    writeFileSync(file, JSON.stringify({ runtimes: ["docker"], docker: { image: "x", memory: "2x" } }));
    expect(() => readConfig(file)).toThrow("docker.memory");
    writeFileSync(file, JSON.stringify({ runtimes: ["docker"], docker: { image: "x", mounts: [{ source: "rel" }] } }));
    expect(() => readConfig(file)).toThrow("absolute");
  });

  it("X2: the host is the main process under an init, nothing restarts it but the daemon, the state folder is there", () => {
    expect(options({})).toMatchObject({
      name: "reprise-ses_aaaaaaaaaaaaaaaa",
      Image: "img",
      Cmd: ["/reprise/session"],
      User: "1000:1000",
      Env: ["REPRISE_LIMITS={}"],
      Labels: {
        "reprise.session_id": session.session_id,
        "reprise.node_id": "nod_1",
        "reprise.state_id": "state-1",
      },
      HostConfig: {
        Init: true,
        NetworkMode: "bridge",
        RestartPolicy: { Name: "no" },
        Mounts: [
          { Type: "bind", Source: "/state/sessions/ses_1", Target: "/reprise/session", ReadOnly: false },
          { Type: "bind", Source: "/state/sessions/ses_1/own", Target: "/reprise/session/own", ReadOnly: true },
          { Type: "bind", Source: "/work/here", Target: "/work/here", ReadOnly: false },
        ],
      },
    });
  });

  it("image, mounts, network, limits, user and env are the owner's", () => {
    const made = options({
      network: "none",
      memory: "2g",
      cpus: 1.5,
      user: "7:7",
      env: { A: "1" },
      mounts: [
        { source: "/opt/x", read_only: true },
        { source: "/y", target: "/z" },
      ],
    });
    expect(made).toMatchObject({
      User: "7:7",
      Env: ["A=1", "REPRISE_LIMITS={}"],
      HostConfig: { NetworkMode: "none", Memory: 2 * 1024 ** 3, NanoCpus: 1_500_000_000 },
    });
    expect(made.HostConfig?.Mounts?.slice(3)).toEqual([
      { Type: "bind", Source: "/opt/x", Target: "/opt/x", ReadOnly: true },
      { Type: "bind", Source: "/y", Target: "/z", ReadOnly: false },
    ]);
  });

  it("a worktree comes with what git needs of its repository, at the same paths", () => {
    const worktree = { repo: dir, path: "/work/tree", branch: "b", base: null };
    const mounts = options({}, { cwd: "/work/tree/sub", worktree }).HostConfig?.Mounts;
    expect(mounts?.map((mount) => mount.Target)).toEqual([
      "/reprise/session",
      "/reprise/session/own",
      "/work/tree",
      dir,
    ]);
  });
});
