import { expect, it } from "vitest";
import { shellEnv } from "./shell.ts";

it("a terminal is somebody's: what says that nobody is there stays out, and what is ours or npm's", () => {
  const env = { HOME: "/h", CI: "true", CONTINUOUS_INTEGRATION: "1", REPRISE_LIMITS: "{}", npm_lifecycle_event: "x" };
  const made = shellEnv({ ...env, CIRCLE: "kept" });
  expect(Object.keys(made).toSorted()).toEqual(["CIRCLE", "COLORTERM", "HOME", "LANG", "TERM"]);
});
