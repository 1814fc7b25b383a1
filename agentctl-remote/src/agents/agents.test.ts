import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentInfo } from "@reprise/protocol";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { until } from "../host/testing.ts";
import { Agents } from "./agents.ts";
import { readConfig } from "./config.ts";
import { candidates } from "./find.ts";
import { askVersion, probeAgent, readInitialized } from "./probe.ts";

let dir = "";
const path = process.env["PATH"];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "agents-"));
});
afterEach(() => {
  process.env["PATH"] = path;
  rmSync(dir, { recursive: true, force: true });
});

/** A program on PATH that answers `initialize`, counts its starts, and tells its version. */
function program(name: string, version: string): string {
  const file = join(dir, name);
  const answer = JSON.stringify({
    jsonrpc: "2.0",
    id: 0,
    result: { protocolVersion: 1, agentCapabilities: { loadSession: true, sessionCapabilities: { resume: {} } } },
  });
  writeFileSync(
    file,
    `#!/bin/sh
if [ "$1" = --version ]; then echo "${name} v${version} (test)"; exit 0; fi
echo start >> ${dir}/starts
read line
echo 'a line that is no answer'
echo '${answer}'
sleep 1000
`,
  );
  chmodSync(file, 0o755);
  return file;
}

const log = pino({ level: "silent" });
const config = readConfig("/nonexistent");

describe("agents of a machine", () => {
  it("N1: finds built-in agents on PATH and says how to get the others; npx only where its owner allows it", () => {
    program("codex-acp", "2.6.0");
    mkdirSync(join(dir, "bin"));
    program("npx", "1");
    process.env["PATH"] = dir;
    const found = candidates(config);
    expect(found.find((one) => one.agent_kind === "codex")).toMatchObject({ command: "codex-acp", hint: null });
    const claude = found.find((one) => one.agent_kind === "claude-code");
    expect(claude?.command).toBeNull();
    expect(claude?.hint).toContain("npm install -g @agentclientprotocol/claude-agent-acp");
    const allowed = candidates({ ...config, npx: true }).find((one) => one.agent_kind === "claude-code");
    expect(allowed).toMatchObject({ command: "npx", args: ["-y", "@agentclientprotocol/claude-agent-acp"] });
  });

  it("R1: probes in the background, remembers by program, and asks again when the program changed", async () => {
    const command = program("mine", "1.2.3");
    const agents = [{ agent_kind: "custom:mine", agent_name: "Mine", command, args: [], env: {} }];
    const starts = async (changed: AgentInfo[][]) =>
      await until("the probe", () => changed.at(-1)?.find((one) => one.status === "ready"));
    const open = (changed: AgentInfo[][]) =>
      new Agents({
        cachePath: join(dir, "agents.json"),
        config: { ...config, agents },
        log,
        changed: (list) => changed.push(list),
      });
    process.env["PATH"] = "/usr/bin:/bin";
    const first: AgentInfo[][] = [];
    expect(open(first).rescan().at(-1)).toMatchObject({ status: "unprobed", capabilities: null });
    expect(await starts(first)).toMatchObject({
      version: "1.2.3",
      capabilities: { load_session: true, resume_session: true, list_sessions: false },
    });
    expect(open([]).list().at(-1)).toMatchObject({ status: "ready", version: "1.2.3" });
    program("mine", "1.2.30");
    const second: AgentInfo[][] = [];
    expect(open(second).rescan().at(-1)).toMatchObject({ status: "unprobed" });
    expect(await starts(second)).toMatchObject({ version: "1.2.30" });
  });

  it("N1: a terminal agent is found beside its ACP adapter, and only its version is asked, once", async () => {
    program("claude", "2.1.3");
    process.env["PATH"] = `${dir}:/usr/bin:/bin`;
    const changed: AgentInfo[][] = [];
    const open = () =>
      new Agents({ cachePath: join(dir, "agents.json"), config, log, changed: (list) => changed.push(list) });
    const claude = (list: AgentInfo[] | undefined) => list?.find((one) => one.agent_kind === "claude-code");
    expect(claude(open().rescan())).toMatchObject({
      command: null,
      status: "missing",
      terminal: { command: "claude", version: null },
    });
    await until("its version", () => claude(changed.at(-1))?.terminal?.version === "2.1.3");
    expect(claude(open().list())?.terminal).toEqual({ command: "claude", version: "2.1.3" });
    expect(existsSync(join(dir, "starts"))).toBe(false);
    program("claude", "2.1.40");
    expect(claude(open().list())?.terminal).toEqual({ command: "claude", version: null });
    expect(
      open()
        .list()
        .find((one) => one.agent_kind === "grok"),
    ).toMatchObject({
      terminal: { command: null },
      hint: expect.stringContaining("npm install -g @xai-official/grok"),
    });
  });

  it("R1: a terminal profile is tried by its version alone", async () => {
    const spec = { agent_kind: "custom:t", agent_name: "T", driver: "terminal" as const, args: [], env: {} };
    const agents = new Agents({ cachePath: join(dir, "agents.json"), config, log, changed: () => undefined });
    const command = program("mine-tui", "3.1");
    expect(await agents.probe({ ...spec, command })).toMatchObject({
      terminal: { command, version: "3.1" },
      hint: null,
    });
    expect(existsSync(join(dir, "starts"))).toBe(false);
    const none = await agents.probe({ ...spec, command: "/none" });
    expect(none).toMatchObject({ terminal: { command: null }, hint: expect.stringContaining("/none") });
  });

  it("R1: a program that isn't there, says something else, or refuses is told in words", async () => {
    expect(await probeAgent({ command: join(dir, "none"), args: [], env: {} })).toMatchObject({ ok: false });
    expect(await probeAgent({ command: "/bin/sh", args: ["-c", "echo no key >&2; exit 4"], env: {} })).toMatchObject({
      ok: false,
      message: expect.stringMatching(/status 4.*no key/s),
    });
    expect(readInitialized({ id: 0, error: { code: 1, message: "log in" } })).toMatchObject({
      ok: false,
      message: expect.stringContaining("log in"),
    });
    expect(readInitialized({ id: 0, result: {} })).toMatchObject({ ok: true, capabilities: { load_session: false } });
    expect(readInitialized(null)).toBeNull();
    expect(await askVersion(join(dir, "none"), [])).toBeNull();
  });

  it("S4: a config that can't be understood is an error, never overlooked", () => {
    const file = join(dir, "config.json");
    writeFileSync(file, JSON.stringify({ roots: "/home" }));
    expect(() => readConfig(file)).toThrow(/roots/);
    writeFileSync(file, "{ broken");
    expect(() => readConfig(file)).toThrow(/config.json/);
  });
});
