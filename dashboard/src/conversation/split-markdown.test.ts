import fc from "fast-check";
import { expect, it } from "vitest";
import { splitMarkdown } from "./split-markdown.ts";

it("cuts at blank lines", () => {
  expect(splitMarkdown("# A\n\nb\nc\n\n\nd")).toEqual(["# A", "b\nc", "d"]);
});

it("keeps a fenced block whole, also while it is still open", () => {
  expect(splitMarkdown("a\n\n```ts\nx\n\ny\n```\n\nb")).toEqual(["a", "```ts\nx\n\ny\n```", "b"]);
  expect(splitMarkdown("a\n\n```\nx\n\ny")).toEqual(["a", "```\nx\n\ny"]);
  expect(splitMarkdown("````\n```\n\nx\n````\n\nb")).toEqual(["````\n```\n\nx\n````", "b"]);
});

it("keeps a list with blank lines between its items in one part", () => {
  expect(splitMarkdown("1. a\n\n2. b\n\n   more\n\nend")).toEqual(["1. a\n\n2. b\n\n   more", "end"]);
});

it("loses no word, and what is complete never changes as more streams in", () => {
  const line = fc.constantFrom("", "a b", "- x", "  y", "```", "~~~", "# h", "1. z");
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), fc.array(line, { maxLength: 10 }), (lines, more) => {
      const words = (text: string) => text.split(/\s+/).filter(Boolean);
      const before = splitMarkdown(lines.join("\n"));
      const after = splitMarkdown([...lines, ...more].join("\n"));
      expect(words(before.join("\n"))).toEqual(words(lines.join("\n")));
      expect(after.slice(0, Math.max(0, before.length - 1))).toEqual(before.slice(0, -1));
    }),
  );
});
