import { expect, it } from "vitest";
import { parseStart } from "./options.ts";
import { foundAgain, leftRunning } from "./words.ts";

it.each([
  [[], null],
  [[1], "Found again: 1 session."],
  [[1, 2, 3], "Found again: 3 sessions."],
])("says what a start found again: %j", (sessions, words) => {
  expect(foundAgain(sessions)).toBe(words);
});

it("says what an end leaves, and what ends that too", () => {
  expect(leftRunning(0)).toBe("Nothing is left running.");
  expect(leftRunning(2)).toMatch(/^2 agents' hosts live on.*finds them again.*npm stop/);
});

it("takes --port, --state and --no-node, and explains the rest", () => {
  expect(parseStart([])).toEqual({ port: undefined, state: undefined, node: true });
  expect(parseStart(["--port", "9000", "--state", "/x", "--no-node"])).toEqual({
    port: 9000,
    state: "/x",
    node: false,
  });
  for (const bad of [["--port", "x"], ["--port", "0"], ["--wat"], ["extra"]]) {
    expect(() => parseStart(bad)).toThrow("npm start --");
  }
});
