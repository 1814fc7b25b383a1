import { type AgentInfo, type AgentProfile, BUILT_INS, type NodeSummary } from "@reprise/protocol";
import { CAPABILITIES } from "@reprise/protocol/testing";
import { expect, it } from "vitest";
import { branchFrom, type Draft, offersOf, problemOf, runtimesOf, toRequest } from "./draft.ts";

const draft: Draft = {
  node_id: "nod_1",
  profile_id: "prf_1",
  runtime: "standalone",
  cwd: " ~/x ",
  worktree: false,
  branch: "",
  prompt: " Do it ",
};
const builtIns: AgentProfile[] = BUILT_INS.map(({ id, name, spec }) => ({
  capabilities: [],
  ...spec,
  id,
  name,
  auto_resume: "interrupted",
  built_in: true,
  created_at: 0,
  updated_at: 0,
}));
const profiles = ["prf_claudecode", "prf_codex", "prf_opencode", "prf_gemini"].flatMap((id) =>
  builtIns.filter((profile) => profile.id === id),
);
const agent = (kind: string, part: Partial<AgentInfo>): AgentInfo => ({
  agent_kind: kind,
  agent_name: kind,
  command: kind,
  args: [],
  version: "1",
  status: "ready",
  capabilities: null,
  hint: null,
  ...part,
});
const node: NodeSummary = {
  id: "nod_000001",
  name: "mini",
  kind: "local",
  hostname: "mini",
  platform: "linux x64",
  home: "/home/ada",
  presence: "online",
  since: 0,
  reason: null,
  daemon_version: "1",
  as_of: 0,
  created_at: 0,
  transport: "websocket",
  runtimes: [
    { runtime: "standalone", status: "ready", reason: null },
    { runtime: "docker", status: "unavailable", reason: "Docker does not answer." },
  ],
  refused_copy: null,
  address: null,
  call: null,
  agents: [
    agent("claude-code", { status: "missing", hint: "npm install -g x" }),
    agent("codex", { capabilities: CAPABILITIES }),
    agent("gemini", { capabilities: { ...CAPABILITIES, load_session: false } }),
  ],
};

it("R1: an agent is offered by what the machine's probe said, not by its name", () => {
  const offers = offersOf(profiles, node);
  expect(offers.map((each) => [each.profile.id, each.usable, each.note])).toEqual([
    ["prf_codex", true, "Can resume earlier sessions"],
    ["prf_opencode", true, "Not asked yet whether it can resume"],
    ["prf_gemini", true, "Can't resume earlier sessions"],
    ["prf_claudecode", false, "npm install -g @agentclientprotocol/claude-agent-acp"],
  ]);
});

it("R1: a terminal agent is offered by its own program, and can resume where its profile has resume args", () => {
  const offer = (part: Partial<AgentInfo>, change: Partial<AgentProfile> = {}) => {
    const claude = builtIns
      .filter(({ id }) => id === "prf_claudecodetui")
      .map((profile) => ({ ...profile, ...change }));
    const here = { ...node, agents: [agent("claude-code", { status: "missing", command: null, ...part })] };
    return offersOf(claude, here).map(({ usable, version, note }) => [usable, version, note])[0];
  };
  const terminal = { command: "claude", version: "2.1.3" };
  expect(offer({ terminal })).toEqual([true, "2.1.3", "Can resume earlier sessions"]);
  expect(offer({ terminal }, { resume_args: null })).toEqual([true, "2.1.3", "Can't resume earlier sessions"]);
  const missing = { terminal: { command: null, version: null } };
  expect(offer(missing)).toEqual([false, null, "npm install -g @anthropic-ai/claude-code"]);
  expect(offer(missing, { command: "/opt/claude" })).toMatchObject([true, null, "Can resume earlier sessions"]);
  expect(offer({})).toMatchObject([true, null, "Can resume earlier sessions"]);
});

it("names the first thing that is missing", () => {
  expect(problemOf(draft)).toBeNull();
  expect(problemOf({ ...draft, prompt: " " })?.field).toBe("prompt");
  expect(problemOf({ ...draft, cwd: "" })?.field).toBe("cwd");
  expect(problemOf({ ...draft, worktree: true })?.field).toBe("branch");
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

it("X2: in a container no agent is missing: its image says what it has, not the machine", () => {
  const offers = offersOf(profiles, node, "docker");
  expect(offers.every((each) => each.usable)).toBe(true);
  expect(offers.map((each) => each.profile.id)).toContain("prf_claudecode");
});

it("X2: a draft means what the machine offers; one of another machine counts as the first", () => {
  expect(runtimesOf(node, "docker")).toMatchObject({ chosen: "docker", offered: [{}, {}] });
  const plain = { ...node, runtimes: node.runtimes.slice(0, 1) };
  expect(runtimesOf(plain, "docker").chosen).toBe("standalone");
  expect(toRequest({ ...draft, runtime: "docker" }, "client-1", undefined).runtime).toBe("docker");
});
