import { describe, expect, it } from "vitest";
import { asTyped, NO_KEYS, typed } from "./keys.ts";

const all = (...chunks: string[]) => {
  let keys = NO_KEYS;
  return chunks.map((chunk) => {
    const step = typed(keys, Buffer.from(chunk));
    keys = step.keys;
    return `${step.submitted ? "submitted" : "-"}${step.any ? "" : " nobody"}`;
  });
};

describe("R7: a submitted line", () => {
  it.each([
    [
      ["hel", "lo\r"],
      ["-", "submitted"],
    ],
    [
      ["\x1b[200~a\rb\x1b[201~", "\r"],
      ["-", "submitted"],
    ],
    [
      ["\x1b[200~a\r", "b\r\x1b[201~\r"],
      ["-", "submitted"],
    ],
    [
      ["\x1b[A", "\x7f", "\n"],
      ["-", "-", "-"],
    ],
    [
      ["\x1b[I", "\x1b[O\x1b[I"],
      ["- nobody", "- nobody"],
    ],
  ])("%j", (chunks, want) => {
    expect(all(...chunks)).toEqual(want);
  });
});

it.each([
  ["\x1b", true],
  ["\x03", true],
  ["\x1b[A", false],
  ["\x1b[I", false],
  ["c", false],
])("what makes an agent stop: %j", (text, want) => {
  expect(typed(NO_KEYS, Buffer.from(text)).stops).toBe(want);
});

describe("a prompt as typed", () => {
  it.each([
    ["one\ntwo\r\nthree", true, "\x1b[200~one\rtwo\rthree\x1b[201~"],
    ["one\ntwo", false, "one two"],
    ["S5: an \x1b[201~\x03 escape", true, "\x1b[200~S5: an [201~ escape\x1b[201~"],
    ["tab\tstays", false, "tab\tstays"],
  ])("%j (%s)", (text, brackets, want) => {
    expect(asTyped(text, brackets)).toBe(want);
  });
});
