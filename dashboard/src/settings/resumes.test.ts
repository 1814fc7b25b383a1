import type { AgentProfile } from "@reprise/protocol";
import { BUILT_INS } from "@reprise/protocol";
import { CAPABILITIES } from "@reprise/protocol/testing";
import { expect, it } from "vitest";
import { resumesWhere } from "./resumes.ts";

const can = { ...CAPABILITIES, load_session: false };
const [first] = BUILT_INS;
if (!first) throw new Error("there is no built-in profile");
const profile = (capabilities: AgentProfile["capabilities"]): AgentProfile => ({
  ...first.spec,
  id: "prf_1",
  name: "Mine",
  auto_resume: "interrupted",
  built_in: false,
  created_at: 1,
  updated_at: 1,
  capabilities,
});
const names: Record<string, string> = { nod_mini: "mini", nod_gpu: "gpu1" };

it("R1: a profile says where its agent can resume, by what it said there itself", () => {
  const said = resumesWhere(
    profile([
      { node_id: "nod_mini", runtime: "standalone", capabilities: { ...can, load_session: true }, since: 1 },
      { node_id: "nod_gpu", runtime: "docker", capabilities: can, since: 1 },
      { node_id: "nod_gone", runtime: "standalone", capabilities: can, since: 1 },
    ]),
    (id) => names[id],
  );
  expect(said).toBe("can resume on mini; can't resume on gpu1 (Docker)");
});

it("R1: nothing is said of an agent that was never started", () => {
  expect(resumesWhere(profile([]), (id) => names[id])).toBeNull();
});
