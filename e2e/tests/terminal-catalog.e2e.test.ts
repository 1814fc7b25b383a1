import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { CATALOG, type CatalogEntry } from "@reprise/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  AGENTS_BIN,
  AGENTS_DIR,
  type AgentName,
  agentProfile,
  agentsInstalled,
  wantsRealAgents,
} from "../src/index.ts";

/** The programs of the catalog that are installed for the tests, and whose environment each needs. */
const PROGRAMS: Readonly<Record<string, { readonly path: string; readonly as: AgentName }>> = {
  "claude-code": {
    path: join(AGENTS_DIR, `node_modules/@anthropic-ai/claude-agent-sdk-${process.platform}-${process.arch}/claude`),
    as: "claude",
  },
  codex: { path: join(AGENTS_BIN, "codex"), as: "codex" },
  opencode: { path: join(AGENTS_BIN, "opencode"), as: "opencode" },
  gemini: { path: join(AGENTS_BIN, "gemini"), as: "gemini" },
};

const isFlag = (word: string) => word.startsWith("-");

/** What the help says of a flag: its own line and those below it. */
function aboutFlag(help: string, flag: string): string {
  const at = help.search(new RegExp(`^ {0,8}(-\\w, +)?${flag}\\b`, "m"));
  expect(at, `its help has ${flag}`).toBeGreaterThanOrEqual(0);
  return help.slice(at, at + 400);
}

describe.runIf(wantsRealAgents())("R1: the catalog's terminal agents, against their own help", () => {
  const home = mkdtempSync(join(tmpdir(), "reprise-catalog-"));
  beforeAll(() => expect(agentsInstalled(), "run: node e2e/src/agents/install.ts").toBe(true));
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  /** What the program prints; no model is asked. */
  async function say({ agent_kind }: CatalogEntry, ...args: string[]): Promise<string> {
    const program = PROGRAMS[agent_kind];
    if (!program) throw new Error(`${agent_kind} is not installed for the tests`);
    const { env } = agentProfile(program.as, { home: join(home, agent_kind), modelUrl: "http://127.0.0.1:9" });
    const { stdout, stderr } = await promisify(execFile)(program.path, args, { env, cwd: home });
    // OpenCode prints its help to stderr.
    return stdout || stderr;
  }

  const tested = CATALOG.filter((entry) => entry.agent_kind in PROGRAMS);

  it("are all there that the tests install", () => {
    expect(tested.map(({ agent_kind }) => agent_kind)).toEqual(Object.keys(PROGRAMS));
  });

  it.each(tested)("$agent_kind: its version is the one that was compared", async (entry) => {
    expect(await say(entry, ...entry.version_args)).toContain(entry.terminal.checked);
  });

  it.each(tested)(
    "$agent_kind: its help has the resume args, and takes a conversation's id behind them",
    async (entry) => {
      const { resume_args } = entry.terminal;
      const words = [...(resume_args ?? [])];
      const subcommands = words.filter((word) => !isFlag(word));
      const help = await say(entry, ...subcommands, "--help");
      const [flag] = words.filter(isFlag);
      const about = flag === undefined ? help : aboutFlag(help, flag);
      expect(about).toMatch(/session/i);
      // A value in the flag's own line, or a word behind the subcommand.
      expect(about).toMatch(flag === undefined ? /^Usage: .*\[SESSION_ID\]/m : /^.*(\[value\]|\[string\])/);
    },
  );

  it.each(tested)(
    "$agent_kind: its help has what a prompt is given by, at the start and where it resumes",
    async (entry) => {
      const { prompt_args, resume_args } = entry.terminal;
      const help = await say(entry, "--help");
      const [flag] = prompt_args;
      if (flag !== undefined) return expect(aboutFlag(help, flag)).toMatch(/prompt/i);
      expect(help).toMatch(/^Usage: .*\[prompt\]/im);
      const subcommands = (resume_args ?? []).filter((word) => !isFlag(word));
      if (subcommands.length > 0) expect(await say(entry, ...subcommands, "--help")).toMatch(/^Usage: .*\[PROMPT\]/m);
    },
  );
});
