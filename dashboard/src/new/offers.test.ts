import { type AgentInfo, type AgentProfile, BUILT_INS, type NodeSummary } from "@reprise/protocol";
import { CAPABILITIES } from "@reprise/protocol/testing";
import { expect, it } from "vitest";
import { atHand, groupsOf, offersOf, wayName, whyNotFromKept } from "./offers.ts";

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
const only = (...ids: string[]) => ids.flatMap((id) => builtIns.filter((profile) => profile.id === id));
const profiles = only("prf_claudecode", "prf_codex", "prf_opencode", "prf_gemini");
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

it("X2: in a container no agent is missing: its image says what it has, not the machine", () => {
  const offers = offersOf(profiles, node, "docker");
  expect(offers.every((each) => each.usable)).toBe(true);
  expect(offers.map((each) => each.profile.id)).toContain("prf_claudecode");
});

const claude = only("prf_claudecode");
const inTerminal = (part: Partial<AgentProfile> = {}): AgentProfile[] =>
  only("prf_claudecodetui").map((profile) => ({ ...profile, ...part }));
const withTerminal = (terminal: AgentInfo["terminal"]): NodeSummary => ({
  ...node,
  agents: [agent("claude-code", { capabilities: CAPABILITIES, terminal })],
});
const FOUND = { command: "claude", version: "2.1.3" };
const MISSING = { command: null, version: null };

it("R1: a terminal agent is offered by its own program, and can resume where its profile has resume args", () => {
  const offer = (terminal: AgentInfo["terminal"], change: Partial<AgentProfile> = {}) =>
    offersOf(inTerminal(change), withTerminal(terminal)).map(({ usable, version, note }) => [usable, version, note])[0];
  expect(offer(FOUND)).toEqual([true, "2.1.3", "Can resume earlier sessions"]);
  expect(offer(FOUND, { resume_args: null })).toEqual([true, "2.1.3", "Can't resume earlier sessions"]);
  expect(offer(MISSING)).toEqual([false, null, "npm install -g @anthropic-ai/claude-code"]);
  expect(offer(MISSING, { command: "/opt/claude" })).toMatchObject([true, null, "Can resume earlier sessions"]);
  expect(offer(undefined)).toMatchObject([true, null, "Can resume earlier sessions"]);
});

it("the ways to talk with one agent stand together, named by how one talks as long as that tells them apart", () => {
  const [group, ...others] = groupsOf(offersOf([...claude, ...inTerminal()], withTerminal(FOUND)));
  expect(others).toEqual([]);
  expect(group).toMatchObject({ agent_kind: "claude-code", name: "Claude Code" });
  expect(group?.ways.map((way) => wayName(way, group))).toEqual(["Chat", "Terminal"]);
  const own = inTerminal({ id: "prf_mine", name: "Claude, careful", built_in: false });
  const two = groupsOf(offersOf([...inTerminal(), ...own], withTerminal(FOUND)))[0];
  expect(two?.ways.map((way) => wayName(way, two))).toEqual(["Claude Code (terminal)", "Claude, careful"]);
  expect(groupsOf(offersOf(own, withTerminal(FOUND)))[0]?.name).toBe("Claude, careful");
});

it("agents that a machine doesn't have stand back, as long as it has one", () => {
  const groups = (terminal: AgentInfo["terminal"]) =>
    groupsOf(
      offersOf([...only("prf_codex"), ...inTerminal()], {
        ...withTerminal(terminal),
        agents: [agent("claude-code", { terminal }), agent("codex", { status: "missing" })],
      }),
    );
  const shown = (terminal: AgentInfo["terminal"], chosen = "") =>
    atHand(groups(terminal), chosen).map(({ agent_kind }) => agent_kind);
  expect(shown(FOUND)).toEqual(["claude-code"]);
  expect(shown(FOUND, "prf_codex")).toEqual(["claude-code", "codex"]);
  expect(shown(MISSING).toSorted()).toEqual(["claude-code", "codex"]);
});

it("R1: an agent that can't resume starts from no earlier conversation, and why is said", () => {
  const why = (profile: AgentProfile[], on = withTerminal(FOUND)) => offersOf(profile, on).map(whyNotFromKept);
  expect(why(inTerminal())).toEqual([null]);
  expect(why(inTerminal({ resume_args: null }))).toEqual([
    "Claude Code (terminal) has no resume args, so it can't start from an earlier conversation.",
  ]);
  expect(why(only("prf_gemini"), node)).toEqual([
    "Gemini CLI can't resume earlier sessions, so it can't start from one.",
  ]);
  expect(why(only("prf_opencode"), node)).toEqual([null]);
});
