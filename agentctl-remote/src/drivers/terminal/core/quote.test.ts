import { execFileSync } from "node:child_process";
import { BUILT_INS, terminalCommandLine } from "@reprise/protocol";
import { expect, it } from "vitest";
import { quoted } from "./quote.ts";

const TERMINAL = BUILT_INS.map(({ spec }) => spec).filter((spec) => spec.driver === "terminal");

it.each(TERMINAL)(
  "R1: $agent_kind: a shell reads its command line back, whatever is in arguments, id and prompt",
  (spec) => {
    const custom = { ...spec, args: ["--it's", "$HOME `id`", ...spec.args] };
    const words = terminalCommandLine(custom, { token: 'a "b" \\c;\n*', prompt: "-it's; $(id)" });
    const line = (words ?? []).map(quoted).join(" ");
    const read = execFileSync("/bin/sh", ["-c", `printf '%s\\0' ${line}`]).toString();
    expect(read.split("\0").slice(0, -1)).toEqual(words);
  },
);
