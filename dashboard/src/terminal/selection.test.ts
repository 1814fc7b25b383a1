import { expect, it } from "vitest";
import { extended, wordAt } from "./selection.ts";

const charAt = (line: readonly string[]) => (col: number) => line[col] ?? "";

it("a held finger takes the word under it", () => {
  const line = [..."  at src/a.ts:12 x  "];
  expect(wordAt({ row: 7, col: 8 }, 20, charAt(line))).toEqual({ row: 7, col: 5, length: 11 });
  expect(wordAt({ row: 7, col: 4 }, 20, charAt(line))).toEqual({ row: 7, col: 4, length: 1 });
  expect(wordAt({ row: 7, col: 2 }, 20, charAt(line))).toEqual({ row: 7, col: 2, length: 2 });
});

it("a letter that is two cells wide does not end a word", () => {
  expect(wordAt({ row: 0, col: 1 }, 6, charAt(["世", "", "界", "", " ", " "]))).toEqual({ row: 0, col: 0, length: 4 });
});

it("moved on, it takes all from there, in both directions", () => {
  const word = { row: 2, col: 4, length: 3 };
  expect(extended(word, { row: 3, col: 1 }, 10)).toEqual({ row: 2, col: 4, length: 8 });
  expect(extended(word, { row: 1, col: 9 }, 10)).toEqual({ row: 1, col: 9, length: 8 });
  expect(extended(word, { row: 2, col: 5 }, 10)).toEqual(word);
});
