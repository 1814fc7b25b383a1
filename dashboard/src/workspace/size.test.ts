import { expect, it } from "vitest";
import { fileSize } from "./size.ts";

it("a size has at most three digits and its unit", () => {
  expect([0, 812, 1_400, 23_000_000, 5e15].map(fileSize)).toEqual(["0 B", "812 B", "1.4 KB", "23 MB", "5000 TB"]);
});
