import { BUILT_INS, type RuntimeInfo } from "@reprise/protocol";
import { expect, it } from "vitest";
import { branchFrom, type Draft, needsPrompt, problemOf, runtimesOf, toRequest } from "./draft.ts";
import type { Offer } from "./offers.ts";

const draft: Draft = {
  node_id: "nod_1",
  profile_id: "prf_1",
  runtime: "standalone",
  cwd: " ~/x ",
  worktree: false,
  branch: "",
  prompt: " Do it ",
  kept: null,
};
const [entry] = BUILT_INS;
if (entry === undefined) throw new Error("There are no built-in profiles.");
const chat: Offer = {
  profile: {
    ...entry.spec,
    id: "prf_1",
    name: entry.name,
    auto_resume: "interrupted",
    built_in: true,
    capabilities: [],
    created_at: 0,
    updated_at: 0,
  },
  version: null,
  usable: true,
  resumes: true,
  note: "",
};
const terminal: Offer = { ...chat, profile: { ...chat.profile, driver: "terminal", resume_args: ["--resume"] } };

it("names the first thing that is missing", () => {
  expect(problemOf(draft, chat)).toBeNull();
  expect(problemOf({ ...draft, prompt: " " }, chat)?.field).toBe("prompt");
  expect(problemOf({ ...draft, cwd: "" }, chat)?.field).toBe("cwd");
  expect(problemOf({ ...draft, worktree: true }, chat)?.field).toBe("branch");
});

it("a terminal begins without a word, and so does a conversation that there is", () => {
  const silent = { ...draft, prompt: "" };
  expect(needsPrompt(silent, chat)).toBe(true);
  expect(problemOf(silent, terminal)).toBeNull();
  expect(problemOf({ ...silent, kept: "abc" }, chat)).toBeNull();
  expect(toRequest({ ...silent, kept: " abc " }, "client01", undefined)).toEqual({
    client_id: "client01",
    node_id: "nod_1",
    agent_profile_id: "prf_1",
    runtime: "standalone",
    cwd: "~/x",
    resume_session_id: "abc",
  });
});

it("R1: an earlier conversation is refused before anything is sent, with the reason", () => {
  const none: Offer = { ...terminal, resumes: false, profile: { ...terminal.profile, resume_args: null } };
  expect(problemOf({ ...draft, kept: "abc" }, none)).toMatchObject({
    field: "kept",
    message: expect.stringContaining("no resume args"),
  });
  expect(problemOf({ ...draft, kept: "" }, terminal)?.field).toBe("kept");
});

it("asks for a worktree only where one is wanted", () => {
  expect(toRequest(draft, "client01", undefined)).toEqual({
    client_id: "client01",
    node_id: "nod_1",
    agent_profile_id: "prf_1",
    cwd: "~/x",
    prompt: "Do it",
    runtime: "standalone",
  });
  expect(toRequest({ ...draft, worktree: true, branch: "b" }, "client01", "tsk_1")).toMatchObject({
    task_id: "tsk_1",
    worktree: { branch: "b" },
  });
});

it("makes a branch's name of the prompt's first words", () => {
  expect(branchFrom("Fix the flaky login-test, please: it's bad!")).toBe("reprise/fix-the-flaky-login-test");
  expect(branchFrom("Überprüfe Größe")).toBe("reprise/uberprufe-groe");
  expect(branchFrom("   ")).toBe("");
});

it("X2: a draft means what the machine offers; one of another machine counts as the first", () => {
  const runtimes: RuntimeInfo[] = [
    { runtime: "standalone", status: "ready", reason: null },
    { runtime: "docker", status: "unavailable", reason: "Docker does not answer." },
  ];
  expect(runtimesOf({ runtimes }, "docker")).toMatchObject({ chosen: "docker", offered: [{}, {}] });
  expect(runtimesOf({ runtimes: runtimes.slice(0, 1) }, "docker").chosen).toBe("standalone");
  expect(toRequest({ ...draft, runtime: "docker" }, "client-1", undefined).runtime).toBe("docker");
});
