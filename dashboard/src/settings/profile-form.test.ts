import { expect, it } from "vitest";
import { browserName } from "./browser-name.ts";
import { fromForm, toForm } from "./profile-form.ts";

const filled = { ...toForm(null), name: "My Agent", command: "my-agent", args: "--acp\n\n --fast", env: "A=1\nB=x=y" };

it("reads a form into a profile", () => {
  expect(fromForm({ ...filled, turn_limit_min: "30" }, null)).toEqual({
    ok: true,
    body: {
      name: "My Agent",
      agent_kind: "custom:my-agent",
      agent_name: "My Agent",
      driver: "acp",
      command: "my-agent",
      args: ["--acp", "--fast"],
      env: { A: "1", B: "x=y" },
      auto_resume: "interrupted",
      turn_limit_s: 1_800,
    },
  });
});

it("S6: says which field is wrong, in words", () => {
  const wrong = (part: Partial<typeof filled>) => {
    const result = fromForm({ ...filled, ...part }, null);
    return result.ok ? null : [result.field, result.message];
  };
  expect(wrong({ name: " " })).toEqual(["name", "Give it a name."]);
  expect(wrong({ command: "" })).toEqual(["command", "Name the command that starts the agent."]);
  expect(wrong({ env: "novalue" })).toEqual(["env", "“novalue” is not NAME=value."]);
  expect(wrong({ turn_limit_min: "abc" })?.[0]).toBe("turn_limit_s");
});

it("a browser is named as people call it", () => {
  expect(browserName("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")).toBe(
    "Firefox on Linux",
  );
  expect(
    browserName("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15"),
  ).toBe("Safari on macOS");
  expect(browserName("")).toBe("Unknown browser");
});
