import { describe, expect, it } from "vitest";
import { hookCommand } from "./command.ts";
import { hasAnyHooks, hasHooks, insertHooks, removeHooks, settingsOf, takeOut } from "./settings-text.ts";

const EVENTS = ["SessionStart", "Stop"];
const ENTRY = { type: "command" as const, command: hookCommand("claude-code"), timeout: 2 };
const OURS = { hooks: [ENTRY] };

const THEIRS = { hooks: [{ type: "command", command: "say done" }] };
/** As people write them: each layout, comments in each place, hooks of their own. */
const SETTINGS: [string, string][] = [
  ["nothing", "{}\n"],
  ["nothing, on two lines", "{\n}"],
  ["one line", '{"model":"opus","env":{"A":"1"}}'],
  ["two spaces", '{\n  "model": "opus",\n  "permissions": {\n    "allow": ["Bash(ls:*)"]\n  }\n}\n'],
  ["tabs", '{\n\t"model": "opus",\n\t"env": {\n\t\t"A": "1"\n\t}\n}\n'],
  ["lines of Windows", '{\r\n    "model": "opus"\r\n}\r\n'],
  ["comments", '// mine\n{\n  /* of, the model */ "model": "opus" // not, sonnet\n  // the end\n}\n// after it\n'],
  ["a trailing comma", '{\n  "model": "opus",\n  "env": {"A": "1",},\n}\n'],
  ["a trailing comma and a comment", '{\n  "model": "opus", // , here\n}\n'],
  ["empty hooks", '{\n  "hooks": {}\n}\n'],
  ["an empty list", '{\n  "hooks": {\n    "Stop": [ ]\n  }\n}'],
  [
    "hooks of their own",
    `${JSON.stringify({ hooks: { Stop: [THEIRS], PreToolUse: [THEIRS] }, model: "opus" }, null, 2)}\n`,
  ],
  ["hooks on one line", `{ "hooks": { "Stop": [${JSON.stringify(THEIRS)}] }, "model": "opus" }\n`],
  ["a comment after their hook", `{"hooks": {"Stop": [\n  ${JSON.stringify(THEIRS)} // mine\n]}}`],
];

function withoutEmpty(settings: unknown): unknown {
  return JSON.parse(JSON.stringify(settings), (_key, value: unknown) =>
    value !== null && typeof value === "object" && Object.keys(value).length === 0 ? undefined : value,
  );
}

describe("hooks in a person's settings", () => {
  it.each(SETTINGS)("are put in and taken out, and nothing else changes: %s", (_name, text) => {
    const put = insertHooks(text, EVENTS, ENTRY);
    expect(hasHooks(put.text, EVENTS, ENTRY)).toBe(true);
    expect(hasHooks(text, EVENTS, ENTRY)).toBe(false);
    // What stood there stands there still, in its order, down to each character.
    expect(takeOut(put.text, put.inserted)).toBe(text);
    // A comma more may stand before a comment; it stays on its line.
    for (const line of text.split("\n").filter((one) => one.includes("//")))
      expect(put.text.replaceAll(",", "")).toContain(line.replaceAll(",", "").trim());
    // Without knowing what was put in: by our marker alone, and what would be left empty goes with it.
    const removed = removeHooks(put.text);
    expect(hasAnyHooks(removed)).toBe(false);
    expect(withoutEmpty(settingsOf(removed))).toEqual(withoutEmpty(settingsOf(text)));
    for (const comment of text.match(/\/\/.*|\/\*.*?\*\//g) ?? []) expect(removed).toContain(comment.trim());
  });

  it("look as if the person had written them", () => {
    expect(insertHooks('{\n  "model": "opus"\n}\n', ["Stop"], ENTRY).text).toBe(`{
  "model": "opus",
  "hooks": {
    "Stop": [
      {
        "hooks": [
          {
            "type": "command",
            "command": ${JSON.stringify(ENTRY.command)},
            "timeout": 2
          }
        ]
      }
    ]
  }
}
`);
    expect(insertHooks('{"a":1}', ["Stop"], ENTRY).text).toBe(`{"a":1,"hooks":${JSON.stringify({ Stop: [OURS] })}}`);
    expect(insertHooks("{\n  // all mine\n}", ["Stop"], ENTRY).text).toMatch(
      /^\{\n {2}\/\/ all mine\n {2}"hooks": \{\n/,
    );
  });

  it("of an older Reprise, or moved by the person, are found by the marker", () => {
    const old = { ...ENTRY, timeout: 60 };
    const text = JSON.stringify({
      hooks: { Stop: [{ matcher: "", hooks: [THEIRS.hooks[0], old] }], Setup: [{ hooks: [old] }] },
    });
    expect(hasHooks(text, ["Stop", "Setup"], ENTRY)).toBe(false);
    expect(settingsOf(removeHooks(text))).toEqual({ hooks: { Stop: [{ matcher: "", hooks: THEIRS.hooks }] } });
  });

  it.each([
    ["broken", '{"model": '],
    ["no object", "[]"],
    ["hooks that aren't", '{"hooks": []}'],
    ["a list that isn't", '{"hooks": {"Stop": "no"}}'],
  ])("stay out of settings that aren't understood: %s", (_name, text) => {
    expect(() => insertHooks(text, EVENTS, ENTRY)).toThrow(/aren't valid JSON|isn't known/);
  });
});
