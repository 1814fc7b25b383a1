import { expect, it } from "vitest";
import { readInput } from "./input.ts";

it("shows a command as a command, with what it is for", () => {
  expect(readInput('{"command":"npm test","description":"Run the tests"}')).toEqual({
    label: "Command",
    text: "npm test",
    note: "Run the tests",
  });
});

it("unwraps the shell that Codex puts around its commands", () => {
  expect(readInput('{"command":["bash","-lc","ls -a | wc -l"]}')?.text).toBe("ls -a | wc -l");
  expect(readInput('{"command":["git","status"]}')?.text).toBe("git status");
});

it("shows anything else as it is, also what was cut in its middle", () => {
  expect(readInput('{"path":"a"}')).toEqual({ label: "Input", text: '{\n  "path": "a"\n}', note: null });
  expect(readInput('{"path":"a')).toEqual({ label: "Input", text: '{"path":"a', note: null });
  expect(readInput("{}")).toBeNull();
  expect(readInput(null)).toBeNull();
});
