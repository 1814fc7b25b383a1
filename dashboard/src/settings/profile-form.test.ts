import { BUILT_INS } from "@reprise/protocol";
import { describe, expect, it } from "vitest";
import { browserName } from "./browser-name.ts";
import { fromForm, type ProfileForm, toChange, toForm } from "./profile-form.ts";

const filled = { ...toForm(null), name: "My Agent", command: "my-agent", args: "--acp\n\n --fast", env: "A=1\nB=x=y" };
const terminal: ProfileForm = { ...filled, driver: "terminal", resume_args: "threads\ncontinue", prompt_args: "--say" };

const body = (form: ProfileForm, kind: string | null = null) => {
  const result = fromForm(form, kind);
  if (!result.ok) throw new Error(`${result.field}: ${result.message}`);
  return result.body;
};

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
      resume_args: null,
      prompt_transport: null,
      prompt_args: null,
      auto_resume: "interrupted",
      turn_limit_s: 1_800,
    },
  });
});

describe("a terminal agent", () => {
  it("R1: has resume args, one a line; none is null: it can't resume", () => {
    expect(body(terminal)).toMatchObject({
      driver: "terminal",
      resume_args: ["threads", "continue"],
      prompt_transport: "argv",
      prompt_args: ["--say"],
    });
    expect(body({ ...terminal, resume_args: " \n" })).toMatchObject({ resume_args: null });
  });

  it("what its driver has no use for is left out, whatever was typed before", () => {
    expect(body({ ...terminal, prompt_transport: "stdin" }).prompt_args).toEqual([]);
    expect(body({ ...terminal, model: "fast", mode: "plan" })).not.toHaveProperty("model");
    expect(body({ ...terminal, driver: "acp" })).toMatchObject({ resume_args: null, prompt_args: null });
  });

  it("keeps its agent when it is changed or copied", () => {
    expect(body(terminal, "claude-code").agent_kind).toBe("claude-code");
  });
});

it("a form that nobody touched comes to the profile that it was made of", () => {
  for (const { spec, name, id } of BUILT_INS) {
    const profile = { ...spec, id, name, auto_resume: "never" as const, built_in: true, capabilities: [] };
    const made = body(toForm({ ...profile, created_at: 1, updated_at: 1 }), spec.agent_kind);
    expect(made).toEqual({
      resume_args: null,
      prompt_transport: null,
      prompt_args: null,
      ...spec,
      name,
      auto_resume: "never",
    });
  }
});

it("a field that was emptied is taken away", () => {
  expect(toChange(body(filled))).toMatchObject({ mode: null, model: null, turn_limit_s: null });
  expect(toChange(body({ ...filled, model: "fast" }))).toMatchObject({ model: "fast", mode: null });
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
