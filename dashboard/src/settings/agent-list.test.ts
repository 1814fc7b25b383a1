import { type AgentInfo, type AgentProfile, BUILT_INS, type NodeSummary } from "@reprise/protocol";
import { expect, it } from "vitest";
import { listOf } from "./agent-list.ts";

const profiles: AgentProfile[] = BUILT_INS.map(({ id, name, spec }) => ({
  ...spec,
  id,
  name,
  auto_resume: "interrupted",
  built_in: true,
  capabilities: [],
  created_at: 0,
  updated_at: 0,
}));
const changed = (id: string, part: Partial<AgentProfile>, list = profiles) =>
  list.map((profile) => (profile.id === id ? { ...profile, ...part } : profile));

const claude: AgentInfo = {
  agent_kind: "claude-code",
  agent_name: "Claude Code",
  command: null,
  args: [],
  version: null,
  status: "missing",
  capabilities: null,
  terminal: { command: "claude", version: "2.1.3" },
  hint: null,
};
const node = (name: string, agents: AgentInfo[]): NodeSummary => ({
  id: `nod_${name}`,
  name,
  kind: "local",
  hostname: name,
  platform: "linux x64",
  home: "/home/ada",
  presence: "online",
  since: 0,
  reason: null,
  daemon_version: "1",
  as_of: 0,
  created_at: 0,
  transport: "websocket",
  runtimes: [],
  refused_copy: null,
  address: null,
  call: null,
  agents,
});
const idsOf = (list: readonly { profile: AgentProfile }[]) => list.map(({ profile }) => profile.id);

it("what a machine has comes first, by the way in which it is run; the rest is told apart", () => {
  const { first, others, deleted } = listOf(profiles, [node("mini", [claude])]);
  expect(first).toMatchObject([
    { profile: { id: "prf_claudecodetui" }, edited: false, places: [{ name: "mini", version: "2.1.3" }] },
  ]);
  expect(others).toHaveLength(profiles.length - 1);
  expect(deleted).toEqual([]);
});

it("a profile of a person's own, and one that a person changed, are never put away", () => {
  const own = { id: "prf_mine", built_in: false };
  for (const part of [{ args: ["--x"] }, { env: { A: "1" } }, { auto_resume: "never" as const }, { model: "m" }]) {
    const { first } = listOf(changed("prf_gemini", own, changed("prf_codex", part)), [node("mini", [])]);
    expect(idsOf(first)).toEqual(["prf_codex", "prf_mine"]);
    expect(first.map(({ edited }) => edited)).toEqual([true, false]);
  }
});

it("while no machine has told anything, nothing is said to be missing", () => {
  expect(listOf(profiles, undefined).others).toEqual([]);
});

it("a deleted built-in one can be brought back", () => {
  const left = profiles.filter(({ id }) => id !== "prf_gemini");
  expect(listOf(left, []).deleted.map(({ id }) => id)).toEqual(["prf_gemini"]);
});

it("an unverified default is shown as such, until a person made the line their own", () => {
  const kinds = ({ first }: ReturnType<typeof listOf>) =>
    first.filter((one) => one.unverified).map((one) => one.profile);
  const unchecked = BUILT_INS.filter(
    ({ spec, entry }) => spec.driver === "terminal" && entry.terminal.checked === null,
  );
  expect(kinds(listOf(profiles, undefined)).map(({ id }) => id)).toEqual(unchecked.map(({ id }) => id));
  const [some] = unchecked;
  if (!some) throw new Error("all are verified: this test has nothing to look at");
  const list = listOf(changed(some.id, { args: ["--mine"] }), undefined);
  expect(kinds(list).map(({ id }) => id)).not.toContain(some.id);
});
