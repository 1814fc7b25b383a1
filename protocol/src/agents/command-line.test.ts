import { describe, expect, it } from "vitest";
import { BUILT_INS } from "./catalog.ts";
import { commandLineKey, terminalCommandLine } from "./command-line.ts";
import type { LaunchSpec } from "./profile.ts";

const TERMINAL = BUILT_INS.map(({ spec }) => spec).filter((spec) => spec.driver === "terminal");

/** Of every agent: a new conversation with a prompt, and a resumed one with another prompt; `|` parts the words. */
const TABLE = `
claude-code    claude|Fix it                                claude|--resume|ID|Fix it
codex          codex|--no-daemon|Fix it                     codex|--no-daemon|resume|ID|Fix it
opencode       opencode|--prompt|Fix it                     opencode|--session|ID|--prompt|Fix it
gemini         gemini|--prompt-interactive|Fix it           gemini|--resume|ID|--prompt-interactive|Fix it
copilot        copilot|--interactive|Fix it                 copilot|--resume|ID|--interactive|Fix it
cursor-agent   cursor-agent|Fix it                          cursor-agent|--resume|ID|Fix it
goose          goose|session                                goose|session|--resume|--session-id|ID
kimi           kimi                                         kimi|--session|ID
qwen-code      qwen|--prompt-interactive|Fix it             qwen|--resume|ID|--prompt-interactive|Fix it
auggie         auggie|Fix it                                auggie|--resume|ID|Fix it
cline          cline|--tui|Fix it                           cline|--tui|--id|ID|Fix it
pi             pi|Fix it                                    pi|--session|ID|Fix it
amp            amp                                          amp|threads|continue|ID
vibe           vibe|Fix it                                  vibe|--resume|ID|Fix it
grok           grok|Fix it                                  grok|--resume|ID|Fix it
mastracode     mastracode                                   mastracode|--thread|ID
droid          droid|Fix it                                 droid|--resume|ID|Fix it
`;

const said = (line: string[] | null) => line?.join("|") ?? "-";
const line = (spec: LaunchSpec, token: string | null, prompt: string | null) =>
  terminalCommandLine(spec, { token, prompt });

describe("every agent of the catalog", () => {
  it("R1: is started, and resumed by its id, as the table says", () => {
    const rows = TERMINAL.map((spec) => [
      spec.agent_kind,
      said(line(spec, null, "Fix it")),
      said(line(spec, "ID", "Fix it")),
    ]);
    const table = TABLE.trim()
      .split("\n")
      .map((row) => row.split(/ {2,}/));
    expect(rows).toEqual(table);
  });

  it.each(TERMINAL)("R1: $agent_kind: root flags of a profile stand before any subcommand", (spec) => {
    const custom = { ...spec, args: ["--root", "a b", ...spec.args] };
    for (const token of spec.resume_args == null ? [null] : [null, "ID"]) {
      const words = line(custom, token, null) ?? [];
      expect(words.slice(0, 3)).toEqual([spec.command, "--root", "a b"]);
      expect(words.slice(3)).toEqual(line(spec, token, null)?.slice(1));
    }
  });

  it.each(TERMINAL)(
    "R1: $agent_kind: the id is one word, whatever is in it, and the last of the resume args",
    (spec) => {
      const id = 'it\'s; $(id) "x"\n-y';
      const resumed = spec.resume_args == null ? null : [spec.command, ...spec.args, ...spec.resume_args, id];
      expect(line(spec, id, null)).toEqual(resumed);
    },
  );

  it.each(TERMINAL)(
    "P1: $agent_kind: a prompt is the last word, no flag, file or subcommand; or it is typed",
    (spec) => {
      const last = (prompt: string) => line(spec, null, prompt)?.at(-1);
      if (spec.prompt_transport === "stdin") return expect(line(spec, null, "Fix it")).toEqual(line(spec, null, null));
      for (const prompt of ["Fix it", "it's; $(id)\n-y", ""]) expect(last(prompt)).toBe(prompt);
      for (const prompt of ["-h", "--help me", "help", "resume", "@src/x.ts: explain it"])
        expect(last(prompt)).toBe(` ${prompt}`);
    },
  );
});

describe("a custom agent", () => {
  const spec: LaunchSpec = {
    agent_kind: "custom:mine",
    agent_name: "Mine",
    driver: "terminal",
    command: "/opt/my agent",
    args: ["-v"],
    env: {},
  };

  it("R1: can't resume without resume args, and gets its prompt as the last word by default", () => {
    expect(line(spec, null, "Fix it")).toEqual(["/opt/my agent", "-v", "Fix it"]);
    expect(line(spec, "ID", "Fix it")).toBeNull();
    expect(line({ ...spec, resume_args: ["go", "on"], prompt_args: ["--say"] }, "ID", "-x")).toEqual([
      ...["/opt/my agent", "-v", "go", "on", "ID", "--say", " -x"],
    ]);
  });

  it("what is not said, and its default, are one command line", () => {
    const said = { ...spec, resume_args: null, prompt_transport: "argv" as const, prompt_args: [] };
    expect(commandLineKey(said)).toBe(commandLineKey(spec));
    const others = [
      { command: "x" },
      { args: [] },
      { resume_args: ["x"] },
      { prompt_args: ["x"] },
      { driver: "acp" as const },
    ];
    for (const part of others) expect(commandLineKey({ ...spec, ...part })).not.toBe(commandLineKey(spec));
    expect(commandLineKey({ ...spec, prompt_transport: "stdin" })).not.toBe(commandLineKey(spec));
  });
});
