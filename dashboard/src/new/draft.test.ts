import { type AgentInfo, type AgentProfile, CATALOG, defaultSpec, type NodeSummary } from "@reprise/protocol";
import { expect, it } from "vitest";
import { branchFrom, offersOf, problemOf, toRequest } from "./draft.ts";

const draft = { node_id: "nod_1", profile_id: "prf_1", cwd: " ~/x ", worktree: false, branch: "", prompt: " Do it " };
const profiles: AgentProfile[] = CATALOG.map((entry) => ({
  ...defaultSpec(entry),
  id: entry.agent_kind,
  name: entry.agent_name,
  auto_resume: "interrupted",
  built_in: true,
  transport: "websocket",
  created_at: 0,
  updated_at: 0,
}));
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
const can = {
  load_session: true,
  resume_session: false,
  list_sessions: false,
  close_session: false,
  prompt_image: false,
  prompt_embedded_context: false,
};
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
  agents: [
    agent("claude-code", { status: "missing", hint: "npm install -g x" }),
    agent("codex", { capabilities: can }),
    agent("gemini", { capabilities: { ...can, load_session: false } }),
  ],
};

it("R1: an agent is offered by what the machine's probe said, not by its name", () => {
  const offers = offersOf(profiles, node);
  expect(offers.map((each) => [each.profile.id, each.usable, each.note])).toEqual([
    ["codex", true, "Can resume earlier sessions"],
    ["opencode", true, "Not asked yet whether it can resume"],
    ["gemini", true, "Can't resume earlier sessions"],
    ["claude-code", false, "npm install -g @agentclientprotocol/claude-agent-acp"],
  ]);
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
